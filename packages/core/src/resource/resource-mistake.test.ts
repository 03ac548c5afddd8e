import { describe, expect, it } from 'vitest'
import { declare, inApi, user } from '../../test/declared-user.ts'
import { DeclarationError } from '../declaration/error.ts'
import { equal, range } from './filter.ts'

describe('a resource', () => {
  const cases: [what: string, options: Parameters<typeof declare>[0], rule: string, fix: string][] = [
    [
      'a list with an unknown name',
      { list: ['id', 'lastname'] },
      'list refers to "lastname", which does not exist.',
      'did you mean "lastName"?',
    ],
    [
      'a complete shape with an unknown name',
      { complete: ['id', 'mail'] },
      'complete refers to "mail", which does not exist.',
      'did you mean "email"?',
    ],
    [
      'a summary with an unknown name',
      { summary: ['id', 'firstNam'] },
      'summary refers to "firstNam", which does not exist.',
      'did you mean "firstName"?',
    ],
    [
      'a detail with an unknown name',
      { detail: ['id', 'statu'] },
      'detail refers to "statu", which does not exist.',
      'did you mean "status"?',
    ],
    [
      'a by-lookup with an unknown name',
      { by: ['Email'] },
      'by refers to "Email", which does not exist.',
      'did you mean "email"?',
    ],
    [
      'a search with an unknown name',
      { search: ['desc'] },
      'search refers to "desc", which does not exist.',
      'did you mean "description"?',
    ],
    [
      'a display with an unknown name',
      { display: ['departement'] },
      'display refers to "departement", which does not exist.',
      'did you mean "department"?',
    ],
    [
      'a default filter with an unknown name',
      { defaultFilter: { retire: false } },
      'defaultFilter refers to "retire", which does not exist.',
      'did you mean "retired"?',
    ],
    [
      'a filter with an unknown name',
      { filters: { changed: range('create') } },
      'the filter "changed" refers to "create", which does not exist.',
      'did you mean "created"?',
    ],
    [
      'a rename of an unknown field',
      { rename: { createdDate: 'createdOn' } },
      'rename refers to "createdOn", which does not exist.',
      'did you mean "created"?',
    ],
    [
      'a name that is unlike all others',
      { list: ['id', 'salary'] },
      'list refers to "salary", which does not exist.',
      'use one of id, firstName, lastName, email, externalID, status, level, retired, department, description, created, lastUpdated.',
    ],
    [
      'the stored name of a field that is renamed',
      { rename: { createdDate: 'created' }, list: ['id', 'created'] },
      'list refers to "created", which does not exist.',
      'did you mean "createdDate"?',
    ],
    [
      'a search that is not an array',
      { search: true as never },
      'search must be an array of names, not true.',
      "write an array, such as search: ['name'].",
    ],
    [
      'a by-lookup that is a string',
      { by: 'email' as never },
      'by must be an array of names, not "email".',
      "write an array, such as by: ['name'].",
    ],
    [
      'a filter that is a name',
      { filters: { x: 'email' as never } },
      'the filter "x" must be equal(), range() or custom(), not "email".',
      "declare it, such as x: equal('name').",
    ],
    [
      'a misspelled operation',
      { offers: ['list', 'reed' as 'read'] },
      'offers has "reed", which is not an operation.',
      'did you mean "read"?',
    ],
    [
      'an internal operation that does not exist',
      { internal: ['foo' as 'read'] },
      'internal has "foo", which is not an operation.',
      'use one of list, read, create, replace, update, delete, restore, erase, link.',
    ],
    [
      'offers that are not an array',
      { offers: 'list' as never },
      'offers must be an array of names, not "list".',
      "write an array, such as offers: ['name'].",
    ],
    ['If-Match that is true', { ifMatch: true as never }, 'ifMatch must not be true.', "use one of 'required'."],
    [
      'a noun as a child',
      { children: [user as never] },
      'children has the noun "user", which is not a resource.',
      'pass nouns to resource(), as in children: [resource(user)].',
    ],
    [
      'a list that names a property twice',
      { list: ['id', 'email', 'email'] },
      'list has "email" twice.',
      'remove one of them.',
    ],
    [
      'a rename to the name of another field',
      { rename: { email: 'lastName' } },
      'two fields have the property name "email".',
      'rename one of them.',
    ],
    [
      'a rename that is not a property name',
      { rename: { 'created-date': 'created' } },
      'the property name "created-date" must be in camelCase.',
      'rename it to "createdDate".',
    ],
    [
      'a rename that repeats the noun',
      { rename: { userStatus: 'status' } },
      'the property "userStatus" repeats the name of the noun.',
      'rename it to "status".',
    ],
    [
      'a rename to a parameter of every list',
      { rename: { sort: 'level' } },
      'the property name "sort" is reserved: lists have a query parameter of this name.',
      'use a name other than pageNumber, pageSize, include, sort, search.',
    ],
    [
      'a path that is not kebab-case',
      { path: 'userAccount' },
      'the path segment "userAccount" must be in lower kebab-case.',
      'rename it to "user-account".',
    ],
    [
      'a path that is a plural',
      { path: 'members' },
      'the path segment "members" looks like a plural; path segments must be singular.',
      'use "member".',
    ],
    [
      'a summary with a property that the list does not have',
      { list: ['id', 'email'], summary: ['id', 'lastName'] },
      'summary has "lastName", but list does not: list must have all properties of summary.',
      'add "lastName" to list, or remove it from summary.',
    ],
    [
      'a list with a property that the detail does not have',
      { list: ['id', 'email'], detail: ['id', 'lastName'] },
      'list has "email", but detail does not: detail must have all properties of list.',
      'add "email" to detail, or remove it from list.',
    ],
    [
      'a list with a property that the complete shape does not have',
      { complete: ['id', 'email'], list: ['id', 'lastName'] },
      'list has "lastName", but complete does not: complete must have all properties of list.',
      'add "lastName" to complete, or remove it from list.',
    ],
    [
      'a detail with a property that the complete shape does not have',
      { complete: ['id', 'email'], list: ['id'], detail: ['id', 'lastName'] },
      'detail has "lastName", but complete does not: complete must have all properties of detail.',
      'add "lastName" to complete, or remove it from detail.',
    ],
    [
      'a summary with a property that the default list does not have',
      { complete: ['id'], summary: ['id', 'email'] },
      'summary has "email", but list does not: list must have all properties of summary.',
      'add "email" to list, or remove it from summary.',
    ],
    [
      'a complete shape without the identity',
      { complete: ['email'] },
      '"complete" does not contain the identity "id", which clients need to read the record.',
      'add "id" to "complete".',
    ],
    [
      'a list without the identity',
      { list: ['email'] },
      '"list" does not contain the identity "id", which clients need to read the record.',
      'add "id" to "list".',
    ],
    [
      'a summary without the identity',
      { summary: ['email'] },
      '"summary" does not contain the identity "id", which clients need to read the record.',
      'add "id" to "summary".',
    ],
    [
      'a by-lookup on a field that is not unique',
      { by: ['lastName'] },
      '"by" contains "lastName", which is not unique.',
      'add unique() to the field in the noun "user".',
    ],
    [
      'a by-lookup on a hidden field',
      { complete: ['id'], by: ['email'] },
      '"by" contains "email", which the resource does not show.',
      'add "email" to "complete".',
    ],
    [
      'a search in a field that is not text',
      { search: ['level'] },
      'search has "level", which is not a text, email or url field.',
      'use fields of the types text, email and url.',
    ],
    [
      'a search in a choice',
      { search: ['status'] },
      'search has "status", which is not a text, email or url field.',
      'use fields of the types text, email and url.',
    ],
    [
      'a display of a field that is not a reference',
      { display: ['email'] },
      'display has "email", which is not a reference.',
      'use only references: display shows the label of the referenced record.',
    ],
    [
      'a default filter on a hidden field',
      { complete: ['id'], defaultFilter: { retired: false } },
      'defaultFilter has "retired", which the resource does not show: clients could not override it.',
      'add "retired" to the option complete.',
    ],
    [
      'a default filter with a value of the wrong type',
      { defaultFilter: { retired: 'no' } },
      'the value "no" in defaultFilter of "retired" is invalid: it must be true or false.',
      'use a value that is valid for the field.',
    ],
    [
      'a default filter with one invalid value',
      { defaultFilter: { status: ['ACTIVE', 'GONE'] } },
      'the value "GONE" in defaultFilter of "status" is invalid: it must be "ACTIVE" or "SUSPENDED".',
      'use a value that is valid for the field.',
    ],
    [
      'a default filter with null for a field that is not nullable',
      { defaultFilter: { retired: null } },
      'the value null in defaultFilter of "retired" is invalid: it must not be null.',
      'use a value that is valid for the field.',
    ],
    [
      'a filter with the name of a property',
      { filters: { email: equal('email') } },
      'the filter "email" has the query parameter "email", which is a property.',
      'use a name in camelCase that is not a property name and not one of pageNumber, pageSize, include, sort, search.',
    ],
    [
      'a filter with the name of a parameter of every list',
      { filters: { include: equal('level') } },
      'the filter "include" has the query parameter "include", which lists have.',
      'use a name other than pageNumber, pageSize, include, sort, search.',
    ],
    [
      'a filter that is not camelCase',
      { filters: { 'first-or-last': equal('firstName', 'lastName') } },
      'the filter "first-or-last" has the query parameter "first-or-last", which is not in camelCase.',
      'use a name in camelCase that is not a property name and not one of pageNumber, pageSize, include, sort, search.',
    ],
    [
      'a filter without properties',
      { filters: { nobody: equal() } },
      'the filter "nobody" has no properties.',
      'use one or more properties of the same type.',
    ],
    [
      'a filter on fields of two types',
      { filters: { anything: equal('level', 'email') } },
      'the filter "anything" has properties of different types: integer, email.',
      'use one or more properties of the same type.',
    ],
    [
      'a range of texts',
      { filters: { between: range('lastName') } },
      'the range filter "between" has "lastName", a field of the type text.',
      'use range() with numbers, decimals, dates and timestamps only.',
    ],
    [
      'a page size of 0',
      { pageSize: { default: 0 } },
      'the default page size 0 with the maximum 1000 is invalid.',
      'use positive integers, and a default that is not above the maximum.',
    ],
    [
      'a fractional page size',
      { pageSize: { default: 1.5 } },
      'the default page size 1.5 with the maximum 1000 is invalid.',
      'use positive integers, and a default that is not above the maximum.',
    ],
    [
      'a page size above the maximum',
      { pageSize: { default: 50, maximum: 20 } },
      'the default page size 50 with the maximum 20 is invalid.',
      'use positive integers, and a default that is not above the maximum.',
    ],
    [
      'an endless maximum',
      { pageSize: { maximum: Number.POSITIVE_INFINITY } },
      'the default page size 10 with the maximum Infinity is invalid.',
      'use positive integers, and a default that is not above the maximum.',
    ],
  ]

  const isCheckedWithApi = (rule: string) => /^defaultFilter has .* does not show|in defaultFilter of/.test(rule)

  it.each(cases.filter(([, , rule]) => !isCheckedWithApi(rule)))('is rejected with %s', (_what, options, rule, fix) => {
    expect(declare(options)).toThrow(new DeclarationError(`resource "${options.path ?? 'user'}"`, rule, fix))
  })

  it.each(cases.filter(([, , rule]) => isCheckedWithApi(rule)))(
    'is rejected in an API with %s',
    (_what, options, rule, fix) => {
      const { message } = new DeclarationError('api "directory", resource "user"', rule, fix)
      expect(inApi(declare(options))).toThrow(message.split('\n')[0])
    },
  )
})
