import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldSpec, Value } from './field.ts'
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
import { isStorable, readValue, scaledDecimal } from './read-value.ts'
import { fieldSchema } from './schema.ts'

/** A second opinion: somebody else's reading of the schema that the field itself gives. */
const ajv = new Ajv2020({ allowUnionTypes: true, formats: { decimal: true } })
formats.default(ajv)
const judges = new Map<string, (value: unknown) => boolean>()
function judge(spec: FieldSpec, value: unknown): boolean {
  const schema = fieldSchema(spec)
  const key = JSON.stringify(schema)
  const known = judges.get(key) ?? ajv.compile(schema)
  judges.set(key, known)
  return known(value)
}

const isAccepted = (spec: FieldSpec, value: unknown) => 'value' in readValue(spec, value)

/** Reads and expects a value. */
function read(spec: FieldSpec, given: unknown): Value {
  const reading = readValue(spec, given)
  if ('fault' in reading) expect.unreachable(`${JSON.stringify(given)} ${reading.fault}`)
  return reading.value
}

/** Any text that both databases can hold; no schema can say that the others are refused. */
const storable = fc.string({ unit: 'binary' }).filter(isStorable)

const largest = Number.MAX_SAFE_INTEGER
const safe = fc.maxSafeInteger()
const sized = fc.record(
  { minLength: fc.nat({ max: 4 }), maxLength: fc.integer({ min: 4, max: 8 }) },
  { requiredKeys: [] },
)
const bounds = <Bound extends number>(bound: fc.Arbitrary<Bound>) =>
  fc
    .record({ min: bound, max: bound }, { requiredKeys: [] })
    .filter(({ min, max }) => !((min ?? 0) > (max ?? min ?? 0)))
const decimalSpecs = fc
  .integer({ min: 1, max: 18 })
  .chain((precision) => fc.record({ precision: fc.constant(precision), scale: fc.nat({ max: precision - 1 }) }))
  .map((limits) => decimal(limits).spec)
const digit = fc.constantFrom(...'0123456789')
const digits = (minLength: number, maxLength: number) => fc.string({ unit: digit, minLength, maxLength })
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length })
const guids = fc.tuple(hex(8), hex(4), hex(4), hex(4), hex(12)).map((parts) => parts.join('-'))

/** A text with one character taken out, put in or put in the place of another. */
const spoilt = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.nat(), fc.nat({ max: 1 }), fc.oneof(fc.constantFrom('', '.', '-', '0', ' ', '\n', 'T'), storable))
    .map(([whole, place, removed, added]) => {
      const at = place % (whole.length + 1)
      return whole.slice(0, at) + added + whole.slice(at + removed)
    })
    .filter(isStorable)

const choices = ['ACTIVE', 'SUSPENDED', '', 'é', '0']
// The judge takes the year 0000 too, which is the last one before our era and which not every database has.
const inOurEra = (texts: fc.Arbitrary<string>) => texts.filter((text) => !text.startsWith('0000-'))
const days = fc
  .tuple(fc.nat({ max: 9999 }), fc.nat({ max: 14 }), fc.nat({ max: 33 }))
  .map(([year, month, day]) => [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day).padStart(2, '0'),
  ])
  .map((parts) => parts.join('-'))
// The judge is more lenient than RFC 3339 (a space for the T, offsets without a colon) and takes leap seconds and lower
// case, which a clock here does not: so all of these have capital letters, full offsets and seconds below 60. Years keep
// away from both ends of the calendar, where an offset leads to a year that four digits cannot tell.
const moments = fc
  .record({
    year: fc.integer({ min: 1, max: 9998 }),
    rest: fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 33 }), fc.nat({ max: 25 }), fc.nat({ max: 61 })),
    second: fc.nat({ max: 59 }),
    fraction: fc.oneof(
      fc.constant(''),
      digits(0, 5).map((all) => `.${all}`),
    ),
    zone: fc.oneof(
      fc.constantFrom('Z', '+00:00', '-23:59', '', '+24:00', '+01:60'),
      fc
        .tuple(fc.constantFrom('+', '-'), digits(2, 2), digits(2, 2))
        .map(([sign, hour, rest]) => `${sign}${hour}:${rest}`),
    ),
  })
  .map(({ year, rest, second, fraction, zone }) => {
    const [month, day, hour, minute] = rest.map((part) => String(part).padStart(2, '0'))
    const time = `${hour}:${minute}:${String(second).padStart(2, '0')}`
    return `${String(year).padStart(4, '0')}-${month}-${day}T${time}${fraction}${zone}`
  })
// The judge wants a point in the domain and none at either end of the name (RFC 5321); a field takes what browsers take
// (`root@localhost`). Where only that differs, there is nothing to agree on.
const addresses = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'aZ09!#$%&\'*+/=?^_`{|}~-."@ (é'), maxLength: 8 }),
    fc.constantFrom('@', '@', '@', '', '@@', ' @'),
    fc.string({ unit: fc.constantFrom(...'aZ09--_@é'), maxLength: 5 }),
    fc.string({ unit: fc.constantFrom(...'aZ09-'), minLength: 0, maxLength: 4 }),
  )
  .map(([name, at, domain, top]) => `${name}${at}${domain}.${top}`)
  .filter((address) => !/^\.|\.\.|\.@/.test(address))
// The format `uri` is any scheme; a field takes http and https only. It also knows no letters but ASCII.
const webAddresses = fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] })

/** For each kind: fields with and without limits, and texts and numbers in the neighbourhood of what they take. */
const kinds: { readonly [kind: string]: { specs: fc.Arbitrary<FieldSpec>; near: fc.Arbitrary<unknown> } } = {
  identity: {
    specs: fc.constant(identity().spec),
    near: fc.oneof(safe, fc.constantFrom(0, 1, -0, -1, 2 ** 53, 2 ** 53 - 1, 1.5)),
  },
  reference: {
    specs: fc.constant({ kind: 'reference' }),
    near: fc.oneof(safe, fc.constantFrom(0, 1, -0, -1, 2 ** 53, 2 ** 53 - 1, 1.5)),
  },
  'guid identity': { specs: fc.constant(identity('guid').spec), near: fc.oneof(guids, spoilt(guids)) },
  'guid reference': {
    specs: fc.constant({ kind: 'reference', guid: true }),
    near: fc.oneof(guids, spoilt(guids)),
  },
  // A few limits only: the judge takes its time with each new schema.
  integer: {
    specs: bounds(fc.constantFrom(-9, 0, 7, -largest, largest)).map((range) => integer(range).spec),
    near: fc.oneof(fc.integer({ min: -12, max: 12 }), safe, fc.double(), fc.constantFrom(2 ** 53, -(2 ** 53), 1e300)),
  },
  number: {
    specs: bounds(fc.constantFrom(-1e300, -0.5, 0, 0.1, 1e300)).map((range) => number(range).spec),
    near: fc.oneof(
      fc.double(),
      fc.double({ min: -1, max: 1 }),
      safe,
      fc.constantFrom(-0, -0.5, 0.1, 1e300, Number.MAX_VALUE, Number.MIN_VALUE),
    ),
  },
  decimal: {
    specs: decimalSpecs,
    near: fc.oneof(
      fc
        .tuple(fc.constantFrom('', '-', '+', '--'), digits(0, 20), fc.constantFrom('', '.'), digits(0, 20))
        .map((parts) => parts.join('')),
      fc
        .tuple(fc.constantFrom('', '-'), digits(1, 3), digits(1, 3))
        .map(([sign, whole, rest]) => `${sign}${whole}.${rest}`),
      fc.constantFrom('1e3', ' 1', '1 ', '1\n', '.5', '5.', '1,5', '٣', '0x1', 'NaN', 'Infinity', '1_000'),
    ),
  },
  text: {
    specs: sized.map((limits) => text(limits).spec),
    near: fc.string({ unit: 'binary', maxLength: 10 }).filter(isStorable),
  },
  email: {
    specs: fc.constant(email().spec),
    near: fc.oneof(
      fc.emailAddress(),
      addresses,
      digits(240, 270).map((name) => `${name}@example.com`),
    ),
  },
  url: {
    specs: sized.map(({ minLength = 0, maxLength = 4 }) => url({ minLength, maxLength: maxLength * 10 }).spec),
    near: fc.oneof(webAddresses, fc.webPath(), fc.domain()),
  },
  // The judge also takes `urn:uuid:` before it, which belongs to RFC 4122's URN and to no guid.
  guid: {
    specs: fc.constant(guid().spec),
    near: fc.oneof(
      guids,
      spoilt(guids),
      guids.map((whole) => `{${whole}}`),
      guids.map((whole) => whole.replaceAll('-', '')),
    ),
  },
  boolean: { specs: fc.constant(boolean().spec), near: fc.constantFrom(true, false, 'true', 0, 1) },
  choice: {
    specs: fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1 }).map((words) => choice(...words).spec),
    near: fc.constantFrom(...choices, 'active', 'ACTIVE '),
  },
  date: { specs: fc.constant(date().spec), near: inOurEra(fc.oneof(days, spoilt(days))) },
  timestamp: { specs: fc.constant(timestamp().spec), near: moments },
}

const maybeNullable = (specs: fc.Arbitrary<FieldSpec>) =>
  fc.tuple(specs, fc.boolean()).map(([spec, nullable]): FieldSpec => (nullable ? { ...spec, nullable } : spec))
/** Any value that JSON can hold. A text may by chance be an address that only one of the two takes, so it is no text here. */
const otherJson = fc
  .oneof(fc.jsonValue(), fc.constantFrom(null, true, false, 0, 1, -1, [], {}, [null], ['ACTIVE'], [1], { value: 1 }))
  .filter((value) => typeof value !== 'string')

describe.each(Object.entries(kinds))('a field of the kind %s', (_kind, { specs, near }) => {
  it('takes exactly the values that fit its schema', () => {
    fc.assert(
      fc.property(maybeNullable(specs), fc.oneof(near, near, otherJson), (spec, value) => {
        expect(isAccepted(spec, value)).toBe(judge(spec, value))
      }),
      { numRuns: 1000 },
    )
  })

  it('reads a value that it has read as the same value, which still fits its schema', () => {
    fc.assert(
      fc.property(maybeNullable(specs), near, (spec, given) => {
        const first = readValue(spec, given)
        fc.pre('value' in first)
        expect(readValue(spec, first.value)).toEqual(first)
        expect(judge(spec, first.value)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('takes null where it is nullable, and only there', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        expect(readValue({ ...spec, nullable: true }, null)).toEqual({ value: null })
        expect(readValue(spec, null)).toEqual({ fault: 'must not be null' })
      }),
      { numRuns: 20 },
    )
  })

  it('refuses what is no JSON value', () => {
    fc.assert(
      fc.property(
        maybeNullable(specs),
        fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol('x'), () => 1, new Date(0)),
        (spec, given) => isAccepted(spec, given) === false,
      ),
      { numRuns: 50 },
    )
  })

  it('says what is wrong as the end of a sentence', () => {
    fc.assert(
      fc.property(maybeNullable(specs), fc.oneof(near, otherJson), (spec, given) => {
        const reading = readValue(spec, given)
        if ('fault' in reading) expect(reading.fault).toMatch(/^must [^\n]*[^\s.]$/)
      }),
      { numRuns: 100 },
    )
  })
})

describe('every kind that holds a text', () => {
  const halves = ['\u0000', 'a\u0000b', '\ud800', 'a\udfff', '\udc00\ud800', '\ud83d\ud83d\ude00']

  it.each(halves)('refuses U+0000 and half of a surrogate pair: %j', (bad) => {
    const fault = 'must hold neither U+0000 nor half of a surrogate pair'
    const specs = [text().spec, url().spec, email().spec, date().spec, timestamp().spec, decimal({ scale: 1 }).spec]
    for (const spec of [...specs, choice(bad, 'x').spec]) expect(readValue(spec, bad)).toEqual({ fault })
    expect(isAccepted(guid().spec, bad)).toBe(false)
  })

  it('takes every other text as it is', () => {
    fc.assert(
      fc.property(storable, (given) => {
        expect(readValue(text().spec, given)).toEqual({ value: given })
      }),
    )
  })

  it('knows what both databases can hold', () => {
    const units = fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7ff, max: 0xe000 })))
    fc.assert(
      fc.property(units, (all) => {
        const given = String.fromCharCode(...all)
        // A text survives the way through UTF-8 unless half of a pair stands alone in it.
        const survives = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(given)) === given
        expect(isStorable(given)).toBe(survives && !all.includes(0))
      }),
    )
  })
})

describe('a text with limits', () => {
  const short = text({ minLength: 2, maxLength: 3 }).spec

  it.each([
    ['ab', true],
    ['a', false],
    ['abcd', false],
    ['😀😀😀', true],
    ['😀😀😀😀', false],
    ['😀', false],
    ['e\u0301e', true],
    ['👩‍👧', true],
  ])('counts characters, not UTF-16 units: %s', (given, fits) => {
    expect(isAccepted(short, given)).toBe(fits)
  })

  it('counts code points whatever the text', () => {
    fc.assert(
      fc.property(storable, fc.nat({ max: 12 }), (given, limit) => {
        const length = [...given].length
        expect(isAccepted(text({ maxLength: limit }).spec, given)).toBe(length <= limit)
        expect(isAccepted(text({ minLength: limit }).spec, given)).toBe(length >= limit)
      }),
    )
  })

  it.each([
    [text({ minLength: 1 }).spec, '', 'must have at least 1 character'],
    [text({ minLength: 2 }).spec, 'a', 'must have at least 2 characters'],
    [text({ maxLength: 2 }).spec, '😀😀😀', 'must have at most 2 characters'],
  ])('names the limit', (spec, given, fault) => {
    expect(readValue(spec, given)).toEqual({ fault })
  })
})

describe('an integer', () => {
  it.each([
    ['1', 'must be an integer'],
    [1.5, 'must be an integer'],
    [true, 'must be an integer'],
    [Number.NaN, 'must be an integer'],
    [2 ** 53, 'must lie within ±9007199254740991'],
    [-(2 ** 53), 'must lie within ±9007199254740991'],
  ])('refuses %j', (given, fault) => {
    expect(readValue(integer().spec, given)).toEqual({ fault })
  })

  it('keeps to its limits, both of them inclusive', () => {
    const { spec } = integer({ min: -2, max: 3 })
    expect([-3, -2, 3, 4].map((given) => readValue(spec, given))).toEqual([
      { fault: 'must be at least -2' },
      { value: -2 },
      { value: 3 },
      { fault: 'must be at most 3' },
    ])
  })

  it('knows one zero', () => {
    expect(Object.is(read(integer().spec, -0), 0)).toBe(true)
    expect(Object.is(read(number().spec, -0), 0)).toBe(true)
  })
})

describe('an identity or a reference', () => {
  it.each(['identity', 'reference'] as const)('counts from 1: %s', (kind) => {
    expect(readValue({ kind }, 1)).toEqual({ value: 1 })
    expect(readValue({ kind }, 0)).toEqual({ fault: 'must be at least 1' })
    expect(readValue({ kind }, '1')).toEqual({ fault: 'must be an integer' })
  })

  it.each(['identity', 'reference'] as const)('is a guid in lower case where it is one: %s', (kind) => {
    const spec: FieldSpec = { kind, guid: true }
    const given = '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10'
    expect(readValue(spec, given)).toEqual({ value: given.toLowerCase() })
    expect(readValue(spec, 1)).toEqual({ fault: 'must be a guid such as "0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10"' })
  })
})

describe('a guid', () => {
  it('is read in lower case', () => {
    fc.assert(fc.property(guids, (given) => read(guid().spec, given) === given.toLowerCase()))
  })
})

describe('a choice', () => {
  it('takes its own words only, letter by letter', () => {
    const { spec } = choice('ACTIVE', 'SUSPENDED')
    expect(read(spec, 'ACTIVE')).toBe('ACTIVE')
    expect(readValue(spec, 'active')).toEqual({ fault: 'must be one of "ACTIVE", "SUSPENDED"' })
    expect(readValue(spec, 'toString')).toEqual({ fault: 'must be one of "ACTIVE", "SUSPENDED"' })
    expect(readValue(choice('ONLY').spec, 'x')).toEqual({ fault: 'must be "ONLY"' })
  })
})

describe('a decimal', () => {
  /** A decimal field, and numbers of its smallest unit that it can hold. */
  const held = decimalSpecs.chain((spec) => {
    const most = 10n ** BigInt(spec.precision ?? 0) - 1n
    const unit = fc.oneof(
      fc.bigInt({ min: -most, max: most }),
      fc.bigInt({ min: -3n, max: 3n }).map((n) => n % (most + 1n)),
    )
    return fc.record({ spec: fc.constant(spec), units: fc.tuple(unit, unit, unit) })
  })
  const decimalText = (units: bigint, scale: number) => {
    const all = String(units < 0n ? -units : units).padStart(scale + 1, '0')
    const whole = all.slice(0, all.length - scale)
    return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${all.slice(all.length - scale)}`}`
  }

  it('is written in one form, with all of its digits', () => {
    fc.assert(
      fc.property(held, ({ spec, units: [units] }) => {
        const { scale = 0 } = spec
        const written = decimalText(units, scale)
        expect(read(spec, written)).toBe(written)
        expect(scaledDecimal(written, scale)).toBe(units)
      }),
      { numRuns: 1000 },
    )
  })

  it('may be given with zeros too many in front, and too few behind', () => {
    fc.assert(
      fc.property(held, fc.nat({ max: 30 }), ({ spec, units: [units] }, zeros) => {
        const written = decimalText(units, spec.scale ?? 0)
        const [, sign, rest] = /^(-?)(.*)$/.exec(written) ?? []
        const shorter = written.includes('.') ? `${rest}`.replace(/\.?0*$/, '') : rest
        expect(read(spec, `${sign}${'0'.repeat(zeros)}${shorter}`)).toBe(written)
      }),
    )
  })

  it('is read in one go, however many zeros stand in front of what is none', () => {
    const { spec } = decimal({ scale: 2 })
    // Tried at each of the zeros, it would take far longer than any test may.
    expect(readValue(spec, `${'0'.repeat(90_000)}x`)).toMatchObject({
      fault: expect.stringContaining('decimal string'),
    })
    expect(readValue(spec, `-${'0'.repeat(90_000)}7.5`)).toEqual({ value: '-7.50' })
  })

  it('compares exactly, where numbers would round', () => {
    fc.assert(
      fc.property(held, ({ spec, units: [first, second, third] }) => {
        const { scale = 0 } = spec
        const [low, high] = first < second ? [first, second] : [second, first]
        const limited = { ...spec, min: decimalText(low, scale), max: decimalText(high, scale) }
        expect(isAccepted(limited, decimalText(third, scale))).toBe(low <= third && third <= high)
        expect(isAccepted(limited, decimalText(low, scale))).toBe(true)
        expect(isAccepted(limited, decimalText(high, scale))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['0', '0.00'],
    ['-0', '0.00'],
    ['-0.00', '0.00'],
    ['007.5', '7.50'],
    ['-00.05', '-0.05'],
    ['999999999999999.99', '999999999999999.99'],
  ])('reads %s as %s', (given, value) => {
    expect(read(decimal({ precision: 17, scale: 2 }).spec, given)).toBe(value)
  })

  it('keeps apart two amounts that are one and the same double', () => {
    const { spec } = decimal({ scale: 2, min: '9007199254740992.01', max: '9007199254740992.02' })
    expect(readValue(spec, '9007199254740992.00')).toEqual({ fault: 'must be at least 9007199254740992.01' })
    expect(isAccepted(spec, '9007199254740992.01')).toBe(true)
    expect(isAccepted(spec, '9007199254740992.02')).toBe(true)
    expect(readValue(spec, '9007199254740992.03')).toEqual({ fault: 'must be at most 9007199254740992.02' })
  })

  it('compares negative amounts in the right direction', () => {
    const { spec } = decimal({ scale: 2, min: '-1.50', max: '-0.5' })
    expect(['-1.51', '-1.5', '-0.50', '-0.49', '0.50'].map((given) => isAccepted(spec, given))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })

  it.each([
    [decimal({ precision: 5, scale: 2 }).spec, '"12.50", at most 3 digits before the point and 2 behind it'],
    [decimal({ precision: 5, scale: 4 }).spec, '"12.5000", at most 1 digits before the point and 4 behind it'],
    [decimal({ precision: 5, scale: 0 }).spec, '"12", at most 5 digits before the point and 0 behind it'],
  ])('says what it takes', (spec, form) => {
    expect(readValue(spec, 'x')).toEqual({ fault: `must be a decimal string such as ${form}` })
  })

  it('refuses a number: it might have been rounded already', () => {
    expect(readValue(decimal({ scale: 2 }).spec, 12.5)).toEqual({ fault: 'must be a string' })
  })
})

describe('a date or a timestamp with limits', () => {
  it('keeps to them, both of them inclusive', () => {
    const { spec } = date({ min: '2024-02-29', max: '2026-12-31' })
    expect(['2024-02-28', '2024-02-29', '2026-12-31', '2027-01-01'].map((given) => readValue(spec, given))).toEqual([
      { fault: 'must be at least 2024-02-29' },
      { value: '2024-02-29' },
      { value: '2026-12-31' },
      { fault: 'must be at most 2026-12-31' },
    ])
  })

  it('compares moments, whatever their offset', () => {
    const { spec } = timestamp({ min: '2026-01-01T00:00:00.000Z' })
    expect(readValue(spec, '2026-01-01T00:30:00+01:00')).toEqual({ fault: 'must be at least 2026-01-01T00:00:00.000Z' })
    expect(readValue(spec, '2025-12-31T23:30:00-01:00')).toEqual({ value: '2026-01-01T00:30:00.000Z' })
  })
})

describe('an e-mail address', () => {
  it('is taken as browsers take it, where the mail standard is narrower', () => {
    for (const given of ['root@localhost', '.a@example.com', 'a..b@example.com', 'a.@example.com'])
      expect(read(email().spec, given)).toBe(given)
  })

  it.each([
    '',
    'a',
    '@',
    'a@',
    '@b.c',
    'a b@c.d',
    'a@b c.d',
    'a@-b.c',
    'a@b-.c',
    'a@b..c',
    'a@b.c\n',
    'ä@b.c',
    '"a b"@c.d',
  ])('is none: %j', (given) => {
    expect(readValue(email().spec, given)).toEqual({ fault: 'must be an e-mail address' })
  })

  it('keeps its letters as they are', () => {
    expect(read(email().spec, 'Ada.Lovelace@Example.COM')).toBe('Ada.Lovelace@Example.COM')
  })

  it('has at most 63 characters between two points, and at most 254 in all', () => {
    expect(isAccepted(email().spec, `a@${'b'.repeat(63)}.c`)).toBe(true)
    expect(isAccepted(email().spec, `a@${'b'.repeat(64)}.c`)).toBe(false)
    expect(isAccepted(email().spec, `${'a'.repeat(250)}@b.c`)).toBe(true)
    expect(readValue(email().spec, `${'a'.repeat(251)}@b.c`)).toEqual({
      fault: 'must have at most 254 characters',
    })
  })
})

describe('a web address', () => {
  it.each(['ftp://example.com/', 'http://exämple.com/', 'http://example.com/{id}', 'http://example.com/a|b'])(
    'is one where it fits the schema, and only there: %s',
    (given) => {
      expect(isAccepted(url().spec, given)).toBe(judge(url().spec, given))
    },
  )

  it.each(['http://example.com', 'HTTPS://example.com/a?b=c#d', 'http://127.0.0.1:8080/', 'http://[::1]/'])(
    'is one: %s',
    (given) => {
      expect(read(url().spec, given)).toBe(given)
    },
  )

  it.each([
    '',
    'example.com',
    '/path',
    '//example.com',
    'http://',
    'http:/example.com',
    'http:example.com',
    'ftp://example.com',
    'mailto:a@b.c',
    'javascript:alert(1)',
    'data:text/html,x',
    ' http://example.com',
    'http://example.com ',
    'http://exam ple.com',
    'http://example.com\n',
    'http://[::1',
    'http://example.com:99999',
  ])('is none: %j', (given) => {
    expect(readValue(url().spec, given)).toEqual({ fault: 'must be an absolute http or https address' })
  })
})
