/** Declarations that the compiler rejects. A service file runs without it, so they must fail with a fix. */
import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../declaration/error.ts'
import { choice, identity, integer, text } from '../field/kinds.ts'
import { link } from '../noun/link.ts'
import { noun } from '../noun/noun.ts'
import { resource } from '../resource/resource.ts'
import { api } from './api.ts'

// biome-ignore lint/suspicious/noExplicitAny: the compiler must accept every value
const untyped = (value: unknown): any => value
const id = identity()
const user = noun('user', { id, name: text(), level: integer() })
const role = noun('role', { id, name: text() })

describe('a resource is rejected with', () => {
  it.each<[string, object, string]>([
    ['a version of an unknown operation', { version: { put: 2 } }, 'version: the option "put" does not exist.'],
    ['an unknown page size', { pageSize: { max: 50 } }, 'pageSize: the option "max" does not exist.'],
    ['a list of page sizes', { pageSize: [20] }, 'pageSize: it must be an object, not [20].'],
    ['a date as deprecation', { deprecated: '2026-03-01' }, 'deprecated: it must be an object, not "2026-03-01".'],
    [
      'a date as deprecation of an operation',
      { deprecated: { list: '2026-03-01' } },
      'it must be an object, not "2026-03-01".',
    ],
    [
      'a deprecation without a date',
      { deprecated: { sunset: '2026-03-01' } },
      'deprecated.since must be a date, not undefined.',
    ],
    ['a scope without an operation', { scopes: 'user:read' }, 'scopes: it must be an object, not "user:read".'],
    ['null as versions', { version: null }, 'version: it must be an object, not null.'],
    ['a child that is not in an array', { children: resource(role) }, 'children must be an array of resources'],
    ['a number as a renamed field', { rename: { title: 3 } }, 'rename refers to "3", which does not exist.'],
    ['a page size that is a number', { pageSize: 50 }, 'pageSize: it must be an object, not 50.'],
  ])('%s', (_what, options, mistake) => {
    expect(() => resource(user, untyped(options))).toThrow(DeclarationError)
    expect(() => resource(user, untyped(options))).toThrow(mistake)
  })
})

it.each([
  [{ max: 50 }, 'api "test", pageSize: the option "max" does not exist.'],
  [50, 'api "test", pageSize: it must be an object, not 50.'],
])('an API is rejected with the page size %j', (pageSize, mistake) => {
  const options = { versioning: 'per-noun', writes: 'nested', pageSize, resources: [resource(user)] }
  expect(() => api('test', untyped(options))).toThrow(mistake)
})

describe('a field is rejected with', () => {
  it.each([
    [
      'undefined as a value',
      () => choice(untyped('A'), untyped(undefined)),
      'the value undefined, which is not a string.',
    ],
    ['null as a value', () => choice(untyped(null)), 'use nullable().'],
    [
      'an undefined transition',
      () => choice(untyped({ A: [undefined] })),
      'the transition from "A" to "undefined" is invalid',
    ],
    ['a number as a value', () => choice(untyped(1)), 'the value 1, which is not a string.'],
    [
      'a limit that is not a number',
      () => integer({ max: Number.NaN }),
      'the limit NaN is invalid: it must be an integer.',
    ],
    [
      'a function as a default',
      () => text().default(untyped(() => 'x')),
      'the default a function is invalid: it must be a string.',
    ],
  ])('%s', (_what, field, mistake) => {
    expect(() => noun('user', { id, given: field() })).toThrow(DeclarationError)
    expect(() => noun('user', { id, given: field() })).toThrow(mistake)
  })
})

it.each([
  [{ columns: ['user_id'] }, 'columns must be the names of two columns, not ["user_id"].'],
  [{ columns: 'user_id' }, 'columns must be the names of two columns, not "user_id".'],
])('a link is rejected with %j', (options, mistake) => {
  expect(() => link(user, role, untyped(options))).toThrow(mistake)
})

it('a noun is rejected without fields', () => {
  expect(() => noun('user', untyped(undefined))).toThrow('noun "user": it has no fields.')
})
