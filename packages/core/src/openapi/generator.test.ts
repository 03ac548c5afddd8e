// Client generators get usable types from a document: for null in a query, choices, pages, integers and errors.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  api,
  boolean,
  choice,
  custom,
  date,
  identity,
  integer,
  noun,
  operation,
  range,
  reference,
  resource,
  text,
  timestamp,
} from '../index.ts'
import { openapi, readOpenApi } from './index.ts'

const depot = noun('depot', { id: identity(), name: text() }, { label: 'name' })
const order = noun('order', {
  id: identity(),
  depot: reference(() => depot).nullable(),
  parent: reference(() => order).nullable(),
  state: choice('OPEN', 'DONE').description('The progress.').default('OPEN'),
  /** Its component cannot have the name of the body of a POST. */
  create: choice('BY_HAND', 'BY_IMPORT').nullable(),
  remark: text({ minLength: 2 }).nullable(),
  isUrgent: boolean().nullable(),
  due: date().nullable(),
  sent: timestamp().nullable(),
  weight: integer({ min: 0, max: 900 }).nullable(),
})
const count = operation({
  method: 'GET',
  on: 'collection',
  query: { state: order.fields.state, size: integer({ min: 1, max: 9 }).nullable() },
  response: { state: order.fields.state, mood: choice('GOOD', 'BAD') },
})
const hour = noun('hour', { id: identity(), unit: text() })
const shop = api('shop', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(depot, { search: ['name'] }),
    resource(order, {
      list: ['id', 'state', 'create'],
      filters: { time: range('sent'), near: custom(integer({ min: 1 }).nullable()), like: custom(text().nullable()) },
      operations: { count },
    }),
    resource(hour),
  ],
})
const document = JSON.parse(JSON.stringify(openapi(shop)))
const { schemas, responses } = document.components
const table = readOpenApi(document)

function parameterOf(path: string, name: string) {
  return document.paths[path].get.parameters.find((parameter: { name?: string }) => parameter.name === name)
}

describe('a nullable filter', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ ...document, $id: 'https://example.com/shop' })
  const filters = ['depot', 'create', 'remark', 'isUrgent', 'due', 'sent', 'weight']

  it.each(filters)('allows the empty string instead of null: %s', (name) => {
    const { items } = parameterOf('/order', name).schema
    const schema = JSON.parse(JSON.stringify(items).replaceAll('"#/', '"https://example.com/shop#/'))
    expect([ajv.validate(schema, ''), ajv.validate(schema, null)]).toEqual([true, false])
  })

  it.each([...filters, 'near', 'like'])('is read back as nullable, with its type: %s', (name) => {
    const list = table.operations.find(({ role, path }) => role === 'list' && path === '/order')
    const shape = list?.parameters.find((parameter) => parameter.name === name)?.shape
    const { isNullable, isUnion, type } = shape?.items ?? shape ?? {}
    const isNumber = ['depot', 'weight', 'near'].includes(name)
    const expected = name === 'isUrgent' ? 'boolean' : isNumber ? 'integer' : 'string'
    expect({ isNullable, isUnion, type }).toEqual({ isNullable: true, isUnion: false, type: expected })
  })

  it('has a plain schema if its type allows the empty string', () => {
    expect(parameterOf('/order', 'remark').schema.items).toEqual({ type: 'string', 'x-nomen-null': '' })
    expect(parameterOf('/order', 'weight').schema.items.anyOf[1]).toEqual({ type: 'string', enum: [''] })
  })

  it('has the empty string as a parameter of a custom filter or operation, too', () => {
    expect(parameterOf('/order', 'near').schema.anyOf[1]).toEqual({ type: 'string', enum: [''] })
    expect(parameterOf('/order/count', 'size').schema).toEqual({
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 9 },
        { type: 'string', enum: [''] },
      ],
      'x-nomen-null': '',
    })
  })

  it('does not apply to a bound of a range', () => {
    expect(parameterOf('/order', 'timeFrom').schema).toEqual({ type: 'string', format: 'date-time' })
  })
})

describe('a choice', () => {
  const state = { $ref: '#/components/schemas/OrderState' }

  it('is one component for all shapes, filters and custom operations of its noun', () => {
    expect(schemas.OrderState).toEqual({ type: 'string', description: 'The progress.', enum: ['OPEN', 'DONE'] })
    for (const name of ['Order', 'OrderListItem', 'OrderReplace', 'OrderUpdate'])
      expect([name, schemas[name].properties.state]).toEqual([name, state])
    expect(schemas.OrderCreate.properties.state).toEqual({ ...state, default: 'OPEN' })
    expect(parameterOf('/order', 'state').schema.items).toEqual(state)
    expect(schemas.OrderCountResponse.properties.state).toEqual(state)
    expect(schemas.OrderCountResponse.properties.mood).toEqual({ type: 'string', enum: ['GOOD', 'BAD'] })
  })

  it('does not take the name of another schema, and allows null beside its values', () => {
    expect(schemas.OrderCreate.type).toBe('object')
    expect(schemas.Order.properties.create).toEqual({
      anyOf: [{ $ref: '#/components/schemas/OrderCreateChoice' }, { type: 'null' }],
    })
  })

  it('is read back with its values and null', () => {
    const record = table.collections.find(({ noun }) => noun === 'order')?.record
    const { isNullable, isChoice, schema } = record?.properties.get('create')?.shape ?? {}
    expect([isNullable, isChoice, schema?.enum]).toEqual([true, true, ['BY_HAND', 'BY_IMPORT']])
  })
})

describe('components', () => {
  it('have one schema for the information about a page', () => {
    for (const name of ['DepotListPage', 'OrderListPage'])
      expect(schemas[name].properties.pageInfo).toEqual({ $ref: '#/components/schemas/PageInfo' })
    expect(schemas.PageInfo.required).toContain('numberOfRecords')
  })

  it('have the schema of a record once, also if lists show it completely', () => {
    expect(schemas.DepotListPage.properties.results.items).toEqual({ $ref: '#/components/schemas/Depot' })
    expect(schemas).not.toHaveProperty('DepotListItem')
    expect(schemas.OrderListPage.properties.results.items).toEqual({ $ref: '#/components/schemas/OrderListItem' })
  })

  it('have each error response once, with a name by its status', () => {
    const contents = Object.values(responses).map((response) => JSON.stringify(response))
    expect(new Set(contents).size).toBe(contents.length)
    expect(document.paths['/order/{id}'].get.responses[404]).toEqual({ $ref: '#/components/responses/NotFound' })
    expect(document.paths['/depot/{id}'].put.responses[404]).toEqual({ $ref: '#/components/responses/NotFound' })
    const { schema } = responses.NotFound.content['application/problem+json']
    expect(schema.allOf[1]).toEqual({
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', enum: ['record-not-found'] } },
    })
  })

  it('have 64-bit integers for IDs and references, not for small integers', () => {
    const { id, depot: reference, weight } = schemas.Order.properties
    expect([id.format, reference.format, weight.format]).toEqual(['int64', 'int64', undefined])
    expect(parameterOf('/order', 'include').schema.items.format).toBe('int64')
  })

  it('have an array for search, which may be repeated like a filter', () => {
    expect(parameterOf('/depot', 'search')).toMatchObject({
      in: 'query',
      schema: { type: 'array', items: { type: 'string', maxLength: 200 } },
    })
    // The default of a query parameter: form, exploded.
    expect(parameterOf('/depot', 'search')).not.toHaveProperty('explode', false)
  })

  it('have the version 3.1.0, because some tools accept no later patch version', () => {
    expect(document.openapi).toBe('3.1.0')
  })

  it('have no limit that limits nothing', () => {
    expect(JSON.stringify(document)).not.toContain('"minProperties"')
  })
})

describe('paths of a document', () => {
  it('have a literal segment before a parameter, for tools that use the first match', () => {
    const paths = Object.keys(document.paths)
    expect(paths.indexOf('/order/count')).toBeLessThan(paths.indexOf('/order/{id}'))
    expect(paths.indexOf('/order')).toBeLessThan(paths.indexOf('/order/count'))
  })
})

describe('texts of a document', () => {
  it('have the right article', () => {
    const summaries = ['/order', '/depot', '/hour'].map((path) => document.paths[path].post.summary)
    expect(summaries).toEqual(['Create an order', 'Create a depot', 'Create an hour'])
  })

  it('have plural nouns in the summaries of lists', () => {
    expect(document.paths['/order'].get.summary).toBe('List orders')
    expect(document.paths['/order/{id}'].get.summary).toBe('Get an order')
    expect(document.paths['/order/{id}'].patch.summary).toBe('Update an order')
  })

  it('have an introduction on request, which is not part of the description that is read back', () => {
    const described = api('shop', { ...shop.options, description: 'Orders of our depots.' })
    const withIntroduction = openapi(described, { hasIntroduction: true })
    const { description } = withIntroduction.info
    for (const word of [
      'Orders of our depots.',
      'pageNumber',
      'application/problem+json',
      'If-Match',
      'Idempotency-Key',
    ])
      expect(description).toContain(word)
    expect(readOpenApi(withIntroduction).description).toBe('Orders of our depots.')
    // The introduction describes only what the operations have.
    const log = api('log', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(hour, { offers: ['list'] })],
    })
    const short = openapi(log, { hasIntroduction: true })
    expect(short.info.description).not.toMatch(/If-Match|Idempotency-Key/)
    expect(readOpenApi(short).description).toBeUndefined()
  })

  it('have no example of a request header, which a reference page would send with every request', () => {
    for (const parameter of Object.values(openapi(shop).components.parameters ?? {}))
      expect(JSON.stringify(parameter)).not.toContain('example')
  })

  it('describe path parameters, with an example', () => {
    expect(parameterOf('/order/{id}', 'id')).toMatchObject({ description: 'The ID of the order.', example: 1 })
  })

  it('have an example of each request body at its media types', () => {
    const { content } = document.paths['/hour/{id}'].patch.requestBody
    expect(content['application/json'].example).toEqual({ unit: 'Example unit' })
    expect(content['application/merge-patch+json'].example).toEqual({ unit: 'Example unit' })
    // A record does not refer to itself.
    expect(document.paths['/order'].post.requestBody.content['application/json'].example).toMatchObject({
      depot: 1,
      parent: null,
      remark: 'Example remark',
    })
    expect(document.paths['/depot'].post.requestBody.content['application/json'].example).toEqual({
      name: 'Example depot',
    })
  })
})
