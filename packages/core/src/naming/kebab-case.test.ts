import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { camelCase, isCamelCase, isKebabCase, kebabCase } from './kebab-case.ts'

const letter = fc.constantFrom(...'abcxyz')
const wordOf = (minLength: number) => fc.string({ unit: letter, minLength, maxLength: 6 })
/** A name in kebab-case and in camelCase. Single letters would merge: `aBC`. */
const names = fc.tuple(wordOf(1), fc.array(wordOf(2), { maxLength: 3 })).map(([first, rest]) => ({
  kebab: [first, ...rest].join('-'),
  camel: [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(''),
}))
const camelNames = fc
  .tuple(letter, fc.string({ unit: fc.constantFrom(...'abcABC019'), maxLength: 12 }))
  .map(([first, rest]) => first + rest)

describe('kebabCase', () => {
  it.each([
    ['email', 'email'],
    ['firstName', 'first-name'],
    ['createdOrUpdated', 'created-or-updated'],
    ['externalID', 'external-id'],
    ['externalID2', 'external-id2'],
    ['URLPath', 'url-path'],
    ['userURLPath', 'user-url-path'],
    ['line2Text', 'line2-text'],
    ['aB', 'a-b'],
    ['guid', 'guid'],
  ])('writes %s as %s', (camel, kebab) => {
    expect(kebabCase(camel)).toBe(kebab)
  })

  it('converts every property name to a path segment', () => {
    fc.assert(fc.property(camelNames, (name) => isCamelCase(name) && isKebabCase(kebabCase(name))))
  })

  it('is reversed by camelCase', () => {
    fc.assert(
      fc.property(names, ({ kebab, camel }) => {
        expect(kebabCase(camel)).toBe(kebab)
        expect(camelCase(kebab)).toBe(camel)
      }),
    )
  })
})

describe('camelCase', () => {
  it.each([
    ['user', 'user'],
    ['user-role', 'userRole'],
    ['level-2', 'level2'],
    ['cost-center-2b', 'costCenter2b'],
  ])('writes %s as %s', (kebab, camel) => {
    expect(camelCase(kebab)).toBe(camel)
  })
})

describe('isKebabCase', () => {
  it.each(['user', 'user-role', 'level-2', 'a', 'a1-b2', 'x-1'])('accepts %s', (name) => {
    expect(isKebabCase(name)).toBe(true)
  })

  it.each([
    '',
    'User',
    'userRole',
    'user_role',
    'user role',
    '-user',
    'user-',
    'user--role',
    '2user',
    'usér',
    'user\n',
    'a/b',
    '{id}',
  ])('rejects %j', (name) => {
    expect(isKebabCase(name)).toBe(false)
  })
})

describe('isCamelCase', () => {
  it.each(['id', 'firstName', 'externalID2', 'a'])('accepts %s', (name) => {
    expect(isCamelCase(name)).toBe(true)
  })

  it.each(['', 'FirstName', 'first-name', 'first_name', 'first name', '2nd', 'prénom', 'id\n', '__proto__', 'a.b'])(
    'rejects %j',
    (name) => {
      expect(isCamelCase(name)).toBe(false)
    },
  )
})
