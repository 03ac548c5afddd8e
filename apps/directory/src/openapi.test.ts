// The documents of the directory are valid, and a change of the contract changes a snapshot.
import { fileURLToPath } from 'node:url'
import { lintDocument } from '@nomen/conventions'
import {
  type AnyApi,
  api,
  boolean,
  choice,
  decimal,
  email,
  guid,
  identity,
  integer,
  link,
  noun,
  operation,
  operations,
  range,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import { type OpenApi, openapi } from '@nomen/core/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { access, directory } from './apis.ts'

/** Declarations that use every part of the operation table. */
const maker = noun('maker', { id: identity('guid'), name: text() }, { label: 'name' })
const part = noun('spare-part', {
  partRef: identity(),
  maker: reference(() => maker).nullable(),
  code: text({ minLength: 3, maxLength: 8 }).unique(),
  weight: integer({ min: 1, max: 9 }),
  price: decimal({ precision: 8, scale: 2 }).default('1.00'),
  state: choice({ NEW: ['USED'], USED: [] }).default('NEW'),
  isHeavy: boolean(),
  contact: email(),
  tag: guid(),
  bought: timestamp().nullable(),
})
const fit = link(part, maker)
const weighing = operation({
  method: 'PUT',
  on: 'record',
  body: { mass: integer(), maker: reference(() => maker), when: timestamp().nullable() },
  response: part.fields,
  problems: ['rule-broken', 'value-taken'],
})
const unweighing = operation({ method: 'DELETE', on: 'record', deprecated: { since: '2026-01-01' } })
const stock = operation({
  method: 'GET',
  on: 'collection',
  query: { state: choice('NEW').nullable(), size: integer() },
  response: [{ count: integer() }],
})
const odd = api('odd', {
  version: 3,
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(part, {
      version: { replace: 4 },
      list: ['partRef', 'code', 'maker'],
      summary: ['partRef'],
      by: ['code'],
      search: ['code'],
      ifMatch: 'required',
      defaultFilter: { state: ['NEW'] },
      filters: { time: range('bought') },
      rename: { mass: 'weight' },
      operations: { weighing: [weighing, unweighing], stock },
      children: [resource(maker, { via: fit, list: ['id'] })],
    }),
    resource(maker, { path: 'factory', pageSize: { default: 3, maximum: 7 }, operations: { stock } }),
  ],
})

/** Nouns with names that documents also use, and removed operations beside others. */
const issue = noun('problem', { id: identity(), title: text() })
const page = noun('page', { id: identity(), problem: reference(() => issue), title: text() })
const gone = { since: '2026-01-01', gone: true } as const
const retired = api('retired', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(issue, { children: [resource(page, { deprecated: gone })] }),
    resource(maker, { deprecated: gone, operations: { stock } }),
    resource(part, { deprecated: { create: gone } }),
  ],
})

const all: [string, AnyApi][] = [
  ['directory', directory],
  ['access', access],
  ['odd', odd],
  ['retired', retired],
]

describe.each(all)('the document of the %s', (_, declared) => {
  const document = openapi(declared, { isSecured: true, isLimited: true, servers: ['https://example.com'] })

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('has every operation of the table, and no others', () => {
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.sort()).toEqual(
      operations(declared)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    )
  })

  it('contains all referenced schemas, and no others', () => {
    const used = new Set([...JSON.stringify(document).matchAll(/"#\/components\/([^"]*)"/g)].map(([, name]) => name))
    const defined = Object.entries(document.components).flatMap(([kind, named]) =>
      kind === 'securitySchemes' ? [] : Object.keys(named).map((name) => `${kind}/${name}`),
    )
    expect([...used].sort()).toEqual(defined.sort())
  })
})

const snapshots: [string, AnyApi][] = [
  ['directory', directory],
  ['access', access],
]
it.each(snapshots)('the contract of the %s is the one that was reviewed', async (name, declared) => {
  const text = `${JSON.stringify(openapi(declared), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(`openapi/${name}.json`)
})

it.each(['directory', 'access'])('the document of the %s follows the conventions', async (name) => {
  const { findings } = await lintDocument(fileURLToPath(new URL(`openapi/${name}.json`, import.meta.url)))
  expect(findings).toEqual([])
})

/** A part of a document, by a path of names. */
function at(document: OpenApi, ...names: string[]): Record<string, unknown> {
  return names.reduce(
    (found, name) => found[name] as Record<string, unknown>,
    document as unknown as Record<string, unknown>,
  )
}

describe('a document', () => {
  const document = openapi(odd, { title: 'Odd', version: '3.2.1', servers: ['https://a'] })

  it('contains the declared settings', () => {
    expect(document.info).toEqual({ title: 'Odd', version: '3.2.1' })
    expect(document.servers).toEqual([{ url: 'https://a' }])
    expect(openapi(directory).info).toMatchObject({ title: 'directory', version: '1' })
    expect([document['x-nomen-versioning'], document['x-nomen-writes']]).toEqual(['per-noun', 'nested'])
  })

  it('has extensions for facts that JSON Schema cannot express', () => {
    const properties = at(document, 'components', 'schemas', 'SparePart', 'properties')
    expect(properties.partRef).toMatchObject({ 'x-nomen-identity': true, readOnly: true })
    expect(properties.maker).toMatchObject({ 'x-nomen-reference': 'maker', type: ['string', 'null'] })
    expect(properties.code).toMatchObject({ 'x-nomen-unique': true })
    expect(properties.state).toMatchObject({ 'x-nomen-transitions': { NEW: ['USED'], USED: [] } })
    const listed = at(document, 'components', 'schemas', 'SparePartListItem', 'properties')
    expect(listed.maker).toMatchObject({ 'x-nomen-label': ['name'], 'x-nomen-reference': 'maker' })
    const linked = at(document, 'paths', '/v3/spare-part/{sparePartPartRef}/maker/{id}', 'put')
    expect(linked['x-nomen-link']).toEqual(['spare-part', 'maker'])
  })

  it('documents removed operations with 410 and without request errors', () => {
    const document = openapi(retired)
    expect(at(document, 'paths', '/maker', 'get', 'responses')).toEqual({
      400: { $ref: '#/components/responses/RemovedBadRequest' },
      410: { $ref: '#/components/responses/Gone' },
      500: { $ref: '#/components/responses/InternalServerError' },
      503: { $ref: '#/components/responses/ServiceUnavailable' },
    })
    expect(at(document, 'components', 'responses', 'RemovedBadRequest').description).not.toContain('unknown-parameter')
    expect(at(document, 'components', 'responses', 'ListBadRequest').description).toContain('unknown-parameter')
  })

  it('documents the responses of a busy service and of too expensive lists', () => {
    const codesOf = (name: string) => {
      const content = at(openapi(directory), 'components', 'responses', name, 'content', 'application/problem+json')
      return JSON.stringify((content.schema as { allOf: readonly unknown[] }).allOf[1])
    }
    expect(codesOf('ServiceUnavailable')).toContain('"overloaded"')
    expect(codesOf('ListServiceUnavailable')).toContain('"overloaded"')
    expect(
      [codesOf('ListServiceUnavailable'), codesOf('ServiceUnavailable')].map((text) => text.includes('too-expensive')),
    ).toEqual([true, false])
    const { responses } = at(openapi(directory), 'paths', '/user', 'get')
    expect(responses).toMatchObject({ 503: { $ref: '#/components/responses/ListServiceUnavailable' } })
  })

  it('distinguishes problems of the service from records of a noun named problem', () => {
    const document = openapi(retired)
    const read = at(document, 'paths', '/problem/{id}', 'get', 'responses', '200', 'content', 'application/json')
    expect(read.schema).toEqual({ $ref: '#/components/schemas/RetiredProblem' })
    expect(at(document, 'components', 'schemas', 'RetiredProblem', 'properties')).toHaveProperty('title')
    expect(at(document, 'components', 'schemas', 'Problem', 'properties')).toHaveProperty('code')
  })

  it('documents the body of each write', () => {
    const create = at(document, 'components', 'schemas', 'SparePartCreate')
    expect(create.required).toEqual(['code', 'mass', 'isHeavy', 'contact', 'tag'])
    expect(at(create as unknown as OpenApi, 'properties').state).toMatchObject({ default: 'NEW' })
    const replace = at(document, 'components', 'schemas', 'SparePartReplace')
    expect(replace.required).toEqual(['maker', 'code', 'mass', 'price', 'state', 'isHeavy', 'contact', 'tag', 'bought'])
    expect(at(document, 'components', 'schemas', 'SparePartUpdate')).not.toHaveProperty('required')
    expect(at(document, 'paths', '/v4/spare-part/{partRef}', 'put', 'responses')).toHaveProperty('428')
  })

  it('has the parameters of a list', () => {
    const { parameters } = at(document, 'paths', '/v3/spare-part', 'get') as { parameters: { name?: string }[] }
    const byName = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]))
    expect(byName.state).toMatchObject({
      explode: true,
      schema: { items: { $ref: '#/components/schemas/SparePartState' }, default: ['NEW'] },
    })
    expect(byName.timeFrom).toMatchObject({ schema: { format: 'date-time' }, 'x-nomen-range': 'time' })
    expect(byName).toHaveProperty('search')
    const sizes = at(document, 'paths', '/v3/factory', 'get') as { parameters: { name?: string; schema: object }[] }
    expect(sizes.parameters.find(({ name }) => name === 'pageSize')?.schema).toMatchObject({ default: 3, maximum: 7 })
  })

  it('has no null in a path, even if records may have null', () => {
    const badge = noun('badge', { id: identity(), code: text({ maxLength: 8 }).nullable().unique() })
    const badges = api('badges', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(badge, { by: ['code'] })],
    })
    const { parameters } = at(openapi(badges), 'paths', '/badge/by-code/{code}', 'get') as { parameters: object[] }
    expect(parameters[0]).toEqual({
      name: 'code',
      in: 'path',
      required: true,
      description: 'The code of the badge.',
      schema: { type: 'string', maxLength: 8 },
      example: 'Example',
    })
  })

  it('documents the scope of each operation if tokens are required', () => {
    const secured = openapi(odd, { isSecured: true })
    expect(at(secured, 'paths', '/v3/spare-part', 'get').security).toEqual([{ bearer: ['spare-part:read'] }])
    expect(at(secured, 'paths', '/v3/spare-part', 'post').security).toEqual([
      { bearer: ['spare-part:write', 'spare-part:read'] },
    ])
    expect(at(document, 'paths', '/v3/spare-part', 'get')).not.toHaveProperty('security')
  })

  it('documents 429 at every operation if there is a rate limit', () => {
    const limited = openapi(odd, { isLimited: true })
    const refusals = (some: OpenApi) =>
      Object.values(some.paths).flatMap((item) =>
        Object.values(item).map(({ responses }) => (responses as Record<string, unknown>)[429]),
      )
    expect(new Set(refusals(document))).toEqual(new Set([undefined]))
    expect(refusals(limited)).toEqual(
      refusals(document).map(() => ({ $ref: '#/components/responses/TooManyRequests' })),
    )
    expect(Object.keys(at(limited, 'components', 'responses', 'TooManyRequests').headers as object)).toEqual([
      ...['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    ])
  })
})
