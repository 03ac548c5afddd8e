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

// biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses is tried all the same
type Loose = any
const op = (options: Loose) => operation({ method: 'POST', on: 'record', ...options } as Loose)
const shown = (given: Loose) => resource(ticket, { operations: given, children: [resource(step)] })
const apiOf = (writes: 'nested' | 'flat', ...resources: AnyResource[]): AnyApi =>
  api('desk', { version: 1, versioning: 'per-noun', writes, resources })

describe('the table', () => {
  const digest = operation({ method: 'GET', on: 'collection', query: { size: integer() }, answer: { text: text() } })
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
  const own = operations(desk).filter(({ kind }) => kind === 'custom')

  it('has a row for each, with its path, version, scope and status', () => {
    expect(own.map((one) => [one.id, `${one.method} ${one.path}`, scopeOf(one), one.status])).toEqual([
      ['v3.ticket.year-digest.get', 'GET /v3/ticket/year-digest', 'ticket:read', 200],
      ['v3.ticket.lock.put', 'PUT /v3/ticket/{ticketId}/lock', 'ticket:write', 204],
      ['v3.ticket.lock.delete', 'DELETE /v3/ticket/{ticketId}/lock', 'ticket:write', 204],
      ['v3.ticket.step.lock.delete', 'DELETE /v3/ticket/{ticketId}/step/{stepId}/lock', 'step:write', 204],
      ['box.lock.delete', 'DELETE /v1/box/{boxRef}/lock', 'box:write', 204],
      ['box.stir.post', 'POST /v1/box/stir', 'box:write', 204],
    ])
  })

  it('says its own deprecation before that of its resource', () => {
    expect(own.map(({ deprecation }) => deprecation?.since)).toEqual([
      ...['2025-01-01', '2025-01-01', '2026-01-01', '2026-01-01', '2026-01-01', undefined],
    ])
  })

  it('names the problems of what it takes, and those that are declared', () => {
    const [first, second] = own
    expect(first?.problems).toEqual([
      ...['unknown-parameter', 'invalid-parameter', 'body-not-allowed', 'precondition-failed'],
    ])
    expect(second?.problems).toEqual([
      ...['unknown-parameter', 'record-not-found', 'malformed-json', 'invalid-body', 'unsupported-media-type'],
      ...['body-too-large', 'reference-not-found', 'invalid-header'],
    ])
    const more = operations(apiOf('flat', shown({ stir: op({ problems: ['value-taken', 'record-not-found'] }) })))
    expect(more.find(({ kind }) => kind === 'custom')?.problems).toEqual([
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

  it('leaves out all problems but one where it is gone', () => {
    const gone = op({ deprecated: { since: '2026-01-01', gone: true } })
    const table = operations(apiOf('flat', shown({ gone })))
    expect(table.find(({ kind }) => kind === 'custom')?.problems).toEqual(['gone'])
  })
})

describe('a declaration is refused', () => {
  it.each<[string, Loose, string]>([
    ['what is no operation', { stir: { method: 'POST' } }, 'operation "stir": is no operation.'],
    ['another method', { stir: op({ method: 'PATCH' }) }, 'method is "PATCH".'],
    ['another place', { stir: op({ on: 'page' }) }, 'on is "page".'],
    ['a name with a hyphen', { 'stir-up': op({}) }, 'named in camelCase'],
    ['a name with two capitals in a row', { stirID: op({}) }, 'one capital for each further word'],
    [
      'a plural',
      { stirs: op({}) },
      'the path segment "stirs" looks like a plural (spec 2.6 rule 1).\n  Fix: use "stir".',
    ],
    ['the path of a lookup', { byTitle: op({ on: 'collection' }) }, 'its path is that of a lookup'],
    ['the path of a child', { step: op({}) }, 'the path segment "step" is that of a child'],
    ["the path of a child's list", { stepSummary: op({}) }, 'the path segment "step-summary" is that of a child'],
    ['a name that a client has', { summary: op({ on: 'collection' }) }, 'a client calls something else by this name'],
    [
      'a name that makes a promise',
      Object.fromEntries([['then', op({})]]),
      'a client calls something else by this name',
    ],
    ['a name of every object', { constructor: op({}) }, 'a client calls something else by this name'],
    ['two of one method', { stir: [op({}), op({})] }, 'has two operations for POST'],
    ['a query of a POST', { stir: op({ query: { size: integer() } }) }, 'a POST with query parameters'],
    [
      'a body of a GET',
      { stir: op({ method: 'GET', body: { size: integer() } }) },
      'a GET with a body (spec 4.2 rule 3)',
    ],
    ['a GET without an answer', { stir: op({ method: 'GET' }) }, 'a GET that answers nothing'],
    ['an empty body', { stir: op({ body: {} }) }, 'its body is empty'],
    ['what is no field', { stir: op({ body: { size: 1 } }) }, '"size" is no field'],
    ['a property that repeats the noun', { stir: op({ body: { ticketSize: integer() } }) }, 'name it "size"'],
    ['a property that repeats its name', { stir: op({ answer: { stirSize: integer() } }) }, 'name it "size"'],
    ['a property of every list', { stir: op({ answer: { sort: text() } }) }, 'a query parameter of every list'],
    ['a limit that is none', { stir: op({ body: { size: integer({ min: 2, max: 1 }) } }) }, 'body, field "size"'],
    [
      'an identity to be given',
      { stir: op({ body: { id: identity() } }) },
      '"id" is a field that only the server sets',
    ],
    ['a moment to be given', { stir: op({ body: { at: createdAt() } }) }, '"at" is a field that only the server sets'],
    ['a list of nothing', { stir: op({ answer: [] }) }, 'its answer is a list of 0 shapes'],
    ['a list of two shapes', { stir: op({ answer: [{ a: boolean() }, { b: boolean() }] }) }, 'a list of 2 shapes'],
    ['a list of empty objects', { stir: op({ answer: [{}] }) }, 'its answer is empty'],
    ['a list whose property repeats its name', { stir: op({ answer: [{ stirSize: integer() }] }) }, 'name it "size"'],
    ['an unknown option', { stir: op({ anwser: {} }) }, 'did you mean "answer"?'],
    ['an unknown problem', { stir: op({ problems: ['teapot'] }) }, 'there is no problem "teapot"'],
    ['a wrong deprecation', { stir: op({ deprecated: { since: 'soon' } }) }, 'is deprecated with since: "soon"'],
  ])('with %s', (_, given, message) => {
    expect(() => shown(given)).toThrow(`resource "ticket", operation "${Object.keys(given)[0]}"`)
    expect(() => shown(given)).toThrow(message)
  })

  it('with a segment that could be an identity', () => {
    const guid = 'aaaaaaaaAaaaAaaaAaaaAaaaaaaaaaaa'
    const given = { [guid]: op({ on: 'collection' }) }
    expect(() => resource(box, { operations: given })).toThrow('could be the identity of a record')
    expect(() => resource(box, { operations: { [guid]: op({}) } })).not.toThrow()
  })

  it('where it would write below a parent in an api of flat writes', () => {
    const below = (method: string) =>
      resource(ticket, {
        children: [resource(step, { operations: { stir: op({ method, answer: { done: boolean() } }) } })],
      })
    expect(() => apiOf('flat', below('POST'))).toThrow(
      'api "desk", resource "ticket/step", operation "stir": a POST below a parent, in an api whose writes are flat',
    )
    expect(() => apiOf('flat', below('GET'))).not.toThrow()
    expect(() => apiOf('nested', below('POST'))).not.toThrow()
  })
})
