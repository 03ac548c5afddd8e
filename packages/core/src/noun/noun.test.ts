import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../declaration/error.ts'
import type { AnyField } from '../field/field.ts'
import {
  boolean,
  choice,
  createdBy,
  date,
  decimal,
  email,
  guid,
  identity,
  integer,
  number,
  reference,
  text,
  timestamp,
  url,
} from '../field/kinds.ts'
import { readValue } from '../field/read-value.ts'
import { labelFields, noun, specOf, targetOf } from './noun.ts'

const id = identity()
/** Declares a user with one more field. */
const userWith = (property: string, field: AnyField) => () => noun('user', { id, [property]: field })

describe('noun', () => {
  it('holds its name, its fields, its options and the name of its identity', () => {
    const fields = { userRef: identity(), name: text() }
    expect(noun('user', fields, { label: 'name' })).toEqual({
      name: 'user',
      fields,
      options: { label: 'name' },
      identity: 'userRef',
    })
    expect(noun('user', fields).options).toEqual({})
  })

  it.each(['User', 'userRole', 'user_role', 'user role', '-user', 'user-', 'user--role', '2user', 'benutzerin_ü', ''])(
    'is refused when its name is not kebab-case: %j',
    (name) => {
      expect(() => noun(name, { id })).toThrow(
        new DeclarationError(
          `noun "${name}"`,
          'a noun is named in lower kebab-case.',
          'use letters a to z, digits and single hyphens, such as "cost-center".',
        ),
      )
    },
  )

  it.each([
    ['users', 'user'],
    ['people', 'person'],
    ['user-addresses', 'user-address'],
    ['categories', 'category'],
  ])('is refused when its name is a plural: %s', (name, singular) => {
    expect(() => noun(name, { id })).toThrow(
      new DeclarationError(
        `noun "${name}"`,
        'a noun is singular (spec 2.6 rule 1), and this looks like a plural.',
        `name it "${singular}", or say { isSingular: true } where it is no plural.`,
      ),
    )
  })

  it('may look like a plural where it says that it is none', () => {
    expect(noun('glasses', { id }, { isSingular: true }).name).toBe('glasses')
  })

  it.each(['user', 'cost-center', 'status', 'address', 'news', 'level-2', 'x'])('takes the name %s', (name) => {
    expect(noun(name, { id }).name).toBe(name)
  })

  it('is refused without an identity', () => {
    expect(() => noun('user', { name: text() })).toThrow(
      new DeclarationError(
        'noun "user"',
        'has no identity.',
        'declare exactly one field as its identity, such as id: identity().',
      ),
    )
  })

  it('is refused with two identities', () => {
    expect(() => noun('user', { id, guid: identity('guid') })).toThrow(
      new DeclarationError(
        'noun "user"',
        'has 2 identities: id, guid.',
        'declare exactly one field as its identity, such as id: identity().',
      ),
    )
  })

  it.each([
    ['a label', { label: 'name' }, 'name'],
    ['one of several labels', { label: ['id', 'lastName'] }, 'lastName'],
    ['a set of unique fields', { unique: [['id', 'type']] }, 'type'],
  ])('is refused when its options name no field of it: %s', (_what, options, name) => {
    expect(() => noun('user', { id, email: email() }, options as never)).toThrow(
      new DeclarationError(
        'noun "user"',
        `its options name the field "${name}", which it does not have.`,
        'use one of id, email.',
      ),
    )
  })

  it('is refused when its options name what every object has', () => {
    expect(() => noun('user', { id }, { label: 'toString' } as never)).toThrow(
      new DeclarationError(
        'noun "user"',
        'its options name the field "toString", which it does not have.',
        'use one of id.',
      ),
    )
  })

  it('is refused with an option that does not exist', () => {
    expect(() => noun('user', { id }, { labels: 'id' } as never)).toThrow(DeclarationError)
  })

  it.each([[[]], [['name', 'name']]])('is refused with a unique set that says nothing: %j', (set) => {
    expect(() => noun('user', { id, name: text() }, { unique: [set] as never })).toThrow(DeclarationError)
  })
})

describe('the name of a property', () => {
  it.each(['FirstName', 'first-name', 'first_name', 'first name', '2nd', 'prénom', '', '__proto'])(
    'is refused when it is not camelCase: %j',
    (property) => {
      expect(userWith(property, text())).toThrow(
        new DeclarationError(
          'noun "user"',
          `"${property}" is no property name.`,
          'use camelCase of ASCII letters and digits, such as "firstName".',
        ),
      )
    },
  )

  it.each(['pageNumber', 'pageSize', 'include', 'sort', 'search'])(
    'is refused when every list has a parameter of that name: %s',
    (property) => {
      expect(userWith(property, text())).toThrow(
        new DeclarationError(
          'noun "user"',
          `the property "${property}" bears the name of a query parameter of every list.`,
          'choose another name than pageNumber, pageSize, include, sort, search.',
        ),
      )
    },
  )

  it.each([
    ['user', 'userId', 'name it "id".'],
    ['user', 'userID', 'name it "id".'],
    ['user', 'userName', 'name it "name".'],
    ['user', 'userCreatedOn', 'name it "createdOn".'],
    ['thing', 'thingLabel', 'name it "label".'],
    ['cost-center', 'costCenterName', 'name it "name".'],
    ['user', 'user2', 'name it without the noun.'],
    ['user', 'userRef', 'name it "ref".'],
  ])('is refused when it repeats the name of the noun: %s and %s', (name, property, fix) => {
    expect(() => noun(name, { id, [property]: text() })).toThrow(
      new DeclarationError(
        `noun "${name}"`,
        `the property "${property}" repeats the noun's name (spec 2.6 rule 3).`,
        fix,
      ),
    )
  })

  it('is fixed to a property name where it goes on with capital letters', () => {
    expect(userWith('userURLPath', text())).toThrow(expect.objectContaining({ fix: 'name it "urlPath".' }))
  })

  it('may repeat the noun in an identifier called Ref, as identity or as reference', () => {
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
    'is refused when every object has it: %s',
    (property) => {
      expect(userWith(property, text())).toThrow(
        new DeclarationError(
          'noun "user"',
          `every object in JavaScript has a "${property}" already.`,
          'choose another name.',
        ),
      )
    },
  )
})

describe('a field', () => {
  const limits = ['its lower limit is above its upper limit.', 'swap them.'] as const

  it.each<[string, AnyField, string, string]>([
    ['integer limits the wrong way round', integer({ min: 2, max: 1 }), ...limits],
    ['number limits the wrong way round', number({ min: 0.2, max: 0.1 }), ...limits],
    ['decimal limits the wrong way round', decimal({ scale: 1, min: '10', max: '9.5' }), ...limits],
    ['lengths the wrong way round', text({ minLength: 2, maxLength: 1 }), ...limits],
    ['dates the wrong way round', date({ min: '2026-02-01', max: '2026-01-31' }), ...limits],
    [
      'timestamps the wrong way round',
      timestamp({ min: '2026-01-01T00:00:00.001Z', max: '2026-01-01T00:00:00.000Z' }),
      ...limits,
    ],
    ['a choice of nothing', choice(), 'a choice without values.', "name them: choice('ACTIVE', 'SUSPENDED')."],
    ['a choice that names a value twice', choice('ON', 'OFF', 'ON'), 'names the value "ON" twice.', 'leave one out.'],
    [
      'a transition to nowhere',
      choice({ DRAFT: ['SENT'], SENT: ['PAYED' as 'DRAFT'] }),
      'lets "SENT" become "PAYED", which is no value of it.',
      'use one of DRAFT, SENT.',
    ],
    [
      'transitions to null of a choice that is never null',
      choice({ DRAFT: ['SENT'], SENT: [null] }),
      'its transitions name null, and it is never null.',
      'add nullable().',
    ],
    [
      'transitions from null of a choice that is never null',
      choice({ null: ['DRAFT'], DRAFT: [] }),
      'its transitions name null, and it is never null.',
      'add nullable().',
    ],
    [
      'a nullable choice whose transitions do not name null',
      choice({ DRAFT: ['SENT'], SENT: [] }).nullable(),
      'has transitions and may be null, and does not say what null may become.',
      "add null: ['DRAFT'] to its transitions, or null: [] for nothing.",
    ],
    [
      'a decimal without digits before the point',
      decimal({ precision: 2, scale: 2 }),
      'cannot hold a decimal of precision 2 and scale 2.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a decimal that is too long to be exact',
      decimal({ precision: 19, scale: 2 }),
      'cannot hold a decimal of precision 19 and scale 2.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a decimal of a fractional scale',
      decimal({ scale: 1.5 }),
      'cannot hold a decimal of precision 18 and scale 1.5.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a decimal of a negative scale',
      decimal({ scale: -1 }),
      'cannot hold a decimal of precision 18 and scale -1.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a reference that is cleared and cannot be null',
      reference(() => ({})).clearedOnDelete(),
      'a reference that is cleared must be able to be null.',
      'add nullable() before clearedOnDelete().',
    ],
    [
      'a default outside the choice',
      choice('ON', 'OFF').default('MAYBE' as 'ON'),
      'its default "MAYBE" must be one of "ON", "OFF".',
      'give a default that the field could hold.',
    ],
    [
      'a default above the limit',
      integer({ max: 5 }).default(6),
      'its default 6 must be at most 5.',
      'give a default that the field could hold.',
    ],
    [
      'a default of the wrong type',
      boolean().default('false' as never),
      'its default "false" must be true or false.',
      'give a default that the field could hold.',
    ],
    [
      'a default that is null where the field is not',
      text().default(null as never),
      'its default null must not be null.',
      'give a default that the field could hold.',
    ],
    [
      'a default that comes from nowhere',
      text().defaultFrom('mail'),
      'its default comes from "mail", which the noun does not have.',
      'use one of id, given.',
    ],
  ])('is refused: %s', (_what, field, rule, fix) => {
    expect(userWith('given', field)).toThrow(new DeclarationError('noun "user", field "given"', rule, fix))
  })

  it.each([
    ['nullable', id.nullable()],
    ['with a default', id.default(1)],
    ['with the value of another', id.defaultFrom('number')],
  ])('is refused as an identity that is %s', (_how, field) => {
    expect(() => noun('user', { id: field, number: integer() })).toThrow(
      new DeclarationError(
        'noun "user", field "id"',
        'an identity is given by the server and never null.',
        'leave out nullable() and default().',
      ),
    )
  })

  it.each([
    ['itself', { name: text().defaultFrom('name') }, 'name'],
    ['each other', { username: text().defaultFrom('email'), email: text().defaultFrom('username') }, 'username'],
    ['one another', { a: text().defaultFrom('b'), b: text().defaultFrom('c'), c: text().defaultFrom('a') }, 'a'],
    [
      'a circle further on',
      { x: text().defaultFrom('a'), a: text().defaultFrom('b'), b: text().defaultFrom('a') },
      'x',
    ],
  ])('is refused when defaults come from %s', (_whom, fields, named) => {
    expect(() => noun('user', { id, ...fields })).toThrow(
      new DeclarationError(
        `noun "user", field "${named}"`,
        'its default comes, by way of others, from itself.',
        'let one of them have a default of its own.',
      ),
    )
  })

  it('may take its default from a field that takes it from another', () => {
    const fields = { id, nick: text().defaultFrom('username'), username: text().defaultFrom('email'), email: email() }
    expect(() => noun('user', fields)).not.toThrow()
  })

  it.each([
    ['limits that meet', integer({ min: 1, max: 1 })],
    ['limits of which one is negative', decimal({ scale: 2, min: '-10', max: '-9.5' })],
    ['a choice of one', choice('ONLY')],
    ['a state that leads nowhere', choice({ DRAFT: ['SENT'], SENT: [] })],
    ['null as a state', choice({ null: ['DRAFT'], DRAFT: ['SENT', null], SENT: [] }).nullable()],
    ['null as a state that leads nowhere', choice({ null: [], DRAFT: [] }).nullable()],
    ['a default at the limit', integer({ min: 0 }).default(0)],
    ['the empty default', text().default('')],
    ['a decimal of the greatest precision', decimal({ precision: 18, scale: 17 })],
    ['a nullable field with a default', choice('ON', 'OFF').nullable().default('ON')],
    [
      'a reference to itself that is cleared',
      reference(() => ({}))
        .nullable()
        .clearedOnDelete(),
    ],
  ])('may have %s', (_what, field) => {
    expect(userWith('given', field)).not.toThrow()
  })

  // Each of these is a limit or a default that the field itself could not read.
  it.each<[string, AnyField, string, string]>([
    [
      'a limit that is no decimal',
      decimal({ scale: 2, min: 'abc' }),
      'its limit "abc" must be a decimal string such as "12.50", at most 16 digits before the point and 2 behind it.',
      'give a limit that the field could hold.',
    ],
    [
      'a limit with more digits than the decimal',
      decimal({ scale: 2, min: '1.005' }),
      'its limit "1.005" must be a decimal string such as "12.50", at most 16 digits before the point and 2 behind it.',
      'give a limit that the field could hold.',
    ],
    [
      'decimal limits the wrong way round by less than a double can tell',
      decimal({ scale: 0, min: '100000000000000001', max: '100000000000000000' }),
      ...limits,
    ],
    [
      'a limit that is no date',
      date({ min: 'soon' }),
      'its limit "soon" must be a date such as "2026-11-15".',
      'give a limit that the field could hold.',
    ],
    [
      'a limit that is no timestamp',
      timestamp({ max: '2026-01-01' }),
      'its limit "2026-01-01" must be a timestamp such as "2026-11-15T03:29:00.000Z".',
      'give a limit that the field could hold.',
    ],
    [
      'a limit that is no number',
      number({ min: Number.NaN }),
      'its limit null must be a number.',
      'give a limit that the field could hold.',
    ],
    [
      'a limit beyond safe integers',
      integer({ max: 1e16 }),
      'its limit 10000000000000000 must lie within ±9007199254740991.',
      'give a limit that the field could hold.',
    ],
    ['a negative length', text({ minLength: -1 }), 'has a length of -1.', 'use whole numbers from 0.'],
    ['a fractional length', text({ maxLength: 1.5 }), 'has a length of 1.5.', 'use whole numbers from 0.'],
    [
      'a choice that no text can be',
      choice('\ud800'),
      'the value "\\ud800" cannot be stored.',
      'use text without U+0000 and whole surrogate pairs.',
    ],
    [
      'a default that comes from what every object has',
      text().defaultFrom('toString'),
      'its default comes from "toString", which the noun does not have.',
      'use one of id, given.',
    ],
    [
      'a default that comes from a field of another kind',
      text().defaultFrom('id'),
      'its default comes from "id", whose values it cannot always hold.',
      'take the default from a field of the same kind and limits, or of text.',
    ],
  ])('is refused with %s', (_what, field, rule, fix) => {
    expect(userWith('given', field)).toThrow(new DeclarationError('noun "user", field "given"', rule, fix))
  })

  const from = (own: AnyField, source: AnyField) => () => noun('user', { id, own: own.defaultFrom('source'), source })

  it.each([
    ['a null', text(), text().nullable()],
    ['a longer text', text({ maxLength: 5 }), text({ maxLength: 6 })],
    ['a text without a limit', text({ maxLength: 5 }), text()],
    ['a shorter text', text({ minLength: 2 }), text({ minLength: 1 })],
    ['a text that is no address', email(), text()],
    ['a text that is no web address', url(), text()],
    ['a greater number', integer({ max: 5 }), integer({ max: 6 })],
    ['a number with a fraction', integer(), number()],
    ['a decimal with more digits behind the point', decimal({ scale: 1 }), decimal({ scale: 2 })],
    ['a day', timestamp(), date()],
  ])('takes its default from no field that may hold %s', (_what, own, source) => {
    expect(from(own, source)).toThrow(
      new DeclarationError(
        'noun "user", field "own"',
        'its default comes from "source", whose values it cannot always hold.',
        'take the default from a field of the same kind and limits, or of text.',
      ),
    )
  })

  it.each([
    ['another word', choice('ON', 'OFF'), choice('ON', 'OFF', 'MAYBE')],
    ['a decimal with more digits', decimal({ precision: 3, scale: 1 }), decimal({ precision: 5, scale: 1 })],
  ])('takes its default from no field that may hold %s', (_what, own, source) => {
    expect(from(own, source)).toThrow(DeclarationError)
  })

  it.each([
    ['any text', text(), text({ maxLength: 80 })],
    ['an address', text(), email()],
    ['an address, in a text that is long enough', text({ maxLength: 254 }), email()],
    ['a word', text(), choice('ON', 'OFF')],
    ['a null where it may be null itself', text().nullable(), text().nullable()],
    ['the same kind', date(), date()],
    ['the same limits', integer({ min: 0, max: 9 }), integer({ min: 0, max: 9 })],
  ])('may take its default from a field that holds %s', (_what, own, source) => {
    expect(from(own, source)).not.toThrow()
  })

  /** Whether every limit and the default are such that reading them changes nothing. */
  const isNormal = ({ spec }: AnyField) => {
    const { min: _min, max: _max, ...unlimited } = spec
    const values = [spec.min, spec.max, spec.default].filter((value) => value !== undefined)
    return values.every((value) => JSON.stringify(readValue(unlimited, value)) === JSON.stringify({ value }))
  }

  // Values are compared and stored in one form, so a limit or a default in another must be refused or brought into it.
  it.each<[string, AnyField]>([
    ['a lower limit without milliseconds', timestamp({ min: '2026-01-01T00:00:00Z' })],
    ['an upper limit with an offset', timestamp({ max: '2026-01-01T00:00:00+02:00' })],
    ['a default with an offset', timestamp().default('2026-01-01T00:00:00+02:00')],
    ['a default with too few digits', decimal({ scale: 2 }).default('5')],
    ['a default in capital letters', guid().default('0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10')],
  ])('holds no limit and no default in any but its one form: %s', (_what, field) => {
    let made: { readonly fields: { readonly [name: string]: AnyField } } = { fields: {} }
    try {
      made = userWith('given', field)()
    } catch (error) {
      expect(error).toBeInstanceOf(DeclarationError)
    }
    expect(Object.values(made.fields).every(isNormal)).toBe(true)
  })
})

describe('labelFields', () => {
  it('gives the names of the fields that make up the label', () => {
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

  it('tell whether a reference holds a guid', () => {
    expect(specOf(box, 'owner')).toMatchObject({ kind: 'reference', guid: true })
    expect(specOf(box, 'outer')).not.toHaveProperty('guid')
    expect(specOf(box, 'name')).toEqual({ kind: 'text' })
  })

  it.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'owner'],
    ['an object that is no noun', () => ({ name: 'owner' })],
    ['no function at all', {}],
  ])('refuse a reference to %s', (_what, target) => {
    const lost = noun('box', { id, owner: reference(target) })
    const refusal = new DeclarationError(
      'noun "box", field "owner"',
      'the reference points at nothing.',
      'give a function that returns a noun: reference(() => department).',
    )
    expect(() => targetOf(lost, 'owner')).toThrow(refusal)
    expect(() => specOf(lost, 'owner')).toThrow(refusal)
  })

  it('find who created a record', () => {
    const user = noun('user', { id, createdBy: createdBy(() => user) })
    expect(targetOf(user, 'createdBy')).toBe(user)
  })
})
