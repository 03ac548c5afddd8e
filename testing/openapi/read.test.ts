// The reader of OpenAPI documents: its tables of a corpus, of declarations, and of documents that are not valid.
import { openapi, readOpenApi } from '@nomen/core/openapi'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { corpus } from './corpus.ts'
import { declaredApi } from './declaration.ts'
import { declaredEntries, type Entry, readEntries } from './declared-table.ts'
import { tableText } from './table-text.ts'

it.each(Object.keys(corpus))('the table of %s is the one that was reviewed', async (name) => {
  const document = await corpus[name]?.()
  await expect(tableText(readOpenApi(document))).toMatchFileSnapshot(`golden/${name}.txt`)
})

it('a declaration that is written as a document and read back gives the same table', () => {
  fc.assert(
    fc.property(declaredApi, (api) => {
      const declared = declaredEntries(api)
      const document = JSON.parse(JSON.stringify(openapi(api)))
      expect(readEntries(readOpenApi(document), declared)).toEqual(declared)
    }),
    { numRuns: 100 },
  )
})

it('a document without x-nomen-kind has the same roles, apart from operations of the service itself', () => {
  const isPlain = ({ role }: Entry) => role !== 'custom'
  fc.assert(
    fc.property(declaredApi, (api) => {
      const declared = declaredEntries(api).filter(isPlain)
      // An operation that is gone has no body and no response to tell it by, and a record that is only created has no list.
      fc.pre(declared.every(({ isGone, noun }) => !isGone && noun !== undefined))
      const document = JSON.parse(JSON.stringify(openapi(api)), (name, value) =>
        name === 'x-nomen-kind' ? undefined : value,
      )
      const read = readEntries(readOpenApi(document), declared).filter(({ role }) => role !== 'other')
      expect(read).toEqual(declared)
    }),
    { numRuns: 50 },
  )
})

it('whatever a document holds, reading it does not fail', async () => {
  const documents = await Promise.all(['directory', 'shop', 'schema-circular-3.0'].map((name) => corpus[name]?.()))
  const strange = fc.constantFrom(
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
    fc.property(fc.constantFrom(...documents), fc.infiniteStream(fc.nat(1000)), strange, (document, steps, value) => {
      const copy = structuredClone(document)
      replaceSomewhere(copy, steps, value)
      expect(tableText(readOpenApi(copy))).toBeTypeOf('string')
    }),
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

/** Walks down a value by these numbers, and replaces what is there. */
function replaceSomewhere(document: unknown, steps: Iterator<number>, value: unknown): void {
  let at = document as Record<string, unknown>
  for (let depth = 0; depth < 12; depth++) {
    const names = Object.keys(at)
    const name = names[(steps.next().value as number) % Math.max(1, names.length)]
    if (name === undefined) return
    const next = at[name]
    if (depth > 1 && ((steps.next().value as number) % 4 === 0 || typeof next !== 'object' || next === null)) {
      at[name] = value
      return
    }
    at = next as Record<string, unknown>
    if (typeof at !== 'object' || at === null) return
  }
}
