// The reader of OpenAPI documents: tables of a corpus, of declarations, and of invalid documents.
import { openapi, readOpenApi } from '@nomen/core/openapi'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { declaredApi } from './declaration.ts'
import { declaredEntries, type Entry, readEntries } from './declared-table.ts'
import { tableText } from './table-text.ts'

it.each(Object.keys(corpus))('the table of %s equals the reviewed table', async (name) => {
  const document = await corpus[name]?.()
  await expect(tableText(readOpenApi(document))).toMatchFileSnapshot(`golden/${name}.txt`)
})

it('a declaration that is written as a document and read back has the same table', () => {
  fc.assert(
    fc.property(declaredApi, (api) => {
      const declared = declaredEntries(api)
      const document = JSON.parse(JSON.stringify(openapi(api)))
      const table = readOpenApi(document)
      expect(table.description).toBe(api.options.description)
      expect(readEntries(table, declared)).toEqual(declared)
    }),
    { numRuns: 100 },
  )
})

it('a document without x-nomen-kind has the same roles, apart from operations of the service itself', () => {
  const isPlain = ({ role }: Entry) => role !== 'custom'
  fc.assert(
    fc.property(declaredApi, (api) => {
      const declared = declaredEntries(api).filter(isPlain)
      // A removed operation has no body and no response that identify it, and a record that is only created has no list.
      fc.pre(declared.every(({ isGone, noun }) => !isGone && noun !== undefined))
      const document = JSON.parse(JSON.stringify(openapi(api)), (name, value) =>
        name === 'x-nomen-kind' ? undefined : value,
      )
      const entries = readEntries(readOpenApi(document), declared).filter(({ role }) => role !== 'other')
      expect(entries).toEqual(declared)
    }),
    { numRuns: 50 },
  )
})

it('reading a document never fails', async () => {
  const documents = await Promise.all(['directory', 'shop', 'schema-circular-3.0'].map((name) => corpus[name]?.()))
  const unexpected = fc.constantFrom(
    null,
    0,
    '',
    true,
    [],
    {},
    [null],
    { $ref: '#' },
    { $ref: '#/paths' },
    { $ref: '%' },
    '{',
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...documents),
      fc.infiniteStream(fc.nat(1000)),
      unexpected,
      (document, steps, value) => {
        const copy = structuredClone(document)
        replaceSomewhere(copy, steps, value)
        expect(tableText(readOpenApi(copy))).toBeTypeOf('string')
      },
    ),
    { numRuns: 150 },
  )
  fc.assert(fc.property(fc.jsonValue(), (paths) => void tableText(readOpenApi({ openapi: '3.1.0', paths }))))
})

it('a schema that contains itself by an alias is one shape', () => {
  const properties: Record<string, unknown> = { id: { type: 'integer' } }
  properties.self = { type: 'object', properties }
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const paths = { '/user/{id}': { get: { responses: { 200: { content } } } } }
  const shape = readOpenApi({ openapi: '3.1.0', paths }).operations[0]?.success?.shape
  const self = shape?.properties.get('self')?.shape
  expect(self?.properties.get('self')?.shape).toBe(self)
})

/** Descends into a value by these numbers, and replaces the value there. */
function replaceSomewhere(document: unknown, steps: Iterator<number>, value: unknown): void {
  let current = document as Record<string, unknown>
  for (let depth = 0; depth < 12; depth++) {
    const names = Object.keys(current)
    const name = names[(steps.next().value as number) % Math.max(1, names.length)]
    if (name === undefined) return
    const next = current[name]
    if (depth > 1 && ((steps.next().value as number) % 4 === 0 || typeof next !== 'object' || next === null)) {
      current[name] = value
      return
    }
    current = next as Record<string, unknown>
    if (typeof current !== 'object' || current === null) return
  }
}
