/** Valid and almost valid values of every kind of field, and a second validator for them: Ajv. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { FieldSpec, Value } from '../src/field/field.ts'
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
} from '../src/field/kinds.ts'
import { isStorable, readValue } from '../src/field/read-value.ts'
import { fieldSchema } from '../src/field/schema.ts'

/** Validates values against the JSON schema of a field, independently of our own code. */
const ajv = new Ajv2020({ allowUnionTypes: true, formats: { decimal: true, int64: true } })
formats.default(ajv)
const validators = new Map<string, (value: unknown) => boolean>()
export function fitsSchema(spec: FieldSpec, value: unknown): boolean {
  const schema = fieldSchema(spec)
  const key = JSON.stringify(schema)
  const validator = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validator)
  return validator(value)
}

export const isAccepted = (spec: FieldSpec, value: unknown) => 'value' in readValue(spec, value)

/** Reads an input that must be valid. */
export function readValid(spec: FieldSpec, input: unknown): Value {
  const reading = readValue(spec, input)
  if ('fault' in reading) expect.unreachable(`${JSON.stringify(input)} ${reading.fault}`)
  return reading.value
}

/** Any text that both databases can store. A JSON schema cannot exclude other texts. */
export const storable = fc.string({ unit: 'binary' }).filter(isStorable)

const maxSafe = Number.MAX_SAFE_INTEGER
const safeInteger = fc.maxSafeInteger()
const lengthLimits = fc.record(
  { minLength: fc.nat({ max: 4 }), maxLength: fc.integer({ min: 4, max: 8 }) },
  { requiredKeys: [] },
)
const bounds = <Bound extends number>(bound: fc.Arbitrary<Bound>) =>
  fc
    .record({ min: bound, max: bound }, { requiredKeys: [] })
    .filter(({ min, max }) => !((min ?? 0) > (max ?? min ?? 0)))
export const decimalSpecs = fc
  .integer({ min: 1, max: 18 })
  .chain((precision) => fc.record({ precision: fc.constant(precision), scale: fc.nat({ max: precision - 1 }) }))
  .map((limits) => decimal(limits).spec)
const digit = fc.constantFrom(...'0123456789')
const digits = (minLength: number, maxLength: number) => fc.string({ unit: digit, minLength, maxLength })
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length })
export const guids = fc.tuple(hex(8), hex(4), hex(4), hex(4), hex(12)).map((parts) => parts.join('-'))

/** A text with one character removed, inserted or replaced. */
const withTypo = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.nat(), fc.nat({ max: 1 }), fc.oneof(fc.constantFrom('', '.', '-', '0', ' ', '\n', 'T'), storable))
    .map(([text, offset, removedCount, inserted]) => {
      const index = offset % (text.length + 1)
      return text.slice(0, index) + inserted + text.slice(index + removedCount)
    })
    .filter(isStorable)

const choices = ['ACTIVE', 'SUSPENDED', '', 'é', '0']
// Ajv accepts the year 0000, which some databases cannot store.
const withoutYearZero = (texts: fc.Arbitrary<string>) => texts.filter((text) => !text.startsWith('0000-'))
const days = fc
  .tuple(fc.nat({ max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 }))
  .map(([year, month, day]) => [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day).padStart(2, '0'),
  ])
  .map((parts) => parts.join('-'))
// Ajv accepts more than RFC 3339 (a space instead of the T, offsets without a colon), leap seconds and lower case. A field
// rejects them, so these timestamps have capital letters, full offsets and seconds below 60. The years leave out both ends
// of the calendar, where an offset could lead to a year without four digits.
const timestamps = fc
  .record({
    year: fc.integer({ min: 1, max: 9998 }),
    parts: fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 33 }), fc.nat({ max: 25 }), fc.nat({ max: 61 })),
    second: fc.nat({ max: 59 }),
    fraction: fc.oneof(
      fc.constant(''),
      digits(0, 5).map((digits) => `.${digits}`),
    ),
    zone: fc.oneof(
      fc.constantFrom('Z', '+00:00', '-23:59', '', '+24:00', '+01:60'),
      fc
        .tuple(fc.constantFrom('+', '-'), digits(2, 2), digits(2, 2))
        .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
    ),
  })
  .map(({ year, parts, second, fraction, zone }) => {
    const [month, day, hour, minute] = parts.map((part) => String(part).padStart(2, '0'))
    const time = `${hour}:${minute}:${String(second).padStart(2, '0')}`
    return `${String(year).padStart(4, '0')}-${month}-${day}T${time}${fraction}${zone}`
  })
// Ajv requires a dot in the domain and none at either end of the name (RFC 5321). A field accepts the same addresses as
// browsers (`root@localhost`). These addresses leave out the difference.
const emailAddresses = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'aZ09!#$%&\'*+/=?^_`{|}~-."@ (é'), maxLength: 8 }),
    fc.constantFrom('@', '@', '@', '', '@@', ' @'),
    fc.string({ unit: fc.constantFrom(...'aZ09--_@é'), maxLength: 5 }),
    fc.string({ unit: fc.constantFrom(...'aZ09-'), minLength: 0, maxLength: 4 }),
  )
  .map(([name, separator, domain, top]) => `${name}${separator}${domain}.${top}`)
  .filter((address) => !/^\.|\.\.|\.@/.test(address))
// The format `uri` allows any scheme, but only ASCII; a field accepts only http and https.
const webUrls = fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] })

/** For each kind: fields with and without limits, and values that are valid or almost valid. */
export const kinds: { readonly [kind: string]: { specs: fc.Arbitrary<FieldSpec>; nearValues: fc.Arbitrary<unknown> } } =
  {
    identity: {
      specs: fc.constant(identity().spec),
      nearValues: fc.oneof(safeInteger, fc.constantFrom(0, 1, -0, -1, 2 ** 53, 2 ** 53 - 1, 1.5)),
    },
    reference: {
      specs: fc.constant({ kind: 'reference' }),
      nearValues: fc.oneof(safeInteger, fc.constantFrom(0, 1, -0, -1, 2 ** 53, 2 ** 53 - 1, 1.5)),
    },
    'guid identity': { specs: fc.constant(identity('guid').spec), nearValues: fc.oneof(guids, withTypo(guids)) },
    'guid reference': {
      specs: fc.constant({ kind: 'reference', guid: true }),
      nearValues: fc.oneof(guids, withTypo(guids)),
    },
    // Only a few limits, because Ajv compiles each new schema slowly.
    integer: {
      specs: bounds(fc.constantFrom(-9, 0, 7, -maxSafe, maxSafe)).map((range) => integer(range).spec),
      nearValues: fc.oneof(
        fc.integer({ min: -12, max: 12 }),
        safeInteger,
        fc.double(),
        fc.constantFrom(2 ** 53, -(2 ** 53), 1e300),
      ),
    },
    number: {
      specs: bounds(fc.constantFrom(-1e300, -0.5, 0, 0.1, 1e300)).map((range) => number(range).spec),
      nearValues: fc.oneof(
        fc.double(),
        fc.double({ min: -1, max: 1 }),
        safeInteger,
        fc.constantFrom(-0, -0.5, 0.1, 1e300, Number.MAX_VALUE, Number.MIN_VALUE),
      ),
    },
    decimal: {
      specs: decimalSpecs,
      nearValues: fc.oneof(
        fc
          .tuple(fc.constantFrom('', '-', '+', '--'), digits(0, 20), fc.constantFrom('', '.'), digits(0, 20))
          .map((parts) => parts.join('')),
        fc
          .tuple(fc.constantFrom('', '-'), digits(1, 3), digits(1, 3))
          .map(([sign, integerDigits, fractionDigits]) => `${sign}${integerDigits}.${fractionDigits}`),
        fc.constantFrom('1e3', ' 1', '1 ', '1\n', '.5', '5.', '1,5', '٣', '0x1', 'NaN', 'Infinity', '1_000'),
      ),
    },
    text: {
      specs: lengthLimits.map((limits) => text(limits).spec),
      nearValues: fc.string({ unit: 'binary', maxLength: 10 }).filter(isStorable),
    },
    email: {
      specs: fc.constant(email().spec),
      nearValues: fc.oneof(
        fc.emailAddress(),
        emailAddresses,
        digits(240, 270).map((name) => `${name}@example.com`),
      ),
    },
    url: {
      specs: lengthLimits.map(({ minLength = 0, maxLength = 4 }) => url({ minLength, maxLength: maxLength * 10 }).spec),
      nearValues: fc.oneof(webUrls, fc.webPath(), fc.domain()),
    },
    // Ajv also accepts the prefix `urn:uuid:`, which is not part of a guid (RFC 4122).
    guid: {
      specs: fc.constant(guid().spec),
      nearValues: fc.oneof(
        guids,
        withTypo(guids),
        guids.map((guidText) => `{${guidText}}`),
        guids.map((guidText) => guidText.replaceAll('-', '')),
      ),
    },
    boolean: { specs: fc.constant(boolean().spec), nearValues: fc.constantFrom(true, false, 'true', 0, 1) },
    choice: {
      specs: fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1 }).map((values) => choice(...values).spec),
      nearValues: fc.constantFrom(...choices, 'active', 'ACTIVE '),
    },
    date: { specs: fc.constant(date().spec), nearValues: withoutYearZero(fc.oneof(days, withTypo(days))) },
    timestamp: { specs: fc.constant(timestamp().spec), nearValues: timestamps },
  }

export const maybeNullable = (specs: fc.Arbitrary<FieldSpec>) =>
  fc.tuple(specs, fc.boolean()).map(([spec, nullable]): FieldSpec => (nullable ? { ...spec, nullable } : spec))
/** Any JSON value except text, which could be an e-mail address that only one of the two validators accepts. */
export const otherJson = fc
  .oneof(fc.jsonValue(), fc.constantFrom(null, true, false, 0, 1, -1, [], {}, [null], ['ACTIVE'], [1], { value: 1 }))
  .filter((value) => typeof value !== 'string')
