// Limits of fields: accepted values, their form in a document, and rejected declarations.
import { describe, expect, it } from 'vitest'
import {
  boolean,
  choice,
  DeclarationError,
  date,
  decimal,
  email,
  fieldSchema,
  guid,
  identity,
  integer,
  noun,
  number,
  readValue,
  text,
  timestamp,
  url,
} from '../index.ts'

const id = identity()

describe('a string with a pattern', () => {
  const zip = text({ maxLength: 9, pattern: /^\d{4}$/ })

  it.each([
    ['1010', { value: '1010' }],
    ['101', { fault: 'must match the pattern ^\\d{4}$' }],
    ['1010\n', { fault: 'must match the pattern ^\\d{4}$' }],
    ['1010101010', { fault: 'must have at most 9 characters' }],
    [1010, { fault: 'must be a string' }],
  ])('reads %j', (value, reading) => {
    expect(readValue(zip.spec, value)).toEqual(reading)
  })

  it('searches the whole string, and counts characters beyond U+FFFF as one', () => {
    expect(readValue(text({ pattern: /b+/ }).spec, 'abc')).toEqual({ value: 'abc' })
    expect(readValue(text({ pattern: /^.$/ }).spec, '😀')).toEqual({ value: '😀' })
  })

  it('accepts null if it is nullable', () => {
    expect(readValue(zip.nullable().spec, null)).toEqual({ value: null })
  })

  it('is in the schema, without backslashes before slashes', () => {
    expect(fieldSchema(zip.spec)).toEqual({ type: 'string', maxLength: 9, pattern: '^\\d{4}$' })
    expect(fieldSchema(text({ pattern: /^a\/\\\/b$/ }).spec).pattern).toBe('^a/\\\\/b$')
  })
})

describe('limits of dates, timestamps and decimals', () => {
  it('are in the schema', () => {
    const range = { 'x-nomen-minimum': '2026-01-01', 'x-nomen-maximum': '2026-12-31' }
    expect(fieldSchema(date({ min: '2026-01-01', max: '2026-12-31' }).spec)).toMatchObject(range)
    expect(fieldSchema(timestamp({ min: '2026-01-01T00:00:00.000Z' }).spec)).toMatchObject({
      'x-nomen-minimum': '2026-01-01T00:00:00.000Z',
    })
    expect(fieldSchema(decimal({ scale: 2, max: '9.50' }).spec)).toMatchObject({ 'x-nomen-maximum': '9.50' })
  })
})

it('limits the length of an e-mail address', () => {
  expect(readValue(email({ maxLength: 7 }).spec, 'a@b.test')).toEqual({ fault: 'must have at most 7 characters' })
})

describe('a declaration is rejected', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'backreferences',
      () => noun('note', { id, code: text({ pattern: /(a)\1/ }) }),
      /field "code": the pattern \/\(a\)\\1\/ uses a backreference/,
    ],
    ['lookahead', () => noun('note', { id, code: text({ pattern: /(?=a)b/ }) }), /uses a lookahead or lookbehind/],
    [
      'an unknown kind of search',
      () => noun('note', { id, code: text({ search: 'fuzzy' as never }) }),
      /field "code": search must not be "fuzzy"\.\n.*use one of 'accent-insensitive'/,
    ],
    [
      'an unknown collation',
      () => noun('note', { id, code: text({ sort: 'xx' as never }) }),
      /field "code": sort must not be "xx"\.\n.*use one of 'root', 'cs', 'da', 'de'/,
    ],
    ['flags', () => noun('note', { id, code: text({ pattern: /a/i }) }), /has the flags "i"/],
    [
      'a pattern as a text',
      () => noun('note', { id, code: text({ pattern: '^a$' as never }) }),
      /pattern must be a regular expression, not "\^a\$"/,
    ],
    [
      'a pattern that no text of the length matches',
      () => noun('note', { id, code: text({ maxLength: 2, pattern: /^a{3}$/ }) }),
      /no string within minLength and maxLength matches/,
    ],
    [
      'a default that does not match',
      () => noun('note', { id, code: text({ pattern: /^a$/ }).default('b') }),
      /default "b" is invalid: it must match the pattern/,
    ],
    [
      'an example that does not match',
      () => noun('note', { id, code: text({ pattern: /^a$/ }).example('b') }),
      /example "b" is invalid: it must match the pattern/,
    ],
    [
      'a default from a field without the pattern',
      () => noun('note', { id, code: text({ pattern: /^a$/ }).defaultFrom('name'), name: text() }),
      /do not guarantee a valid value for this field/,
    ],
    [
      'the word minimum',
      () => noun('note', { id, size: integer({ minimum: 1 } as object) }),
      /integer\(\) has no option "minimum"\.\n {2}Fix: write min\./,
    ],
    ['the word maximum', () => noun('note', { id, size: number({ maximum: 1 } as object) }), /Fix: write max\./],
    [
      'the word exclusiveMinimum',
      () => noun('note', { id, size: number({ exclusiveMinimum: 0 } as object) }),
      /Fix: write min\./,
    ],
    ['the word regex', () => noun('note', { id, code: text({ regex: /a/ } as object) }), /Fix: write pattern\./],
    [
      'min of a text',
      () => noun('note', { id, code: text({ min: 1 } as object) }),
      /text\(\) has no option "min"\.\n {2}Fix: write minLength\./,
    ],
    [
      'maxLength of a number',
      () => noun('note', { id, size: integer({ maxLength: 1 } as object) }),
      /Fix: write max\./,
    ],
    [
      'a pattern of a url',
      () => noun('note', { id, site: url({ pattern: /a/ } as object) }),
      /url\(\) has no option "pattern"/,
    ],
  ])('with %s', (_, declare, message) => {
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(message)
  })

  it('accepts the limits of every kind', () => {
    const fields = {
      id,
      a: integer({ min: 0, max: 9 }),
      b: number({ min: 0, max: 9 }),
      c: decimal({ scale: 1, min: '0.0', max: '9.0' }),
      d: date({ min: '2026-01-01', max: '2026-12-31' }),
      e: timestamp({ min: '2026-01-01T00:00:00.000Z' }),
      f: text({ minLength: 1, maxLength: 9, pattern: /^x/ }),
      g: url({ minLength: 9, maxLength: 99 }),
      h: email({ maxLength: 99 }),
      i: boolean(),
      j: choice('A'),
      k: guid(),
    }
    expect(noun('note', fields).identity).toBe('id')
  })
})
