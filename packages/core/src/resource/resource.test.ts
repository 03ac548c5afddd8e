import { describe, expect, it } from 'vitest'
import { api } from '../api/api.ts'
import { DeclarationError } from '../declaration/error.ts'
import {
  boolean,
  choice,
  createdAt,
  decimal,
  email,
  guid,
  identity,
  integer,
  reference,
  text,
  timestamp,
  updatedAt,
} from '../field/kinds.ts'
import { noun } from '../noun/noun.ts'
import { equal, range } from './filter.ts'
import { type AnyResource, type ResourceOptions, resource } from './resource.ts'

const department = noun('department', { id: identity(), name: text() }, { label: 'name' })
const user = noun('user', {
  id: identity(),
  firstName: text(),
  lastName: text(),
  email: email().unique(),
  externalID: guid().unique(),
  status: choice('ACTIVE', 'SUSPENDED').default('ACTIVE'),
  level: integer({ min: 0, max: 9 }).nullable(),
  retired: boolean().default(false),
  department: reference(() => department),
  description: text().default(''),
  created: createdAt(),
  lastUpdated: updatedAt(),
})

/** Declares a user with these options, right or wrong. */
const declare = (options: ResourceOptions & { readonly rename?: { readonly [shown: string]: string } }) => () =>
  resource(user, options as object)

/** References can be followed only once all nouns are there, so some rules wait for the api. */
const inApi = (declared: () => AnyResource) => () =>
  api('directory', { versioning: 'per-noun', writes: 'flat', resources: [declared()] })

describe('resource', () => {
  it('holds the noun, what it renames and its options', () => {
    expect(resource(user, { rename: { createdDate: 'created' }, by: ['email'] })).toEqual({
      noun: user,
      rename: { createdDate: 'created' },
      options: { by: ['email'] },
    })
    expect(resource(user)).toEqual({ noun: user, rename: {}, options: {} })
  })

  const cases: [what: string, options: Parameters<typeof declare>[0], rule: string, fix: string][] = [
    [
      'a list with an unknown name',
      { list: ['id', 'lastname'] },
      'list names "lastname", which it does not have.',
      'did you mean "lastName"?',
    ],
    [
      'a complete shape with an unknown name',
      { complete: ['id', 'mail'] },
      'complete names "mail", which it does not have.',
      'did you mean "email"?',
    ],
    [
      'a summary with an unknown name',
      { summary: ['id', 'firstNam'] },
      'summary names "firstNam", which it does not have.',
      'did you mean "firstName"?',
    ],
    [
      'a detail with an unknown name',
      { detail: ['id', 'statu'] },
      'detail names "statu", which it does not have.',
      'did you mean "status"?',
    ],
    [
      'a by-lookup with an unknown name',
      { by: ['Email'] },
      'by names "Email", which it does not have.',
      'did you mean "email"?',
    ],
    [
      'a search with an unknown name',
      { search: ['desc'] },
      'search names "desc", which it does not have.',
      'did you mean "description"?',
    ],
    [
      'a display with an unknown name',
      { display: ['departement'] },
      'display names "departement", which it does not have.',
      'did you mean "department"?',
    ],
    [
      'a default filter with an unknown name',
      { defaultFilter: { retire: false } },
      'defaultFilter names "retire", which it does not have.',
      'did you mean "retired"?',
    ],
    [
      'a filter with an unknown name',
      { filters: { changed: range('create') } },
      'the filter "changed" names "create", which it does not have.',
      'did you mean "created"?',
    ],
    [
      'a rename of an unknown field',
      { rename: { createdDate: 'createdOn' } },
      'rename names "createdOn", which it does not have.',
      'did you mean "created"?',
    ],
    [
      'a name unlike any other',
      { list: ['id', 'salary'] },
      'list names "salary", which it does not have.',
      'use one of id, firstName, lastName, email, externalID, status, level, retired, department, description, created, lastUpdated.',
    ],
    [
      'a field under its stored name where it is renamed',
      { rename: { createdDate: 'created' }, list: ['id', 'created'] },
      'list names "created", which it does not have.',
      'did you mean "createdDate"?',
    ],
    [
      'a list that names a property twice',
      { list: ['id', 'email', 'email'] },
      'list names "email" twice.',
      'leave one out.',
    ],
    [
      'a rename to the name of another field',
      { rename: { email: 'lastName' } },
      'shows two fields as "email".',
      'rename one of them to something else.',
    ],
    [
      'a rename that is no property name',
      { rename: { 'created-date': 'created' } },
      '"created-date" is no property name.',
      'use camelCase of ASCII letters and digits, such as "firstName".',
    ],
    [
      'a rename that repeats the noun',
      { rename: { userStatus: 'status' } },
      'the property "userStatus" repeats the noun\'s name (spec 2.6 rule 3).',
      'name it "status".',
    ],
    [
      'a rename to a parameter of every list',
      { rename: { sort: 'level' } },
      'the property "sort" bears the name of a query parameter of every list.',
      'choose another name than pageNumber, pageSize, include, sort, search.',
    ],
    [
      'a path that is not kebab-case',
      { path: 'userAccount' },
      'the path segment "userAccount" is not lower kebab-case (spec 2.6 rule 2).',
      'use letters a to z, digits and single hyphens.',
    ],
    [
      'a path that is a plural',
      { path: 'members' },
      'the path segment "members" looks like a plural (spec 2.6 rule 1).',
      'use "member".',
    ],
    [
      'a summary beyond the list',
      { list: ['id', 'email'], summary: ['id', 'lastName'] },
      'summary shows "lastName", which list does not: shapes must nest.',
      'add it to list, or leave it out of summary.',
    ],
    [
      'a list beyond the detail',
      { list: ['id', 'email'], detail: ['id', 'lastName'] },
      'list shows "email", which detail does not: shapes must nest.',
      'add it to detail, or leave it out of list.',
    ],
    [
      'a list beyond the complete shape',
      { complete: ['id', 'email'], list: ['id', 'lastName'] },
      'list shows "lastName", which complete does not: shapes must nest.',
      'add it to complete, or leave it out of list.',
    ],
    [
      'a detail beyond the complete shape',
      { complete: ['id', 'email'], list: ['id'], detail: ['id', 'lastName'] },
      'detail shows "lastName", which complete does not: shapes must nest.',
      'add it to complete, or leave it out of detail.',
    ],
    [
      'a summary beyond the complete shape that the list falls back to',
      { complete: ['id'], summary: ['id', 'email'] },
      'summary shows "email", which list does not: shapes must nest.',
      'add it to list, or leave it out of summary.',
    ],
    [
      'a complete shape without the identity',
      { complete: ['email'] },
      'complete leaves out the identity "id".',
      'add "id" to complete: a client needs it to read the record.',
    ],
    [
      'a list without the identity',
      { list: ['email'] },
      'list leaves out the identity "id".',
      'add "id" to list: a client needs it to read the record.',
    ],
    [
      'a summary without the identity',
      { summary: ['email'] },
      'summary leaves out the identity "id".',
      'add "id" to summary: a client needs it to read the record.',
    ],
    [
      'a by-lookup on a field that is not unique',
      { by: ['lastName'] },
      'by-lookup on "lastName", which is not unique.',
      'declare the field of "user" with unique().',
    ],
    [
      'a by-lookup on a hidden field',
      { complete: ['id'], by: ['email'] },
      'by-lookup on "email", which the resource does not show.',
      'add "email" to complete.',
    ],
    [
      'a search in what is no text',
      { search: ['level'] },
      'search looks in "level", which holds no text.',
      'search only in text, email and url.',
    ],
    [
      'a search in a choice',
      { search: ['status'] },
      'search looks in "status", which holds no text.',
      'search only in text, email and url.',
    ],
    [
      'a display of what is no reference',
      { display: ['email'] },
      'display names "email", which is no reference.',
      'only a reference has a label to show.',
    ],
    [
      'a default filter on a hidden field',
      { complete: ['id'], defaultFilter: { retired: false } },
      'the default filter on "retired" could not be overridden, as the resource does not show it.',
      'add "retired" to complete.',
    ],
    [
      'a default filter with a value of the wrong type',
      { defaultFilter: { retired: 'no' } },
      'the default filter on "retired" must be true or false.',
      'give a value that the field can hold.',
    ],
    [
      'a default filter of which one value is wrong',
      { defaultFilter: { status: ['ACTIVE', 'GONE'] } },
      'the default filter on "status" must be one of "ACTIVE", "SUSPENDED".',
      'give a value that the field can hold.',
    ],
    [
      'a default filter with null where there is none',
      { defaultFilter: { retired: null } },
      'the default filter on "retired" must not be null.',
      'give a value that the field can hold.',
    ],
    [
      'a filter that is a proper prefix of a property',
      { filters: { desc: equal('description') } },
      'the filter "desc" abbreviates the property "description" (spec 2.6 rule 4).',
      'drop it: "description" is a filter already; or give the filter a name of its own.',
    ],
    [
      'a filter that lacks one letter of a property',
      { filters: { statu: equal('status') } },
      'the filter "statu" abbreviates the property "status" (spec 2.6 rule 4).',
      'drop it: "status" is a filter already; or give the filter a name of its own.',
    ],
    [
      'a filter of the letters of a property',
      { filters: { dept: equal('department') } },
      'the filter "dept" abbreviates the property "department" (spec 2.6 rule 4).',
      'drop it: "department" is a filter already; or give the filter a name of its own.',
    ],
    [
      'a range that is a prefix of a property',
      { filters: { creat: range('created') } },
      'the filter "creat" abbreviates the property "created" (spec 2.6 rule 4).',
      'drop it: "created" is a filter already; or give the filter a name of its own.',
    ],
    [
      'a filter that abbreviates a property it does not look at',
      { filters: { stat: equal('level') } },
      'the filter "stat" abbreviates the property "status" (spec 2.6 rule 4).',
      'drop it: "status" is a filter already; or give the filter a name of its own.',
    ],
    [
      'a filter with the name of a property',
      { filters: { email: equal('email') } },
      'a filter cannot be called "email".',
      'use camelCase, and no name of a property or of a parameter of every list.',
    ],
    [
      'a filter with the name of a parameter of every list',
      { filters: { include: equal('level') } },
      'a filter cannot be called "include".',
      'use camelCase, and no name of a property or of a parameter of every list.',
    ],
    [
      'a filter that is not camelCase',
      { filters: { 'first-or-last': equal('firstName', 'lastName') } },
      'a filter cannot be called "first-or-last".',
      'use camelCase, and no name of a property or of a parameter of every list.',
    ],
    [
      'a filter of nothing',
      { filters: { nobody: equal() } },
      'the filter "nobody" needs one or more properties of one kind.',
      'name properties whose values can be compared with one given value.',
    ],
    [
      'a filter of two kinds',
      { filters: { anything: equal('level', 'email') } },
      'the filter "anything" needs one or more properties of one kind.',
      'name properties whose values can be compared with one given value.',
    ],
    [
      'a range of texts',
      { filters: { between: range('lastName') } },
      'the filter "between" wants a range of "lastName", which has no order to speak of.',
      'use range on numbers, dates and timestamps.',
    ],
    [
      'a page size of nothing',
      { pageSize: { default: 0 } },
      'a default page size of 0 with a maximum of 1000.',
      'use integers from 1, the default not above the maximum.',
    ],
    [
      'a fractional page size',
      { pageSize: { default: 1.5 } },
      'a default page size of 1.5 with a maximum of 1000.',
      'use integers from 1, the default not above the maximum.',
    ],
    [
      'a page size above the maximum',
      { pageSize: { default: 50, maximum: 20 } },
      'a default page size of 50 with a maximum of 20.',
      'use integers from 1, the default not above the maximum.',
    ],
    [
      'an endless maximum',
      { pageSize: { maximum: Number.POSITIVE_INFINITY } },
      'a default page size of 10 with a maximum of Infinity.',
      'use integers from 1, the default not above the maximum.',
    ],
  ]

  const isJudgedWithTheApi = (rule: string) => rule.startsWith('the default filter on')

  it.each(cases.filter(([, , rule]) => !isJudgedWithTheApi(rule)))(
    'is refused with %s',
    (_what, options, rule, fix) => {
      expect(declare(options)).toThrow(new DeclarationError(`resource "${options.path ?? 'user'}"`, rule, fix))
    },
  )

  it.each(cases.filter(([, , rule]) => isJudgedWithTheApi(rule)))(
    'is refused in an api with %s',
    (_what, options, rule, fix) => {
      expect(inApi(declare(options))).toThrow(new DeclarationError('api "directory", resource "user"', rule, fix))
    },
  )

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
    ['two fields that change names', { rename: { firstName: 'lastName', lastName: 'firstName' } }],
    ['a page size at the maximum', { pageSize: { default: 20, maximum: 20 } }],
    ['a greater maximum', { pageSize: { maximum: 100_000 } }],
    ['no operations at all', { offers: [] }],
  ])('may have %s', (_what, options) => {
    expect(declare(options)).not.toThrow()
  })

  it('may have a path that looks like a plural where its noun says that it is none', () => {
    const glasses = noun('glasses', { id: identity() }, { isSingular: true })
    expect(() => resource(glasses, { path: 'reading-glasses' })).not.toThrow()
  })

  it('keeps the exception for Ref in a rename', () => {
    expect(() => resource(user, { rename: { userRef: 'id' } })).not.toThrow()
    expect(() => resource(user, { rename: { userId: 'id' } })).toThrow(DeclarationError)
  })

  it('names the identity as it is shown', () => {
    expect(declare({ rename: { userRef: 'id' }, list: ['email'] })).toThrow(
      new DeclarationError(
        'resource "user"',
        'list leaves out the identity "userRef".',
        'add "userRef" to list: a client needs it to read the record.',
      ),
    )
  })

  it('is refused with two names for one field', () => {
    expect(declare({ rename: { createdDate: 'created', createdOn: 'created' } })).toThrow(
      new DeclarationError(
        'resource "user"',
        'shows "created" as both "createdDate" and "createdOn".',
        'leave one of the names out.',
      ),
    )
  })

  it('is refused with a rename of what every object has', () => {
    expect(declare({ rename: { maker: 'constructor' } })).toThrow(
      expect.objectContaining({ rule: 'rename names "constructor", which it does not have.' }),
    )
  })

  it('is refused with an option that does not exist', () => {
    expect(declare({ list: ['id'], filter: {} } as object)).toThrow(
      new DeclarationError(
        'resource "user"',
        'its declaration names "filter", which it does not have.',
        'did you mean "filters"?',
      ),
    )
  })

  it.each(['user id', '{id}', 'a/b', 'user-id', ''])('is refused with a parameter that is no name: %j', (parameter) => {
    expect(declare({ parameter })).toThrow(
      new DeclarationError(
        'resource "user"',
        `the parameter "${parameter}" is no name.`,
        'use camelCase, such as "userRef".',
      ),
    )
  })

  it('takes a guid in the default filter of a reference to a record with a guid', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner) })
    const defaultFilter = { owner: '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10' }
    expect(inApi(() => resource(box, { defaultFilter }))).not.toThrow()
  })

  it('is refused with a filter across references to different nouns', () => {
    const owner = noun('owner', { id: identity('guid') })
    const box = noun('box', { id: identity(), owner: reference(() => owner), maker: reference(() => user) })
    expect(inApi(() => resource(box, { filters: { either: equal('owner', 'maker') } }))).toThrow(
      new DeclarationError(
        'api "directory", resource "box"',
        'the filter "either" compares references to different nouns.',
        'name references to one noun.',
      ),
    )
  })

  it('takes every order that a range can have', () => {
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
