import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diff, diffMarkdown, diffText, type Json, type OpenApiDocument } from '../src/index.ts'
import { baseDocument, isThere } from './base-document.ts'

/** Keywords of a document, so that random documents are almost valid. */
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
    'webhooks',
    'callbacks',
    'additionalOperations',
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

/** The base document with random values at some locations. */
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

it('finds no changes between any document and itself', () => {
  fc.assert(
    fc.property(mangled, (document) => {
      expect(diff(document, structuredClone(document)).changes).toEqual([])
    }),
    { numRuns: 200 },
  )
})

it('has existing pointers and never throws, for any documents', () => {
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
})

/** Fields of a component: plain ones, and references to components, with or without cycles. */
const fieldSchema = (count: number): fc.Arbitrary<Json> => {
  const reference = fc.nat(count - 1).map((at) => ({ $ref: `#/components/schemas/S${at}` }))
  return fc.oneof(
    fc.constantFrom<Json>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'string', default: 'a' },
      { enum: ['a', 'b'] },
    ),
    fc.constantFrom<Json>({ type: 'string', readOnly: true }, { type: ['string', 'null'] }),
    reference,
    reference.map((items) => ({ type: 'array', items })),
    reference.map((inner) => ({ type: 'object', properties: { inner: inner } })),
  )
}

const component = (count: number) =>
  fc.record({
    properties: fc.dictionary(fc.constantFrom('a', 'b'), fieldSchema(count), { maxKeys: 2 }),
    required: fc.subarray(['a', 'b']),
  })

const componentCount = 2
/** There are four pairs of two components, and at most two levels between one and the next. */
const deepest = 9
const components = fc.array(component(componentCount), { minLength: componentCount, maxLength: componentCount })

type Components = readonly { readonly properties: Record<string, Json>; readonly required: readonly string[] }[]

/** Each component is the request body and the response of one path. */
function documentOf(all: Components, schemaAt: (at: number) => Json): OpenApiDocument {
  const media = (at: number) => ({ content: { 'application/json': { schema: schemaAt(at) } } })
  const operation = (at: number) => ({ requestBody: media(at), responses: { '200': media(at) } })
  const paths = all.map((_, at) => [`/part-${at}`, { post: operation(at), put: operation(at) }])
  const schemas = all.map((component, at) => [`S${at}`, { type: 'object', ...component }])
  const parts = { paths: Object.fromEntries(paths), components: { schemas: Object.fromEntries(schemas) } }
  return { openapi: '3.1.0', ...parts } as OpenApiDocument
}

/** The same with references inlined to this depth. Deeper levels have only a type. */
function inlined(all: Components, schema: Json, depth: number): Json {
  const { $ref, ...keywords } = schema as { readonly $ref?: string; readonly [name: string]: Json | undefined }
  if ($ref !== undefined) return inlined(all, { type: 'object', ...all[Number($ref.at(-1))] } as Json, depth)
  const { properties, items } = keywords as { readonly properties?: Record<string, Json>; readonly items?: Json }
  if (depth === 0 && (properties || items !== undefined)) return { type: items === undefined ? 'object' : 'array' }
  const fields = Object.entries(properties ?? {}).map(([name, property]) => [name, inlined(all, property, depth - 1)])
  return {
    ...keywords,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: inlined(all, items, depth - 1) }),
  } as Json
}

/** Every operation with its changes by field name only, because several paths may lead to the field. */
function changesOf(old: OpenApiDocument, next: OpenApiDocument): readonly string[] {
  const lines = diff(old, next, { versioning: 'per-noun' }).changes.flatMap(({ operations, code, message }) => {
    const nearest = message.replace(/\S*?([^\s.]+) of (the request|response)/, '$1 of $2')
    return operations.map((operation) => `${operation} ${code} ${nearest.replace(/\b[ab](\[\])? of/, 'it$1 of')}`)
  })
  return [...new Set(lines)].sort()
}

it('finds the same changes through references as in inlined schemas, also with cycles', () => {
  fc.assert(
    fc.property(components, components, (old, next) => {
      const byReference = (all: Components) => documentOf(all, (at) => ({ $ref: `#/components/schemas/S${at}` }))
      const plain = (all: Components) =>
        documentOf(all, (at) => inlined(all, { $ref: `#/components/schemas/S${at}` }, deepest))
      expect(changesOf(byReference(old), byReference(next))).toEqual(changesOf(plain(old), plain(next)))
    }),
    { numRuns: 100 },
  )
})
