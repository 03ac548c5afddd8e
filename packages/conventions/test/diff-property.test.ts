import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diff, diffMarkdown, diffText, type Json, type OpenApiDocument } from '../src/index.ts'
import { baseDocument, isThere } from './base-document.ts'

/** Words that mean something in a document, so that nonsense comes close to sense. */
const word = fc.constantFrom(
  ...['type', 'object', 'array', 'string', 'integer', 'null', 'properties', 'required', 'items', 'enum', 'const'],
  ...[
    'oneOf',
    'anyOf',
    'allOf',
    '$ref',
    '#/components/schemas/User',
    '#/components/schemas/Loop',
    '#',
    '#/%',
    'x.json#',
  ],
  ...['minimum', 'exclusiveMinimum', 'nullable', 'readOnly', 'default', 'parameters', 'in', 'query', 'path', 'name'],
  ...[
    '200',
    '4XX',
    'content',
    'application/json',
    'schema',
    'security',
    'get',
    '/user/{a}',
    '/v2/user',
    'not',
    '__proto__',
  ],
)

const nonsense: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e300, {}, []),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 4 }),
  ),
})).json

/** The base document with nonsense at some of its places. */
const mangled: fc.Arbitrary<OpenApiDocument> = fc
  .array(fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 9 }), nonsense), { minLength: 1, maxLength: 6 })
  .map((wounds) => {
    const document = { ...baseDocument(), 'x-loop': { $ref: '#/x-loop' } } as OpenApiDocument
    for (const [way, value] of wounds) wound(document as unknown as Record<string, unknown>, way, value)
    return document
  })

function wound(root: Record<string, unknown>, way: readonly number[], value: Json): void {
  let at = root
  for (const [index, turn] of way.entries()) {
    const names = Object.keys(at)
    const name = names[turn % Math.max(names.length, 1)] ?? 'x'
    const below = at[name]
    const isLast = index === way.length - 1 || typeof below !== 'object' || below === null
    if (isLast) {
      at[name] = structuredClone(value)
      return
    }
    at = below as Record<string, unknown>
  }
}

it('finds nothing between a document and itself, whatever is in it', () => {
  fc.assert(
    fc.property(mangled, (document) => {
      expect(diff(document, structuredClone(document)).changes).toEqual([])
    }),
    { numRuns: 200 },
  )
}, 60_000)

it('points at what is there, and never breaks over what it is given', () => {
  fc.assert(
    fc.property(mangled, mangled, (old, next) => {
      const difference = diff(old, next)
      for (const { document, pointer, message } of difference.changes) {
        expect(isThere(document === 'old' ? old : next, pointer), `${pointer} ${message}`).toBe(true)
      }
      expect(diffText(difference, (_, text) => text)).not.toBe('')
      expect(diffMarkdown(difference, 'API')).toMatch(/^## API: /)
    }),
    { numRuns: 200 },
  )
}, 60_000)
