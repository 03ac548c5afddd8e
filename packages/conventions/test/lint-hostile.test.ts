// Documents of any form: the linter never throws, loops or reads another file.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentError, rules } from '../src/index.ts'
import { goodDocument, type Loose } from './good-document.ts'
import { linted } from './linted.ts'

describe('a malformed document', () => {
  const codes = new Set(rules.map(({ code }) => code))

  it.each([
    ['without paths', {}],
    ['whose paths are a text', { paths: 'none' }],
    ['whose paths are a list', { paths: [null, 1] }],
    [
      'with odd paths',
      { paths: { '': {}, user: {}, '/': { get: {} }, '//': { get: [] }, '/{': { get: { parameters: {} } } } },
    ],
    [
      'with null everywhere',
      { paths: { '/user': null, '/role': { get: null, put: { requestBody: null, responses: null } } } },
    ],
    [
      'whose schemas contain themselves',
      {
        paths: { '/user': { get: { responses: { 200: { $ref: '#/components/responses/a' } } } } },
        components: {
          responses: { a: { content: { 'application/json': { schema: { $ref: '#/components/schemas/a' } } } } },
          schemas: {
            a: { allOf: [{ $ref: '#/components/schemas/a' }, { $ref: '#/components/schemas/b' }] },
            b: {
              type: 'object',
              properties: { a: { $ref: '#/components/schemas/a' }, b: { $ref: '#/components/schemas/b' } },
            },
          },
        },
      },
    ],
    [
      'with objects that cannot be texts',
      {
        paths: {
          '/user': {
            get: {
              parameters: [{ name: 'a', in: { toString: 1 } }],
              responses: { 200: { content: { 'application/json': { schema: { required: [{ toString: 1 }] } } } } },
            },
          },
        },
      },
    ],
    ['with names of every object', { paths: { '/__proto__': { get: {} }, '/constructor': { toString: {}, get: {} } } }],
  ])('%s is still linted', async (_, parts) => {
    const { findings } = await linted({ openapi: '3.1.0', info: {}, ...parts })
    for (const { code } of findings) expect(codes).toContain(code)
  })

  it('whose aliases form a cycle is still linted', async () => {
    const text = 'openapi: 3.1.0\npaths: &a\n  /users: { get: {}, x-again: *a }\n'
    expect((await linted(text)).findings).toMatchObject([{ code: 'plural-path-segment' }])
  })

  it.each(['swagger: "2.0"', 'openapi: 2.0', '[1]', '', '{', 'a: 1'])(
    'that is not an OpenAPI document is rejected: %j',
    async (text) => {
      await expect(linted(text)).rejects.toThrow(DocumentError)
    },
  )

  it('with a path segment of many digits is linted without delay', async () => {
    const document = goodDocument()
    document.paths[`/v1/user/v${'1'.repeat(60)}x`] = { post: { responses: {} } }
    const { findings } = await linted(document)
    expect(findings).toEqual([])
  })

  it('is linted after any edits', async () => {
    const paths = pathsIn(goodDocument())
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
      fc
        .constantFrom(...paths)
        .map((path) => ({ $ref: `#/${path.map((name) => name.replaceAll('/', '~1')).join('/')}` })),
      fc.constantFrom({ $ref: '#' }, { $ref: '' }, { $ref: '%' }, { $ref: '#/%zz' }, { $ref: 'x://y' }, { $ref: 7 }),
    )
    const changes = fc.array(fc.tuple(fc.constantFrom(...paths), odd), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(changes, async (edits) => {
        const document = goodDocument()
        for (const [path, value] of edits) put(document, path, structuredClone(value))
        document.openapi = '3.1.0'
        const { findings } = await linted(document)
        for (const { code, message } of findings) {
          expect(codes).toContain(code)
          expect(message).not.toMatch(/undefined|\[object/)
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** The paths of all values in a document, except the document itself. */
function pathsIn(value: Loose): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [[name], ...pathsIn(member).map((rest) => [name, ...rest])])
}

function put(document: Loose, path: readonly string[], value: unknown): void {
  let at = document
  for (const name of path.slice(0, -1)) {
    at = at?.[name]
    if (typeof at !== 'object' || at === null) return
  }
  at[path.at(-1) as string] = value
}
