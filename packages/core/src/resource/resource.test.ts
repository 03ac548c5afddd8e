import { describe, expect, it } from 'vitest'
import { declare, inApi, user } from '../../test/declared-user.ts'
import { DeclarationError } from '../declaration/error.ts'
import { decimal, identity, integer, reference, timestamp } from '../field/kinds.ts'
import { noun } from '../noun/noun.ts'
import { equal, range } from './filter.ts'
import { resource } from './resource.ts'

describe('resource', () => {
  it('has the noun, its renames and its options', () => {
    expect(resource(user, { rename: { createdDate: 'created' }, by: ['email'] })).toEqual({
      noun: user,
      rename: { createdDate: 'created' },
      options: { by: ['email'] },
    })
    expect(resource(user)).toEqual({ noun: user, rename: {}, options: {} })
  })

  it.each<[string, Parameters<typeof declare>[0]]>([
    ['shapes that nest', { complete: ['id', 'email', 'level'], summary: ['id'], list: ['id', 'email'], detail: true }],
    ['shapes that are all the same', { complete: ['id'], list: ['id'], summary: ['id'], detail: ['id'] }],
    ['shapes in any order', { list: ['email', 'id'], summary: ['email', 'id'] }],
    ['a range with the name of a property', { filters: { created: range('created') } }],
    ['a filter across two properties', { filters: { changed: range('created', 'lastUpdated') } }],
    ['a filter with a longer name', { filters: { descriptionText: equal('description') } }],
    ['a filter whose letters are in another order', { filters: { tdep: equal('department') } }],
    ['a default filter of several values', { defaultFilter: { status: ['ACTIVE', 'SUSPENDED'] } }],
    ['a default filter for null', { defaultFilter: { level: null } }],
    ['a default filter by a reference', { defaultFilter: { department: 3 } }],
    ['another path', { path: 'member' }],
    ['two fields that swap names', { rename: { firstName: 'lastName', lastName: 'firstName' } }],
    ['a page size at the maximum', { pageSize: { default: 20, maximum: 20 } }],
    ['a larger maximum', { pageSize: { maximum: 100_000 } }],
    ['no operations at all', { offers: [] }],
  ])('may have %s', (_what, options) => {
    expect(declare(options)).not.toThrow()
  })

  it('may have a path that looks like a plural if its noun has isSingular', () => {
    const glasses = noun('glasses', { id: identity() }, { isSingular: true })
    expect(() => resource(glasses, { path: 'reading-glasses' })).not.toThrow()
  })

  it('keeps the exception for Ref in a rename', () => {
    expect(() => resource(user, { rename: { userRef: 'id' } })).not.toThrow()
    expect(() => resource(user, { rename: { userId: 'id' } })).toThrow(DeclarationError)
  })

  it('has the public name of the identity', () => {
    expect(declare({ rename: { userRef: 'id' }, list: ['email'] })).toThrow(
      new DeclarationError(
        'resource "user"',
        '"list" does not contain the identity "userRef", which clients need to read the record.',
        'add "userRef" to "list".',
      ),
    )
  })

  it('is rejected with two names for one field', () => {
    expect(declare({ rename: { createdDate: 'created', createdOn: 'created' } })).toThrow(
      new DeclarationError(
        'resource "user"',
        'rename maps both "createdDate" and "createdOn" to the field "created".',
        'remove one of them.',
      ),
    )
  })

  it('is rejected with a rename of a member of Object.prototype', () => {
    expect(declare({ rename: { maker: 'constructor' } })).toThrow(
      expect.objectContaining({ mistake: 'rename refers to "constructor", which does not exist.' }),
    )
  })

  it('is rejected with the version of an unknown operation', () => {
    expect(declare({ version: { foo: 2 } } as object)).toThrow(
      new DeclarationError(
        'resource "user", version',
        'the option "foo" does not exist.',
        'use one of list, read, create, replace, update, delete, restore, erase, link.',
      ),
    )
  })

  it('is rejected with an unknown option', () => {
    expect(declare({ list: ['id'], filter: {} } as object)).toThrow(
      new DeclarationError('resource "user"', 'the option "filter" does not exist.', 'did you mean "filters"?'),
    )
  })

  it.each([
    ['user id', 'userId'],
    ['{id}', 'id'],
    ['a/b', 'aB'],
    ['user-id', 'userId'],
    ['', 'userRef'],
  ])('is rejected with an invalid parameter name: %j', (parameter, newName) => {
    expect(declare({ parameter })).toThrow(
      new DeclarationError(
        'resource "user"',
        `parameter must be a name in camelCase, not "${parameter}".`,
        `write a name such as "${newName}".`,
      ),
    )
  })

  it('accepts a guid in the default filter of a reference to a record with a guid', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner) })
    const defaultFilter = { owner: '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10' }
    expect(inApi(() => resource(box, { defaultFilter }))).not.toThrow()
  })

  it('is rejected with a filter across references to different nouns', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner), maker: reference(() => user) })
    expect(inApi(() => resource(box, { filters: { either: equal('owner', 'maker') } }))).toThrow(
      new DeclarationError(
        'api "directory", resource "box"',
        'the filter "either" has references to different nouns.',
        'use references to one noun.',
      ),
    )
  })

  it('accepts every valid order of the bounds of a range', () => {
    const price = noun('price', {
      id: identity(),
      amount: decimal({ scale: 2 }),
      since: timestamp(),
      count: integer(),
    })
    const filters = { amount: range('amount'), since: range('since'), count: range('count') }
    expect(() => resource(price, { filters })).not.toThrow()
  })
})
