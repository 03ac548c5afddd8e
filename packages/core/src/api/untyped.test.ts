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
    ['a page size that is a number', { pageSize: 50 }, 'pageSize must be an object, not 50.'],
  ])('%s', (_what, options, mistake) => {
    expect(() => resource(user, untyped(options))).toThrow(DeclarationError)
    expect(() => resource(user, untyped(options))).toThrow(mistake)
  })
})

it.each([
  [{ max: 50 }, 'api "test", pageSize: the option "max" does not exist.'],
  [50, 'api "test": pageSize must be an object, not 50.'],
])('an API is rejected with the page size %j', (pageSize, mistake) => {
  const options = { versioning: 'per-noun', writes: 'nested', pageSize, resources: [resource(user)] }
  expect(() => api('test', untyped(options))).toThrow(mistake)
})

describe('a field is rejected with', () => {
  it.each([
    ['a number as a value', () => choice(untyped(1)), 'the value 1, which is not a string.'],
    ['a limit that is not a number', () => integer({ max: Number.NaN }), 'the limit NaN must be an integer.'],
    ['a function as a default', () => text().default(untyped(() => 'x')), 'the default a function must be a string.'],
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
