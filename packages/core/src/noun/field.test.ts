import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../declaration/error.ts'
import type { AnyField } from '../field/field.ts'
import {
  boolean,
  choice,
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
import { createdAt } from '../field/managed-kinds.ts'
import { readValue } from '../field/read-value.ts'
import { noun } from './noun.ts'

const id = identity()
/** Declares a user with one more field. */
const userWith = (property: string, field: AnyField) => () => noun('user', { id, [property]: field })

describe('a field', () => {
  const limits = (lower: unknown, upper: unknown, kind = '') =>
    [`min${kind} ${lower} is greater than max${kind} ${upper}.`, 'swap them.'] as const

  it.each<[string, AnyField, string, string]>([
    ['integer limits the wrong way round', integer({ min: 2, max: 1 }), ...limits(2, 1)],
    ['number limits the wrong way round', number({ min: 0.2, max: 0.1 }), ...limits(0.2, 0.1)],
    ['decimal limits the wrong way round', decimal({ scale: 1, min: '10', max: '9.5' }), ...limits('10', '9.5')],
    ['lengths the wrong way round', text({ minLength: 2, maxLength: 1 }), ...limits(2, 1, 'Length')],
    [
      'dates the wrong way round',
      date({ min: '2026-02-01', max: '2026-01-31' }),
      ...limits('2026-02-01', '2026-01-31'),
    ],
    [
      'timestamps the wrong way round',
      timestamp({ min: '2026-01-01T00:00:00.001Z', max: '2026-01-01T00:00:00.000Z' }),
      ...limits('2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.000Z'),
    ],
    ...[text(), reference(() => ({})), boolean().unique()].map((field): [string, AnyField, string, string] => [
      `unindexed() for a ${field.spec.kind}`,
      field.unindexed(),
      'unindexed() is not allowed here: it is only for choice and boolean fields that are not unique.',
      'remove unindexed().',
    ]),
    ...[reference(() => ({})), choice('A', 'B'), text().unique()].map((field): [string, AnyField, string, string] => [
      `indexed() for a ${field.spec.kind}, which has an index`,
      field.indexed(),
      'indexed() is not needed: this field has an index by default.',
      'remove indexed().',
    ]),
    [
      'a default of the database for a value that the server sets',
      createdAt().databaseDefault() as AnyField,
      'databaseDefault() is not allowed here: the server sets the value of this field.',
      'remove databaseDefault().',
    ],
    ['a choice without values', choice(), 'choice() has no values.', "add them: choice('ACTIVE', 'SUSPENDED')."],
    [
      'a choice with the same value twice',
      choice('ON', 'OFF', 'ON'),
      'choice() has the value "ON" twice.',
      'remove one of them.',
    ],
    [
      'a transition to an unknown value',
      choice({ DRAFT: ['SENT'], SENT: ['PAYED' as 'DRAFT'] }),
      'the transition from "SENT" to "PAYED" is invalid: choice() has no value "PAYED".',
      'add "PAYED" to choice(), or use one of its values: DRAFT, SENT.',
    ],
    [
      'transitions to null of a choice that is never null',
      choice({ DRAFT: ['SENT'], SENT: [null] }),
      'the transitions include null, but the field is not nullable.',
      'add nullable().',
    ],
    [
      'transitions from null of a choice that is never null',
      choice({ null: ['DRAFT'], DRAFT: [] }),
      'the transitions include null, but the field is not nullable.',
      'add nullable().',
    ],
    [
      'a nullable choice whose transitions do not name null',
      choice({ DRAFT: ['SENT'], SENT: [] }).nullable(),
      'the field is nullable, but its transitions do not list the values that null may change to.',
      "add null: ['DRAFT'] to the transitions, or null: [] if null must stay null.",
    ],
    [
      'a decimal without digits before the point',
      decimal({ precision: 2, scale: 2 }),
      'precision 2 with scale 2 is not supported.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a decimal that is too long to be exact',
      decimal({ precision: 19, scale: 2 }),
      'precision 19 with scale 2 is not supported.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a decimal of a fractional scale',
      decimal({ scale: 1.5 }),
      'precision 18 with scale 1.5 is not supported.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a decimal of a negative scale',
      decimal({ scale: -1 }),
      'precision 18 with scale -1 is not supported.',
      'use a precision from 1 to 18, and a scale from 0 to one less than the precision.',
    ],
    [
      'a reference that is cleared but cannot be null',
      reference(() => ({})).clearedOnDelete(),
      'clearedOnDelete() is only for nullable references.',
      'add nullable() before clearedOnDelete().',
    ],
    [
      'a default outside the choice',
      choice('ON', 'OFF').default('MAYBE' as 'ON'),
      'the default "MAYBE" is invalid: it must be "ON" or "OFF".',
      'change the default to a value that is valid for the field.',
    ],
    [
      'a default above the limit',
      integer({ max: 5 }).default(6),
      'the default 6 is invalid: it must be at most 5.',
      'change the default to a value that is valid for the field.',
    ],
    [
      'a default of the wrong type',
      boolean().default('false' as never),
      'the default "false" is invalid: it must be true or false.',
      'change the default to a value that is valid for the field.',
    ],
    [
      'a default of null, which the field does not allow',
      text().default(null as never),
      'the default null is invalid: it must not be null.',
      'change the default to a value that is valid for the field.',
    ],
    [
      'a default from an unknown field',
      text().defaultFrom('mail'),
      'defaultFrom() refers to the field "mail", which does not exist.',
      'use one of id, given.',
    ],
  ])('is rejected: %s', (_what, field, rule, fix) => {
    expect(userWith('given', field)).toThrow(new DeclarationError('noun "user", field "given"', rule, fix))
  })

  it.each([
    ['nullable', id.nullable()],
    ['with a default', id.default(1)],
    ['with the value of another', id.defaultFrom('number')],
  ])('is rejected as an identity that is %s', (_how, field) => {
    expect(() => noun('user', { id: field, number: integer() })).toThrow(
      new DeclarationError(
        'noun "user", field "id"',
        'an identity cannot be null or have a default: the server assigns it.',
        'remove nullable() and default().',
      ),
    )
  })

  it.each([
    ['itself', { name: text().defaultFrom('name') }, 'name'],
    [
      'each other, in a pair',
      { username: text().defaultFrom('email'), email: text().defaultFrom('username') },
      'username',
    ],
    [
      'each other, in a cycle of three',
      { a: text().defaultFrom('b'), b: text().defaultFrom('c'), c: text().defaultFrom('a') },
      'a',
    ],
    [
      'a cycle of other fields',
      { x: text().defaultFrom('a'), a: text().defaultFrom('b'), b: text().defaultFrom('a') },
      'a',
    ],
  ])('is rejected if defaults come from %s', (_name, fields, cycleStart) => {
    expect(() => noun('user', { id, ...fields })).toThrow(
      new DeclarationError(
        `noun "user", field "${cycleStart}"`,
        'its defaultFrom() is circular: it leads back to the field itself.',
        'replace the defaultFrom() of one field of the cycle by default().',
      ),
    )
  })

  it('may take its default from a field with defaultFrom()', () => {
    const fields = { id, nick: text().defaultFrom('username'), username: text().defaultFrom('email'), email: email() }
    expect(() => noun('user', fields)).not.toThrow()
  })

  it.each([
    ['equal limits', integer({ min: 1, max: 1 })],
    ['limits with a negative minimum', decimal({ scale: 2, min: '-10', max: '-9.5' })],
    ['a choice with one value', choice('ONLY')],
    ['a value without transitions', choice({ DRAFT: ['SENT'], SENT: [] })],
    ['transitions from null', choice({ null: ['DRAFT'], DRAFT: ['SENT', null], SENT: [] }).nullable()],
    ['null without transitions', choice({ null: [], DRAFT: [] }).nullable()],
    ['a default at the limit', integer({ min: 0 }).default(0)],
    ['the empty default', text().default('')],
    ['a decimal with the maximum precision', decimal({ precision: 18, scale: 17 })],
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

  // The field itself could not read these limits and defaults.
  it.each<[string, AnyField, string, string]>([
    [
      'a limit that is not a decimal',
      decimal({ scale: 2, min: 'abc' }),
      'the limit "abc" is invalid: it must be a decimal string with at most 16 digits before the decimal point and 2 after it, such as "12.50".',
      'change the limit to a value that is valid for the field.',
    ],
    [
      'a limit with more digits than the decimal',
      decimal({ scale: 2, min: '1.005' }),
      'the limit "1.005" is invalid: it must be a decimal string with at most 16 digits before the decimal point and 2 after it, such as "12.50".',
      'change the limit to a value that is valid for the field.',
    ],
    [
      'decimal limits in the wrong order that are equal as doubles',
      decimal({ scale: 0, min: '100000000000000001', max: '100000000000000000' }),
      ...limits('100000000000000001', '100000000000000000'),
    ],
    [
      'a limit that is not a date',
      date({ min: 'soon' }),
      'the limit "soon" is invalid: it must be a date such as "2026-11-15".',
      'change the limit to a value that is valid for the field.',
    ],
    [
      'a limit that is not a timestamp',
      timestamp({ max: '2026-01-01' }),
      'the limit "2026-01-01" is invalid: it must be a timestamp such as "2026-11-15T03:29:00.000Z".',
      'change the limit to a value that is valid for the field.',
    ],
    [
      'a limit that is not a number',
      number({ min: Number.NaN }),
      'the limit NaN is invalid: it must be a number.',
      'change the limit to a value that is valid for the field.',
    ],
    [
      'a limit beyond safe integers',
      integer({ max: 1e16 }),
      'the limit 10000000000000000 is invalid: it must be within ±9007199254740991.',
      'change the limit to a value that is valid for the field.',
    ],
    [
      'a negative length',
      text({ minLength: -1 }),
      'minLength and maxLength must be non-negative integers, not -1.',
      'use 0 or a positive integer.',
    ],
    [
      'a fractional length',
      text({ maxLength: 1.5 }),
      'minLength and maxLength must be non-negative integers, not 1.5.',
      'use 0 or a positive integer.',
    ],
    [
      'a choice value that cannot be stored',
      choice('\ud800'),
      'the value "\\ud800" cannot be stored.',
      'remove U+0000 and unpaired surrogates.',
    ],
    [
      'a choice of an array',
      choice(['OPEN', 'CLOSED'] as never),
      'choice() has an array, but its values are separate arguments.',
      "write choice('OPEN', 'CLOSED').",
    ],
    [
      'a transition that is not an array',
      choice({ OPEN: 'CLOSED', CLOSED: [] } as never),
      'the transitions from "OPEN" must be an array, not "CLOSED".',
      `list the values that "OPEN" may change to, or write 'OPEN': [].`,
    ],
    [
      'a default from a member of Object.prototype',
      text().defaultFrom('toString'),
      'defaultFrom() refers to the field "toString", which does not exist.',
      'use one of id, given.',
    ],
    [
      'a default from a field of another kind',
      text().defaultFrom('id'),
      'defaultFrom() refers to "id", whose type and limits do not guarantee a valid value for this field.',
      'use a field with the same type and limits; a text field without limits and pattern may also use an email, url, guid or choice field.',
    ],
  ])('is rejected with %s', (_what, field, rule, fix) => {
    expect(userWith('given', field)).toThrow(new DeclarationError('noun "user", field "given"', rule, fix))
  })

  const from = (target: AnyField, source: AnyField) => () =>
    noun('user', { id, own: target.defaultFrom('source'), source })

  it.each([
    ['a longer text', text({ maxLength: 5 }), text({ maxLength: 6 })],
    ['a text without a limit', text({ maxLength: 5 }), text()],
    ['a shorter text', text({ minLength: 2 }), text({ minLength: 1 })],
    ['a text that is not an e-mail address', email(), text()],
    ['a text that is not a URL', url(), text()],
    ['a greater number', integer({ max: 5 }), integer({ max: 6 })],
    ['a number with a fraction', integer(), number()],
    ['a decimal with more decimal places', decimal({ scale: 1 }), decimal({ scale: 2 })],
    ['a day', timestamp(), date()],
  ])('must not take its default from a field that may contain %s', (_what, target, source) => {
    expect(from(target, source)).toThrow(
      new DeclarationError(
        'noun "user", field "own"',
        'defaultFrom() refers to "source", whose type and limits do not guarantee a valid value for this field.',
        'use a field with the same type and limits; a text field without limits and pattern may also use an email, url, guid or choice field.',
      ),
    )
  })

  it('must not take its default from a field whose default only the database knows', () => {
    expect(from(text(), text().databaseDefault())).toThrow(
      new DeclarationError(
        'noun "user", field "own"',
        'defaultFrom() refers to "source", whose default only the database knows.',
        'use another field, or give "source" a default() instead of databaseDefault().',
      ),
    )
  })

  it('must not take its default from a field that can be null', () => {
    expect(from(text(), text().nullable())).toThrow(
      new DeclarationError(
        'noun "user", field "own"',
        'defaultFrom() refers to "source", whose type and limits do not guarantee a valid value for this field.',
        'add nullable() to this field, because "source" can be null.',
      ),
    )
  })

  it.each([
    ['another word', choice('ON', 'OFF'), choice('ON', 'OFF', 'MAYBE')],
    ['a decimal with more digits', decimal({ precision: 3, scale: 1 }), decimal({ precision: 5, scale: 1 })],
  ])('must not take its default from a field that may contain %s', (_what, target, source) => {
    expect(from(target, source)).toThrow(DeclarationError)
  })

  it.each([
    ['any text', text(), text({ maxLength: 80 })],
    ['an address', text(), email()],
    ['an address, in a text that is long enough', text({ maxLength: 254 }), email()],
    ['a word', text(), choice('ON', 'OFF')],
    ['null, if it may be null itself', text().nullable(), text().nullable()],
    ['the same kind', date(), date()],
    ['the same limits', integer({ min: 0, max: 9 }), integer({ min: 0, max: 9 })],
  ])('may take its default from a field that contains %s', (_what, target, source) => {
    expect(from(target, source)).not.toThrow()
  })

  /** Whether the limits and the default are in their stored form. */
  const isNormalized = ({ spec }: AnyField) => {
    const { min: _min, max: _max, ...unlimited } = spec
    const values = [spec.min, spec.max, spec.default].filter((value) => value !== undefined)
    return values.every((value) => JSON.stringify(readValue(unlimited, value)) === JSON.stringify({ value }))
  }

  // Values are compared and stored in one form, so other limits and defaults must be rejected or converted.
  it.each<[string, AnyField]>([
    ['a lower limit without milliseconds', timestamp({ min: '2026-01-01T00:00:00Z' })],
    ['an upper limit with an offset', timestamp({ max: '2026-01-01T00:00:00+02:00' })],
    ['a default with an offset', timestamp().default('2026-01-01T00:00:00+02:00')],
    ['a default with too few digits', decimal({ scale: 2 }).default('5')],
    ['a default in capital letters', guid().default('0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10')],
  ])('is rejected or has normalized limits and defaults: %s', (_what, field) => {
    let user: { readonly fields: { readonly [name: string]: AnyField } } = { fields: {} }
    try {
      user = userWith('given', field)()
    } catch (error) {
      expect(error).toBeInstanceOf(DeclarationError)
    }
    expect(Object.values(user.fields).every(isNormalized)).toBe(true)
  })
})
