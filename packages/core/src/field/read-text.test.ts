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
const notStorable = 'must hold neither U+0000 nor half of a surrogate pair'

describe('readText', () => {
  it('gives a value or a fault for any text, and never fails', () => {
    fc.assert(
      fc.property(anySpec, anyText, (spec, given) => {
        for (const reading of [readText(spec, given), readBound(spec, given)]) {
          if ('fault' in reading) expect(reading.fault).toMatch(/^must [^\n]*[^\s.]$/)
          else expect(['string', 'number', 'boolean', 'object']).toContain(typeof reading.value)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('reads the text of any value that a field holds as that value', () => {
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
      fc.property(anySpec, values, (spec, given) => {
        const held = readValue(spec, given)
        fc.pre('value' in held && held.value !== '')
        expect(readText(spec, String(held.value))).toEqual(held)
      }),
      { numRuns: 1500 },
    )
  })

  it.each(specs)('reads the empty text as null where the field is nullable: $kind', (spec) => {
    expect(readText({ ...spec, nullable: true }, '')).toEqual({ value: null })
  })

  it('reads the empty text as itself where the field is a text and not nullable', () => {
    for (const { spec } of [text(), email(), url(), guid(), date(), timestamp(), decimal({ scale: 2 })])
      expect(readText(spec, '')).toEqual({ value: '' })
  })

  it.each([
    [integer().spec, 'must be an integer'],
    [identity().spec, 'must be an integer'],
    [reference, 'must be an integer'],
    [number().spec, 'must be a number'],
    [boolean().spec, 'must be true or false'],
    [choice('ON', 'OFF').spec, 'must be one of "ON", "OFF"'],
  ])('refuses the empty text where it is of the wrong type: $kind', (spec, fault) => {
    expect(readText(spec, '')).toEqual({ fault })
  })

  it.each(specs)('refuses U+0000 and half of a surrogate pair: $kind', (spec) => {
    expect(readText(spec, '1\u0000')).toEqual({ fault: notStorable })
    expect(readText(spec, '\udc00')).toEqual({ fault: notStorable })
  })

  it('checks no format, length or range: no record has such a value', () => {
    expect(readText(email().spec, 'nobody')).toEqual({ value: 'nobody' })
    expect(readText(url().spec, 'nowhere')).toEqual({ value: 'nowhere' })
    expect(readText(text({ maxLength: 1 }).spec, 'long')).toEqual({ value: 'long' })
    expect(readText(integer({ max: 1 }).spec, '5')).toEqual({ value: 5 })
    expect(readText(number({ max: 1 }).spec, '5')).toEqual({ value: 5 })
    expect(readText(decimal({ scale: 2, max: '1' }).spec, '5')).toEqual({ value: '5.00' })
    expect(readText(decimal({ scale: 2 }).spec, '5.005')).toEqual({ value: '5.005' })
    expect(readText(date().spec, '2026-02-30')).toEqual({ value: '2026-02-30' })
    expect(readText(timestamp().spec, 'soon')).toEqual({ value: 'soon' })
    expect(readText(identity().spec, '-1')).toEqual({ value: -1 })
  })

  it.each([
    ['identity', identity().spec],
    ['reference', reference],
    ['integer', integer().spec],
  ])('reads digits only as an %s', (_kind, spec) => {
    const refused = [
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
    for (const given of refused) expect(readText(spec, given), given).toEqual({ fault: 'must be an integer' })
    expect(readText(spec, '007')).toEqual({ value: 7 })
    expect(readText(spec, '-0')).toEqual({ value: 0 })
  })

  it('reads every safe integer, and refuses those beyond', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(readText(integer().spec, `${value}`)).toEqual({ value })
      }),
    )
    for (const given of ['9007199254740992', '-9007199254740992', '9'.repeat(20)])
      expect(readText(integer().spec, given)).toEqual({ fault: 'must lie within ±9007199254740991' })
  })

  it('reads a number as JSON writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readText(number().spec, JSON.stringify(value))).toEqual({ value: value === 0 ? 0 : value })
      }),
    )
    for (const given of ['.5', '5.', '+1', 'Infinity', 'NaN', '0x1', ' 1', '1e', '1e999', '-1e999'])
      expect(readText(number().spec, given), given).toEqual({ fault: 'must be a number' })
  })

  it.each(['TRUE', 'True', '1', '0', 'yes', ' true'])('takes %j for no flag', (given) => {
    expect(readText(boolean().spec, given)).toEqual({ fault: 'must be true or false' })
  })

  it('refuses a value outside a choice', () => {
    expect(readText(choice('ON', 'OFF').spec, 'OFF')).toEqual({ value: 'OFF' })
    expect(readText(choice('ON', 'OFF').spec, 'off')).toEqual({ fault: 'must be one of "ON", "OFF"' })
  })

  it('compares guids without regard to case', () => {
    for (const spec of [guid().spec, identity('guid').spec, { ...reference, guid: true as const }])
      expect(readText(spec, 'ABC')).toEqual({ value: 'abc' })
  })

  it('brings a timestamp and a decimal into the form in which they are stored', () => {
    expect(readText(timestamp().spec, '2026-11-15T03:29:00+01:00')).toEqual({ value: '2026-11-15T02:29:00.000Z' })
    expect(readText(decimal({ scale: 2 }).spec, '-07.5')).toEqual({ value: '-7.50' })
  })
})

describe('readBound', () => {
  it.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T03:29:00Z', '2026-11-15T03:29:00.000Z'],
    ['2026-11-15T03:29:00+01:00', '2026-11-15T02:29:00.000Z'],
  ])('reads %s as the moment %s', (given, value) => {
    expect(readBound(timestamp().spec, given)).toEqual({ value })
  })

  it.each(['', 'soon', '2026-02-30', '2026-11', '2026-11-15T03:29', '2026-02-30T00:00:00Z'])(
    'takes %j for no moment',
    (given) => {
      expect(readBound(timestamp().spec, given)).toEqual({
        fault: 'must be a timestamp such as 2026-11-15T03:29:00.000Z, or a date',
      })
    },
  )

  it('reads a date, and nothing else, as a day', () => {
    expect(readBound(date().spec, '2024-02-29')).toEqual({ value: '2024-02-29' })
    for (const given of ['', '2023-02-29', '2024-02-29T00:00:00Z'])
      expect(readBound(date().spec, given)).toEqual({ fault: 'must be a date such as 2026-11-15' })
  })

  it('reads a decimal in its one form, and refuses what is none', () => {
    const { spec } = decimal({ precision: 4, scale: 2 })
    expect(readBound(spec, '7.5')).toEqual({ value: '7.50' })
    for (const given of ['', 'x', '7.555', '100'])
      expect(readBound(spec, given)).toEqual({
        fault: 'must be a decimal string such as "12.50", at most 2 digits before the point and 2 behind it',
      })
  })

  it('lies where it likes, whatever the limits of the field', () => {
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
