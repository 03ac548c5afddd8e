import { describe, expect, it } from 'vitest'
import { group, operationsOf, preference, role, user } from '../../test/letter-api.ts'
import { DeclarationError } from '../declaration/error.ts'
import { date, identity, reference, text } from '../field/kinds.ts'
import { noun } from '../noun/noun.ts'
import { equal, range } from '../resource/filter.ts'
import { resource } from '../resource/resource.ts'
import { api } from './api.ts'

describe('api', () => {
  it('has its name and its options', () => {
    const options = { version: 1, versioning: 'whole', writes: 'flat', resources: [resource(user)] } as const
    expect(api('access', options)).toEqual({ name: 'access', options })
  })

  it.each([
    ['Directory', 'directory'],
    ['the directory', 'the-directory'],
    ['directory_api', 'directory-api'],
    ['v1/x', 'v1-x'],
    ['', undefined],
  ])('rejects the name %j', (name, newName) => {
    expect(() => api(name, { versioning: 'per-noun', writes: 'flat', resources: [] })).toThrow(
      new DeclarationError(
        `api "${name}"`,
        'the name of an API must be in lower kebab-case.',
        newName ? `rename it to "${newName}".` : 'use letters a to z, digits and single hyphens, such as "time-sheet".',
      ),
    )
  })
})

describe('an option of an api', () => {
  it.each([{ pagesize: { default: 5 } }, { versioning: 'per-verb' }, { writes: 'mixed' }])(
    'is rejected if it is unknown: %j',
    (option) => {
      const options = { versioning: 'per-noun', writes: 'flat', resources: [], ...option } as never
      expect(() => api('access', options)).toThrow(DeclarationError)
    },
  )
})

describe('the resources of an api', () => {
  it.each([
    [[user], 'resources has the noun "user", which is not a resource.'],
    [[undefined], 'resources has undefined, which is not a resource.'],
    [undefined, 'resources must be an array of resources, not undefined.'],
  ])('are rejected if one of them is not a resource: %#', (resources, rule) => {
    expect(() => api('access', { versioning: 'per-noun', writes: 'flat', resources } as never)).toThrow(
      new DeclarationError('api "access"', rule, 'pass nouns to resource(), as in resources: [resource(user)].'),
    )
  })
})

describe('the version', () => {
  it('is required in an api that is versioned as a whole', () => {
    // @ts-expect-error: the type requires a version.
    expect(() => api('access', { versioning: 'whole', writes: 'flat', resources: [] })).toThrow(
      new DeclarationError('api "access"', "versioning is 'whole', but there is no version.", 'add version: 1.'),
    )
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('of an api must not be %d', (version) => {
    expect(() => api('access', { version, versioning: 'whole', writes: 'flat', resources: [] })).toThrow(
      new DeclarationError('api "access"', `version must be a positive integer, not ${version}.`, 'write version: 1.'),
    )
  })

  it.each([
    [0, 0],
    [2.5, 2.5],
    [{ read: 1, replace: -2 }, -2],
  ])('of a resource must not be %j', (version, versionText) => {
    expect(() => operationsOf([resource(user, { version })])).toThrow(
      new DeclarationError(
        'api "directory", resource "user"',
        `version must be a positive integer, not ${versionText}.`,
        'write version: 1.',
      ),
    )
  })

  it.each([2, { replace: 2 }])('of a resource is rejected in an api that is versioned as a whole: %j', (version) => {
    const below = resource(user, { children: [resource(preference, { version })] })
    expect(() => operationsOf([below], 'nested', { version: 1, versioning: 'whole' })).toThrow(
      new DeclarationError(
        'api "directory", resource "user/preference"',
        "a resource cannot have its own version in an API with versioning: 'whole'.",
        "raise the version of the API, or use versioning: 'per-noun'.",
      ),
    )
  })
})

describe('the path', () => {
  it.each(['docs', 'console', 'health', 'metrics', 'usage'])(
    'is rejected if the service reserves it, unless it is below a version: /%s',
    (name) => {
      const reservedNoun = noun(name, { id: identity() }, { isSingular: true })
      const error = new DeclarationError(
        `api "directory", resource "${name}"`,
        `the path /${name} is reserved for the service itself.`,
        'rename the noun, set path, or give the API a version. Reserved segments: openapi.json, docs, console, health, metrics, usage, and v1, v2, ….',
      )
      expect(() => operationsOf([resource(reservedNoun)])).toThrow(error)
      expect(() => operationsOf([resource(reservedNoun)], 'nested', { version: 1, versioning: 'whole' })).not.toThrow()
      expect(() => operationsOf([resource(reservedNoun, { version: 2 })])).not.toThrow()
      expect(() => operationsOf([resource(reservedNoun, { version: { read: 2 } })])).toThrow(error)
    },
  )

  it('may have a reserved name below a parent, or as a part of a longer name', () => {
    const usage = noun('usage', { id: identity(), user: reference(() => user) })
    expect(() => operationsOf([resource(user, { children: [resource(usage)] })])).not.toThrow()
    expect(() => operationsOf([resource(usage, { path: 'usage-record' })])).not.toThrow()
  })

  it('must be unique among resources', () => {
    expect(() => operationsOf([resource(user), resource(user)])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /user is declared twice, as user.list and user.list.',
        'remove one of them, or change its path.',
      ),
    )
  })

  it('must not be shared by two nouns', () => {
    expect(() => operationsOf([resource(role), resource(group, { path: 'role' })])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /role is declared twice, as role.list and role.list.',
        'remove one of them, or change its path.',
      ),
    )
  })

  it('must not be that of a list variant', () => {
    const summary = noun('user-summary', { id: identity() })
    expect(() => operationsOf([resource(user, { summary: ['id'] }), resource(summary)])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /user-summary is declared twice, as user.summary and user-summary.list.',
        'remove one of them, or change its path.',
      ),
    )
  })

  it('must not be the same for two lookups', () => {
    const thing = noun('thing', { id: identity(), externalId: text().unique(), externalID: text().unique() })
    expect(() => operationsOf([resource(thing, { by: ['externalId', 'externalID'] })])).toThrow(
      new DeclarationError(
        'api "directory"',
        'GET /thing/by-external-id/{externalID} is declared twice, as thing.lookup.externalId and thing.lookup.externalID.',
        'remove one of them, or change its path.',
      ),
    )
  })

  it('may occur twice if the methods or the versions differ', () => {
    expect(() =>
      operationsOf([resource(user, { offers: ['list'] }), resource(user, { offers: ['create'] })]),
    ).not.toThrow()
    expect(() => operationsOf([resource(user, { version: 1 }), resource(user, { version: 2 })])).not.toThrow()
  })
})

describe('two filters', () => {
  it('must not have the same parameter', () => {
    const person = noun('person', { id: identity(), birthday: date() })
    const filters = { born: range('birthday'), bornFrom: equal('birthday') }
    const resources = [resource(person, { filters })]
    expect(() => operationsOf(resources)).toThrow(
      new DeclarationError('resource "person"', 'it has two filters with the name "bornFrom".', 'rename one of them.'),
    )
  })
})

describe('the page size of an api', () => {
  const error = (subject: string, size: number, maximum: number) =>
    new DeclarationError(
      subject,
      `the default page size ${size} with the maximum ${maximum} is invalid.`,
      'use positive integers, and a default that is not above the maximum.',
    )

  it.each([
    [{ default: 0 }, 0, 1000],
    [{ maximum: -1 }, -1, -1],
    [{ default: 1.5 }, 1.5, 1000],
    [{ default: 50, maximum: 20 }, 50, 20],
  ])('is rejected if it is invalid: %j', (pageSize, size, maximum) => {
    expect(() => operationsOf([resource(role)], 'flat', { pageSize })).toThrow(error('api "directory"', size, maximum))
  })

  it('limits the page size of a resource', () => {
    const roles = resource(role, { pageSize: { default: 300 } })
    expect(() => operationsOf([roles], 'flat', { pageSize: { maximum: 200 } })).toThrow(
      error('api "directory", resource "role"', 300, 200),
    )
    expect(() => operationsOf([resource(role, { pageSize: { default: 1001 } })])).toThrow(
      error('api "directory", resource "role"', 1001, 1000),
    )
    expect(() => operationsOf([resource(role, { pageSize: { maximum: 5 } })])).not.toThrow()
  })

  it('must not exceed the default maximum', () => {
    expect(() => operationsOf([resource(role)], 'flat', { pageSize: { default: 2000 } })).toThrow(DeclarationError)
  })

  it('may raise the maximum for a resource', () => {
    const roles = () => resource(role, { pageSize: { default: 2000 } })
    expect(() => operationsOf([roles()], 'flat', { pageSize: { maximum: 5000 } })).not.toThrow()
  })
})
