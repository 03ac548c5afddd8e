import { describe, expect, it } from 'vitest'
import {
  type AnyApi,
  type AnyResource,
  api,
  boolean,
  createdAt,
  identity,
  integer,
  noun,
  operation,
  operations,
  reference,
  resource,
  scopeOf,
  text,
} from '../index.ts'

const ticket = noun('ticket', { id: identity(), title: text() })
const step = noun('step', { id: identity(), ticket: reference(() => ticket), title: text() })
const box = noun('box', { key: identity('guid') })

// biome-ignore lint/suspicious/noExplicitAny: tests of mistakes that the compiler rejects
type Loose = any
const op = (options: Loose) => operation({ method: 'POST', on: 'record', ...options } as Loose)
const ticketWith = (custom: Loose) => resource(ticket, { operations: custom, children: [resource(step)] })
const apiOf = (writes: 'nested' | 'flat', ...resources: AnyResource[]): AnyApi =>
  api('desk', { version: 1, versioning: 'per-noun', writes, resources })

describe('the operation table', () => {
  const digest = operation({ method: 'GET', on: 'collection', query: { size: integer() }, response: { text: text() } })
  const lock = operation({ method: 'PUT', on: 'record', body: { step: reference(() => step) } })
  const unlock = operation({ method: 'DELETE', on: 'record', deprecated: { since: '2026-01-01' } })
  const desk = apiOf(
    'nested',
    resource(ticket, {
      version: 3,
      deprecated: { since: '2025-01-01', successor: '/v4/ticket' },
      operations: { yearDigest: digest, lock: [lock, unlock] },
      children: [resource(step, { operations: { lock: unlock } })],
    }),
    resource(box, {
      parameter: 'boxRef',
      operations: { lock: unlock, stir: operation({ method: 'POST', on: 'collection' }) },
    }),
  )
  const customOperations = operations(desk).filter(({ kind }) => kind === 'custom')

  it('has a row for each custom operation, with its path, version, scope and status', () => {
    expect(
      customOperations.map((operation) => [
        operation.id,
        `${operation.method} ${operation.path}`,
        scopeOf(operation),
        operation.status,
      ]),
    ).toEqual([
      ['v3.ticket.year-digest.get', 'GET /v3/ticket/year-digest', 'ticket:read', 200],
      ['v3.ticket.lock.put', 'PUT /v3/ticket/{ticketId}/lock', 'ticket:write', 204],
      ['v3.ticket.lock.delete', 'DELETE /v3/ticket/{ticketId}/lock', 'ticket:write', 204],
      ['v3.ticket.step.lock.delete', 'DELETE /v3/ticket/{ticketId}/step/{stepId}/lock', 'step:write', 204],
      ['box.lock.delete', 'DELETE /v1/box/{boxRef}/lock', 'box:write', 204],
      ['box.stir.post', 'POST /v1/box/stir', 'box:write', 204],
    ])
  })

  it('prefers the deprecation of an operation to that of its resource', () => {
    expect(customOperations.map(({ deprecation }) => deprecation?.since)).toEqual([
      ...['2025-01-01', '2025-01-01', '2026-01-01', '2026-01-01', '2026-01-01', undefined],
    ])
  })

  it('lists the problems of its input, and those that are declared', () => {
    const [first, second] = customOperations
    expect(first?.problems).toEqual([
      ...['unknown-parameter', 'invalid-parameter', 'body-not-allowed', 'precondition-failed'],
    ])
    expect(second?.problems).toEqual([
      ...['unknown-parameter', 'record-not-found', 'malformed-json', 'invalid-body', 'unsupported-media-type'],
      ...['body-too-large', 'reference-not-found', 'invalid-header'],
    ])
    const operationsWithProblems = operations(
      apiOf('flat', ticketWith({ stir: op({ problems: ['value-taken', 'record-not-found'] }) })),
    )
    expect(operationsWithProblems.find(({ kind }) => kind === 'custom')?.problems).toEqual([
      ...[
        'unknown-parameter',
        'record-not-found',
        'body-not-allowed',
        'body-too-large',
        'invalid-header',
        'value-taken',
      ],
    ])
  })

  it('lists only one problem for an operation that is gone', () => {
    const goneOperation = op({ deprecated: { since: '2026-01-01', gone: true } })
    const table = operations(apiOf('flat', ticketWith({ goneOperation })))
    expect(table.find(({ kind }) => kind === 'custom')?.problems).toEqual(['gone'])
  })
})

describe('a declaration is rejected', () => {
  it.each<[string, Loose, string]>([
    [
      'an object that is not an operation',
      { stir: { method: 'POST' } },
      'must be an operation, not {"method":"POST"}.',
    ],
    ['an unsupported method', { stir: op({ method: 'PATCH' }) }, 'method must not be "PATCH".'],
    ['an unsupported path', { stir: op({ on: 'page' }) }, 'on must not be "page".'],
    ['a name with a hyphen', { 'stir-up': op({}) }, 'must be in camelCase'],
    ['a name with two capitals in a row', { stirID: op({}) }, 'rename it to "stirId"'],
    [
      'a plural',
      { stirs: op({}) },
      'the path segment "stirs" looks like a plural; path segments must be singular.\n  Fix: use "stir".',
    ],
    [
      'the path of a lookup',
      { byTitle: op({ on: 'collection' }) },
      'the path segment "by-title" is reserved for lookups',
    ],
    ['the path of a child', { step: op({}) }, 'the path segment "step" is already used by a child'],
    [
      "the path of a child's list",
      { stepSummary: op({}) },
      'the path segment "step-summary" is already used by a child',
    ],
    ['a name that a client has', { summary: op({ on: 'collection' }) }, 'the client already has a method "summary"'],
    [
      'a name that would make the client thenable',
      Object.fromEntries([['then', op({})]]),
      'the name "then" is reserved',
    ],
    ['a name of Object.prototype', { constructor: op({}) }, 'the name "constructor" is reserved'],
    [
      'two operations with one method',
      { stir: [op({}), op({})] },
      'two operations with this name have the method POST',
    ],
    ['a query of a POST', { stir: op({ query: { size: integer() } }) }, 'a POST cannot have query parameters'],
    ['a body of a GET', { stir: op({ method: 'GET', body: { size: integer() } }) }, 'a GET cannot have a body'],
    ['a GET without a response', { stir: op({ method: 'GET' }) }, 'a GET must have a response'],
    ['an empty body', { stir: op({ body: {} }) }, 'body is empty'],
    ['a value that is not a field', { stir: op({ body: { size: 1 } }) }, '"size" must be a field, not 1'],
    ['a property that repeats the noun', { stir: op({ body: { ticketSize: integer() } }) }, 'rename it to "size"'],
    ['a property that repeats its name', { stir: op({ response: { stirSize: integer() } }) }, 'rename it to "size"'],
    [
      'a parameter that every list has',
      { stir: op({ response: { sort: text() } }) },
      'lists have a query parameter of this name',
    ],
    ['contradictory limits', { stir: op({ body: { size: integer({ min: 2, max: 1 }) } }) }, 'body, field "size"'],
    [
      'an identity in the body',
      { stir: op({ body: { id: identity() } }) },
      '"id" has a field type that only the server can set',
    ],
    [
      'a managed timestamp in the body',
      { stir: op({ body: { at: createdAt() } }) },
      '"at" has a field type that only the server',
    ],
    ['an array without a shape', { stir: op({ response: [] }) }, 'the response array has 0 shapes'],
    ['an array of two shapes', { stir: op({ response: [{ a: boolean() }, { b: boolean() }] }) }, 'array has 2 shapes'],
    ['an array of empty objects', { stir: op({ response: [{}] }) }, 'response is empty'],
    ['an array whose property repeats its name', { stir: op({ response: [{ stirSize: integer() }] }) }, 'to "size"'],
    ['an unknown option', { stir: op({ respnose: {} }) }, 'did you mean "response"?'],
    ['an unknown problem', { stir: op({ problems: ['teapot'] }) }, 'the problem code "teapot" does not exist'],
    [
      'a wrong deprecation',
      { stir: op({ deprecated: { since: 'soon' } }) },
      'deprecated.since must be a date, not "soon"',
    ],
  ])('with %s', (_, custom, message) => {
    expect(() => ticketWith(custom)).toThrow(`resource "ticket", operation "${Object.keys(custom)[0]}"`)
    expect(() => ticketWith(custom)).toThrow(message)
  })

  it('with a segment that could be an identity', () => {
    const guid = 'aaaaaaaaAaaaAaaaAaaaAaaaaaaaaaaa'
    const custom = { [guid]: op({ on: 'collection' }) }
    expect(() => resource(box, { operations: custom })).toThrow('could be the ID of a record')
    expect(() => resource(box, { operations: { [guid]: op({}) } })).not.toThrow()
  })

  it('if it would write below a parent in an API with flat writes', () => {
    const below = (method: string) =>
      resource(ticket, {
        children: [resource(step, { operations: { stir: op({ method, response: { done: boolean() } }) } })],
      })
    expect(() => apiOf('flat', below('POST'))).toThrow(
      'api "desk", resource "ticket/step", operation "stir": a POST below a parent is not possible',
    )
    expect(() => apiOf('flat', below('GET'))).not.toThrow()
    expect(() => apiOf('nested', below('POST'))).not.toThrow()
  })
})
