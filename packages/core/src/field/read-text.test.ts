import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldSpec } from './field.ts'
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
  text,
  timestamp,
  url,
} from './kinds.ts'
import { readBound, readText } from './read-text.ts'
import { readValue } from './read-value.ts'

const reference: FieldSpec = { kind: 'reference' }
const specs: readonly FieldSpec[] = [
  identity().spec,
  identity('guid').spec,
  reference,
  { ...reference, guid: true },
  integer({ min: 0, max: 10 }).spec,
  number({ min: 0, max: 10 }).spec,
  decimal({ scale: 2, min: '0', max: '10' }).spec,
  text({ minLength: 1, maxLength: 3 }).spec,
  email().spec,
  url().spec,
  guid().spec,
  boolean().spec,
  choice('ON', 'OFF').spec,
  date({ min: '2026-01-01' }).spec,
  timestamp({ max: '2026-01-01T00:00:00.000Z' }).spec,
]
const anySpec = fc
  .tuple(fc.constantFrom(...specs), fc.boolean())
  .map(([spec, nullable]): FieldSpec => (nullable ? { ...spec, nullable } : spec))
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((moment) => moment.toISOString()),
  fc.constantFrom('', 'true', 'null', '\u0000', '\ud800', '1e999', '-', '--1', '9'.repeat(400)),
)
const notStorable = 'must not contain U+0000 or an unpaired surrogate'

describe('readText', () => {
  it('returns a value or a fault for any string, and never throws', () => {
    fc.assert(
      fc.property(anySpec, anyText, (spec, input) => {
        for (const reading of [readText(spec, input), readBound(spec, input)]) {
          if ('fault' in reading) expect(reading.fault).toMatch(/^must [^\n]*[^\s.]$/)
          else expect(['string', 'number', 'boolean', 'object']).toContain(typeof reading.value)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('reads the string of any value of a field as that value', () => {
    const values = fc.oneof(
      fc.maxSafeInteger(),
      fc.double(),
      fc.boolean(),
      fc.string({ unit: 'binary' }),
      fc.uuid(),
      fc.emailAddress(),
      fc.webUrl(),
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((moment) => moment.toISOString()),
      fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10)),
      fc.integer({ min: 0, max: 1000 }).map((cents) => (cents / 100).toFixed(2)),
      fc.constantFrom('ON', 'OFF', 0, 1, 2.5, 10),
    )
    fc.assert(
      fc.property(anySpec, values, (spec, input) => {
        const reading = readValue(spec, input)
        fc.pre('value' in reading && reading.value !== '')
        expect(readText(spec, String(reading.value))).toEqual(reading)
      }),
      { numRuns: 1500 },
    )
  })

  it.each(specs)('reads the empty string as null if the field is nullable: $kind', (spec) => {
    expect(readText({ ...spec, nullable: true }, '')).toEqual({ value: null })
  })

  it('reads the empty text unchanged for a text field that is not nullable', () => {
    for (const { spec } of [text(), email(), url()]) expect(readText(spec, '')).toEqual({ value: '' })
  })

  it.each([
    [integer().spec, 'must be an integer'],
    [identity().spec, 'must be an integer'],
    [reference, 'must be an integer'],
    [number().spec, 'must be a number'],
    [boolean().spec, 'must be true or false'],
    [choice('ON', 'OFF').spec, 'must be "ON" or "OFF"'],
  ])('rejects the empty string for fields that are not text: $kind', (spec, fault) => {
    expect(readText(spec, '')).toEqual({ fault })
  })

  it.each(specs)('rejects U+0000 and unpaired surrogates: $kind', (spec) => {
    expect(readText(spec, '1\u0000')).toEqual({ fault: notStorable })
    expect(readText(spec, '\udc00')).toEqual({ fault: notStorable })
  })

  it('does not check format, length or range, because no record has such a value', () => {
    expect(readText(email().spec, 'nobody')).toEqual({ value: 'nobody' })
    expect(readText(url().spec, 'nowhere')).toEqual({ value: 'nowhere' })
    expect(readText(text({ maxLength: 1 }).spec, 'long')).toEqual({ value: 'long' })
    expect(readText(integer({ max: 1 }).spec, '5')).toEqual({ value: 5 })
    expect(readText(number({ max: 1 }).spec, '5')).toEqual({ value: 5 })
    expect(readText(decimal({ scale: 2, max: '1' }).spec, '5')).toEqual({ value: '5.00' })
    expect(readText(date({ max: '2026-01-01' }).spec, '2026-01-02')).toEqual({ value: '2026-01-02' })
    expect(readText(identity().spec, '-1')).toEqual({ value: -1 })
  })

  it.each([
    ['identity', identity().spec],
    ['reference', reference],
    ['integer', integer().spec],
  ])('reads only digits as an %s', (_kind, spec) => {
    const rejected = [
      '1e3',
      '1.0',
      ' 1',
      '1 ',
      '+1',
      '--1',
      '-',
      '1_000',
      '1,000',
      '0x1f',
      '0b1',
      '1n',
      'NaN',
      '١',
      '1\n',
      '',
    ]
    for (const input of rejected) expect(readText(spec, input), input).toEqual({ fault: 'must be an integer' })
    expect(readText(spec, '007')).toEqual({ value: 7 })
    expect(readText(spec, '-0')).toEqual({ value: 0 })
  })

  it('reads every safe integer, and rejects larger ones', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(readText(integer().spec, `${value}`)).toEqual({ value })
      }),
    )
    for (const input of ['9007199254740992', '-9007199254740992', '9'.repeat(20)])
      expect(readText(integer().spec, input)).toEqual({ fault: 'must be within ±9007199254740991' })
  })

  it('reads a number as JSON writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readText(number().spec, JSON.stringify(value))).toEqual({ value: value === 0 ? 0 : value })
      }),
    )
    for (const input of ['.5', '5.', '+1', 'Infinity', 'NaN', '0x1', ' 1', '1e', '1e999', '-1e999'])
      expect(readText(number().spec, input), input).toEqual({ fault: 'must be a number' })
  })

  it.each(['TRUE', 'True', '1', '0', 'yes', ' true'])('rejects %j as a boolean', (input) => {
    expect(readText(boolean().spec, input)).toEqual({ fault: 'must be true or false' })
  })

  it('rejects a value outside a choice', () => {
    expect(readText(choice('ON', 'OFF').spec, 'OFF')).toEqual({ value: 'OFF' })
    expect(readText(choice('ON', 'OFF').spec, 'off')).toEqual({ fault: 'must be "ON" or "OFF"' })
  })

  it('reads guids in any letter case, and rejects other strings', () => {
    const value = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'
    for (const spec of [guid().spec, identity('guid').spec, { ...reference, guid: true as const }]) {
      expect(readText(spec, value.toUpperCase())).toEqual({ value })
      for (const input of ['', 'abc', `{${value}}`, value.replaceAll('-', ''), '7'])
        expect(readText(spec, input), input).toEqual({ fault: expect.stringMatching(/^must be a guid such as /) })
    }
  })

  it.each([
    [timestamp().spec, ['', 'soon', '2026', '2026-11-15', '2026-13-45T99:00:00Z', '2026-02-30T00:00:00Z'], 'timestamp'],
    [date().spec, ['', 'soon', '2026-02-30', '2026-11', '2026-11-15T00:00:00Z'], 'date'],
    [decimal({ scale: 2 }).spec, ['', 'x', '5.005', '1e3', '5,00', ' 5'], 'decimal string'],
  ])('rejects a string of another type: $kind', (spec, inputs, name) => {
    for (const input of inputs)
      expect(readText(spec, input), input).toEqual({ fault: expect.stringMatching(`^must be a ${name} .*such as `) })
  })

  it('converts a timestamp and a decimal to their stored form', () => {
    expect(readText(timestamp().spec, '2026-11-15T03:29:00+01:00')).toEqual({ value: '2026-11-15T02:29:00.000Z' })
    expect(readText(decimal({ scale: 2 }).spec, '-07.5')).toEqual({ value: '-7.50' })
  })
})

describe('readBound', () => {
  it.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T03:29:00Z', '2026-11-15T03:29:00.000Z'],
    ['2026-11-15T03:29:00+01:00', '2026-11-15T02:29:00.000Z'],
  ])('reads %s as the timestamp %s', (input, value) => {
    expect(readBound(timestamp().spec, input)).toEqual({ value })
  })

  it.each(['', 'soon', '2026-02-30', '2026-11', '2026-11-15T03:29', '2026-02-30T00:00:00Z'])(
    'rejects %j as a timestamp',
    (input) => {
      expect(readBound(timestamp().spec, input)).toEqual({
        fault: 'must be a timestamp such as 2026-11-15T03:29:00.000Z, or a date',
      })
    },
  )

  it('reads only a date as a date', () => {
    expect(readBound(date().spec, '2024-02-29')).toEqual({ value: '2024-02-29' })
    for (const input of ['', '2023-02-29', '2024-02-29T00:00:00Z'])
      expect(readBound(date().spec, input)).toEqual({ fault: 'must be a date such as 2026-11-15' })
  })

  it('reads a decimal in its normalized form, and rejects other strings', () => {
    const { spec } = decimal({ precision: 4, scale: 2 })
    expect(readBound(spec, '7.5')).toEqual({ value: '7.50' })
    for (const input of ['', 'x', '7.555', '100'])
      expect(readBound(spec, input)).toEqual({
        fault:
          'must be a decimal string with at most 2 digits before the decimal point and 2 after it, such as "12.50"',
      })
  })

  it('accepts values outside the limits of the field', () => {
    expect(readBound(integer({ min: 5 }).spec, '1')).toEqual({ value: 1 })
    expect(readBound(number({ max: 5 }).spec, '9.5')).toEqual({ value: 9.5 })
    const { spec } = decimal({ scale: 1, min: '4', max: '5' })
    expect(readBound(spec, '9')).toEqual({ value: '9.0' })
    expect(readBound(spec, '1')).toEqual({ value: '1.0' })
    expect(readBound(date({ min: '2026-01-01' }).spec, '2020-01-01')).toEqual({ value: '2020-01-01' })
    expect(readBound(timestamp({ min: '2026-01-01T00:00:00.000Z' }).spec, '2020-01-01')).toEqual({
      value: '2020-01-01T00:00:00.000Z',
    })
  })

  it.each(['integer', 'number', 'decimal', 'date', 'timestamp'] as const)('is never null: %s', (kind) => {
    expect(readBound({ kind, nullable: true }, '')).toHaveProperty('fault')
  })
})
