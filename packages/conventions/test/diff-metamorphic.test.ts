/** A single change has the verdict of the table wherever it is in a document, in both directions. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diff, type Json, type OpenApiDocument } from '../src/index.ts'
import { applicatorRows } from './diff-keyword/applicator.ts'
import type { Verdict } from './diff-keyword/keyword-row.ts'
import { validationRows } from './diff-keyword/validation.ts'

/** A parameter is sent as JSON, so that its types count. */
type Use = 'request' | 'response' | 'parameter' | 'header'
/** Puts a schema into another one. Components are added to the document. */
type Wrapper = (schema: Json, components: Record<string, Json>) => Json

/** readOnly and writeOnly have an effect on fields only, and a default another one on parameters. */
const rows = [...validationRows, ...applicatorRows].filter(
  ({ keyword }) => !/^((read|write)Only$|default)/.test(keyword),
)

const noise: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  { type: 'string' },
  { type: 'integer', minimum: 3 },
  { type: 'array', items: { type: 'boolean' } },
  { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'string' } } }] },
  { type: 'object', additionalProperties: false, properties: { a: { type: ['string', 'null'] } }, required: ['a'] },
  { $ref: '#/components/schemas/Text' },
  {},
)
const name = fc.constantFrom('alpha', 'beta', 'title', 'default', 'items')

const wrapper: fc.Arbitrary<Wrapper> = fc.oneof(
  fc.record({ name, other: noise, isRequired: fc.boolean() }).map(
    ({ name, other, isRequired }): Wrapper =>
      (schema) => ({
        type: 'object',
        properties: { [name]: schema, other },
        ...(isRequired && { required: [name] }),
      }),
  ),
  fc.constantFrom<Wrapper>(
    (items) => ({ type: 'array', items }),
    (additionalProperties) => ({ type: 'object', additionalProperties }),
    (unevaluatedProperties) => ({ type: 'object', unevaluatedProperties }),
    (schema) => ({ type: 'object', patternProperties: { '^a': schema }, properties: { b: { type: 'string' } } }),
    (schema) => ({ allOf: [schema, { description: 'd' }] }),
    (schema, components) => {
      const component = `Part${Object.keys(components).length}`
      components[component] = schema
      return { $ref: `#/components/schemas/${component}` }
    },
  ),
  noise.map(
    (other): Wrapper =>
      (schema) => ({ type: 'array', prefixItems: [other, schema] }),
  ),
)

function documentOf(schema: Json, wrappers: readonly Wrapper[], use: Use, other: Json): OpenApiDocument {
  const components: Record<string, Json> = {
    Text: { type: 'string' },
    Number: { type: 'number' },
    TextOrNumber: { type: ['string', 'number'] },
  }
  const whole = wrappers.reduce((inner, wrap) => wrap(inner, components), schema)
  const content = (value: Json) => ({
    content: { 'application/json': { schema: { type: 'object', properties: { value, other } } } },
  })
  const at = (part: Use): Json => (use === part ? whole : { type: 'string' })
  const operation = {
    parameters: [{ name: 'filter', in: 'query', content: { 'application/json': { schema: at('parameter') } } }],
    requestBody: content(at('request')),
    responses: {
      '200': { description: 'd', headers: { 'X-Value': { schema: at('header') } }, ...content(at('response')) },
    },
  }
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: { '/thing/{id}': { patch: operation }, '/other': { get: { responses: { '200': { description: 'd' } } } } },
    components: { schemas: components },
  } as OpenApiDocument
}

function verdictOf(old: OpenApiDocument, next: OpenApiDocument): Verdict {
  const { changes } = diff(old, next)
  return changes.some(({ isBreaking }) => isBreaking) ? 'breaking' : changes.length > 0 ? 'compatible' : 'none'
}

it('has the same verdict at any depth, through references, and beside any other schemas', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...rows),
      fc.array(wrapper, { maxLength: 4 }),
      fc.constantFrom<Use>('request', 'response', 'parameter', 'header'),
      noise,
      (row, wrappers, use, other) => {
        const [old, next] = [row.old, row.next].map((schema) => documentOf(schema, wrappers, use, other)) as [
          OpenApiDocument,
          OpenApiDocument,
        ]
        expect([verdictOf(old, next), verdictOf(next, old)], row.keyword).toEqual(
          use === 'request' || use === 'parameter' ? row.request : row.response,
        )
      },
    ),
    { numRuns: Number(process.env.DIFF_RUNS ?? 150) },
  )
})

it('breaks if the target of a reference inside a keyword without an order changes', () => {
  const schema: Json = { not: { $ref: '#/components/schemas/Text' } }
  for (const use of ['request', 'response'] as const) {
    const old = documentOf(schema, [], use, {})
    const next = structuredClone(old) as unknown as { components: { schemas: Record<string, Json> } }
    next.components.schemas.Text = { type: 'boolean' }
    expect(verdictOf(old, next as unknown as OpenApiDocument)).toBe('breaking')
  }
})
