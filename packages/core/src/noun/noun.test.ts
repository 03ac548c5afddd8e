import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../declaration/error.ts'
import type { AnyField } from '../field/field.ts'
import { email, identity, integer, reference, text } from '../field/kinds.ts'
import { createdBy } from '../field/managed-kinds.ts'
import { noun, specOf, targetOf } from './noun.ts'
import { labelFields } from './noun-option.ts'

const id = identity()
/** Declares a user with one more field. */
const userWith = (property: string, field: AnyField) => () => noun('user', { id, [property]: field })

describe('noun', () => {
  it('has its name, its fields, its options and the name of its identity', () => {
    const fields = { userRef: identity(), name: text() }
    expect(noun('user', fields, { label: 'name' })).toEqual({
      name: 'user',
      fields,
      options: { label: 'name' },
      identity: 'userRef',
    })
    expect(noun('user', fields).options).toEqual({})
  })

  it.each([
    ['User', 'user'],
    ['userRole', 'user-role'],
    ['user_role', 'user-role'],
    ['user role', 'user-role'],
    ['-user', 'user'],
    ['user-', 'user'],
    ['user--role', 'user-role'],
    ['UserRoles', 'user-role'],
    ['2user', undefined],
    ['benutzerin_ü', undefined],
    ['', undefined],
  ])('is rejected if its name is not kebab-case: %j', (name, newName) => {
    expect(() => noun(name, { id })).toThrow(
      new DeclarationError(
        `noun "${name}"`,
        'the name of a noun must be in lower kebab-case.',
        newName
          ? `rename it to "${newName}".`
          : 'use letters a to z, digits and single hyphens, such as "cost-center".',
      ),
    )
  })

  it.each([
    ['users', 'user'],
    ['people', 'person'],
    ['user-addresses', 'user-address'],
    ['categories', 'category'],
  ])('is rejected if its name is a plural: %s', (name, singular) => {
    expect(() => noun(name, { id })).toThrow(
      new DeclarationError(
        `noun "${name}"`,
        'the name looks like a plural; nouns must be singular.',
        `rename it to "${singular}", or add { isSingular: true } if it is not a plural.`,
      ),
    )
  })

  it('may look like a plural with isSingular', () => {
    expect(noun('glasses', { id }, { isSingular: true }).name).toBe('glasses')
  })

  it.each(['user', 'cost-center', 'status', 'address', 'news', 'level-2', 'x'])('accepts the name %s', (name) => {
    expect(noun(name, { id }).name).toBe(name)
  })

  it('is rejected without an identity', () => {
    expect(() => noun('user', { name: text() })).toThrow(
      new DeclarationError(
        'noun "user"',
        'it has no identity (primary key).',
        'declare exactly one identity, such as id: identity().',
      ),
    )
  })

  it('is rejected with two identities', () => {
    expect(() => noun('user', { id, guid: identity('guid') })).toThrow(
      new DeclarationError(
        'noun "user"',
        'it has 2 identities (primary keys): id, guid.',
        'declare exactly one identity, such as id: identity().',
      ),
    )
  })

  it.each([
    ['a label', { label: 'name' }, 'label refers to the field "name"'],
    ['one of several labels', { label: ['id', 'lastName'] }, 'label refers to the field "lastName"'],
    ['a set of unique fields', { unique: [['id', 'type']] }, 'unique refers to the field "type"'],
    ['an index', { indexes: [['email', 'type']] }, 'indexes refers to the field "type"'],
  ])('is rejected if its options name an unknown field: %s', (_what, options, fault) => {
    expect(() => noun('user', { id, email: email() }, options as never)).toThrow(
      new DeclarationError('noun "user"', `${fault}, which does not exist.`, 'use one of id, email.'),
    )
  })

  it('is rejected if its options name a member of Object.prototype', () => {
    expect(() => noun('user', { id }, { label: 'toString' } as never)).toThrow(
      new DeclarationError(
        'noun "user"',
        'label refers to the field "toString", which does not exist.',
        'use one of id.',
      ),
    )
  })

  it('is rejected with an unknown option', () => {
    expect(() => noun('user', { id }, { labels: 'id' } as never)).toThrow(DeclarationError)
  })

  it.each([
    [{ label: 7 }, 'label must be an array of names, not 7.', "label: ['name']"],
    [{ unique: ['name'] }, 'unique must be an array of arrays of names, not ["name"].', "unique: [['name', 'type']]"],
    [
      { indexes: ['name'] },
      'indexes must be an array of arrays of names, not ["name"].',
      "indexes: [['name', 'type']]",
    ],
    [{ unique: true }, 'unique must be an array of arrays of names, not true.', "unique: [['name', 'type']]"],
  ])('is rejected with the option %j', (options, rule, example) => {
    expect(() => noun('user', { id, name: text() }, options as never)).toThrow(
      new DeclarationError('noun "user"', rule, `write an array, such as ${example}.`),
    )
  })

  it.each([[[]], [['name', 'name']]])('is rejected with an empty or repeated unique set: %j', (set) => {
    expect(() => noun('user', { id, name: text() }, { unique: [set] as never })).toThrow(DeclarationError)
  })

  it.each([
    [['age'], 'has fewer than two fields.', 'use indexed() for an index of one field.'],
    [['age', 'age'], 'repeats a field.', 'list each field of the index once.'],
    [['age', 'id'], 'contains the identity "id", which Nomen adds to this index.', 'remove "id".'],
    [
      ['age', 'name'],
      'contains the field "name", which is neither indexed() nor unique().',
      'declare "name" with indexed().',
    ],
  ] as const)('is rejected with the index %j', (index, rule, fix) => {
    const fields = { id, name: text(), age: integer() }
    expect(() => noun('user', fields, { indexes: [index] })).toThrow(
      new DeclarationError('noun "user"', `the index [${index.join(', ')}] ${rule}`, fix),
    )
  })

  it('may have indexes over strings with an index of their own', () => {
    const fields = { id, name: text().indexed(), code: text().unique(), age: integer() }
    const indexes = [['age', 'name'] as const, ['code', 'age'] as const]
    expect(noun('user', fields, { indexes }).options.indexes).toEqual(indexes)
  })
})

describe('the name of a property', () => {
  it.each([
    ['FirstName', 'firstName'],
    ['first-name', 'firstName'],
    ['FIRST_NAME', 'firstName'],
    ['first name', 'firstName'],
    ['__proto', 'proto'],
    ['2nd', undefined],
    ['prénom', undefined],
    ['', undefined],
  ])('is rejected if it is not camelCase: %j', (property, newName) => {
    expect(userWith(property, text())).toThrow(
      new DeclarationError(
        'noun "user"',
        `the property name "${property}" must be in camelCase.`,
        newName ? `rename it to "${newName}".` : 'use ASCII letters and digits, such as "firstName".',
      ),
    )
  })

  it.each(['pageNumber', 'pageSize', 'include', 'sort', 'search'])(
    'is rejected if every list has a parameter of that name: %s',
    (property) => {
      expect(userWith(property, text())).toThrow(
        new DeclarationError(
          'noun "user"',
          `the property name "${property}" is reserved: lists have a query parameter of this name.`,
          'use a name other than pageNumber, pageSize, include, sort, search.',
        ),
      )
    },
  )

  it.each([
    ['user', 'userId', 'rename it to "id".'],
    ['user', 'userID', 'rename it to "id".'],
    ['user', 'userName', 'rename it to "name".'],
    ['user', 'userCreatedOn', 'rename it to "createdOn".'],
    ['thing', 'thingLabel', 'rename it to "label".'],
    ['cost-center', 'costCenterName', 'rename it to "name".'],
    ['user', 'user2', 'remove "user" from the property name.'],
    ['user', 'userRef', 'rename it to "ref".'],
  ])('is rejected if it repeats the name of the noun: %s and %s', (name, property, fix) => {
    expect(() => noun(name, { id, [property]: text() })).toThrow(
      new DeclarationError(`noun "${name}"`, `the property "${property}" repeats the name of the noun.`, fix),
    )
  })

  it('has a valid camelCase name in the fix, even after several capital letters', () => {
    expect(userWith('userURLPath', text())).toThrow(expect.objectContaining({ fix: 'rename it to "urlPath".' }))
  })

  it('may repeat the noun in an identifier that ends in Ref, as identity or as reference', () => {
    expect(noun('role', { roleRef: identity() }).identity).toBe('roleRef')
    expect(noun('role', { id, roleRef: reference(() => ({})).nullable() }).name).toBe('role')
  })

  it.each(['username', 'userless', 'user', 'role', 'superuserName'])(
    'may begin with the same letters: %s',
    (property) => {
      expect(userWith(property, text())).not.toThrow()
    },
  )

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    'is rejected if Object.prototype has it: %s',
    (property) => {
      expect(userWith(property, text())).toThrow(
        new DeclarationError(
          'noun "user"',
          `the property name "${property}" is reserved: every JavaScript object has a member of this name.`,
          'use another name.',
        ),
      )
    },
  )
})

it('is rejected with the same index twice', () => {
  const indexes = [
    ['age', 'level'],
    ['age', 'level'],
  ] as const
  expect(() => noun('user', { id, age: integer(), level: integer() }, { indexes })).toThrow(
    new DeclarationError('noun "user"', 'the index [age, level] is declared twice.', 'remove one of them.'),
  )
})

describe('labelFields', () => {
  it('returns the names of the fields of the label', () => {
    expect(labelFields({})).toEqual([])
    expect(labelFields({ label: 'name' })).toEqual(['name'])
    expect(labelFields({ label: ['firstName', 'lastName'] })).toEqual(['firstName', 'lastName'])
  })
})

describe('specOf and targetOf', () => {
  const owner = noun('owner', { id: identity('guid') })
  const box = noun('box', { id, name: text(), owner: reference(() => owner), outer: reference(() => box).nullable() })

  it('find the target of a reference, the noun itself included', () => {
    expect(targetOf(box, 'owner')).toBe(owner)
    expect(targetOf(box, 'outer')).toBe(box)
  })

  it('return whether a reference has a guid', () => {
    expect(specOf(box, 'owner')).toMatchObject({ kind: 'reference', guid: true })
    expect(specOf(box, 'outer')).not.toHaveProperty('guid')
    expect(specOf(box, 'name')).toEqual({ kind: 'text' })
  })

  it.each([
    ['undefined', () => undefined],
    ['null', () => null],
    ['"owner"', () => 'owner'],
    ['{"name":"owner"}', () => ({ name: 'owner' })],
    ['{}', {}],
  ])('reject a reference to %s', (targetText, target) => {
    const boxWithoutTarget = noun('box', { id, owner: reference(target) })
    const error = new DeclarationError(
      'noun "box", field "owner"',
      `the target of the reference must be a noun, not ${targetText}.`,
      'pass a function that returns a noun: reference(() => department).',
    )
    expect(() => targetOf(boxWithoutTarget, 'owner')).toThrow(error)
    expect(() => specOf(boxWithoutTarget, 'owner')).toThrow(error)
  })

  it('find the noun of createdBy', () => {
    const user = noun('user', { id, createdBy: createdBy(() => user) })
    expect(targetOf(user, 'createdBy')).toBe(user)
  })
})
