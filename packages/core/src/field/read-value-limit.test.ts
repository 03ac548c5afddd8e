import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalSpecs, fitsSchema, guids, isAccepted, readValid, storable } from '../../test/field-value.ts'
import type { FieldSpec } from './field.ts'
import { choice, date, decimal, email, guid, integer, number, text, timestamp, url } from './kinds.ts'
import { readValue, scaledDecimal } from './read-value.ts'

describe('a string with limits', () => {
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
  ])('counts characters, not UTF-16 units: %s', (input, fitsLimits) => {
    expect(isAccepted(short, input)).toBe(fitsLimits)
  })

  it('counts code points in any string', () => {
    fc.assert(
      fc.property(storable, fc.nat({ max: 12 }), (input, limit) => {
        const length = [...input].length
        expect(isAccepted(text({ maxLength: limit }).spec, input)).toBe(length <= limit)
        expect(isAccepted(text({ minLength: limit }).spec, input)).toBe(length >= limit)
      }),
    )
  })

  it.each([
    [text({ minLength: 1 }).spec, '', 'must have at least 1 character'],
    [text({ minLength: 2 }).spec, 'a', 'must have at least 2 characters'],
    [text({ maxLength: 2 }).spec, '😀😀😀', 'must have at most 2 characters'],
  ])('reports the limit', (spec, input, fault) => {
    expect(readValue(spec, input)).toEqual({ fault })
  })
})

describe('an integer', () => {
  it.each([
    ['1', 'must be an integer'],
    [1.5, 'must be an integer'],
    [true, 'must be an integer'],
    [Number.NaN, 'must be an integer'],
    [2 ** 53, 'must be within ±9007199254740991'],
    [-(2 ** 53), 'must be within ±9007199254740991'],
  ])('rejects %j', (input, fault) => {
    expect(readValue(integer().spec, input)).toEqual({ fault })
  })

  it('enforces its limits, both inclusive', () => {
    const { spec } = integer({ min: -2, max: 3 })
    expect([-3, -2, 3, 4].map((input) => readValue(spec, input))).toEqual([
      { fault: 'must be at least -2' },
      { value: -2 },
      { value: 3 },
      { fault: 'must be at most 3' },
    ])
  })

  it('reads negative zero as zero', () => {
    expect(Object.is(readValid(integer().spec, -0), 0)).toBe(true)
    expect(Object.is(readValid(number().spec, -0), 0)).toBe(true)
  })
})

describe('an identity or a reference', () => {
  it.each(['identity', 'reference'] as const)('is at least 1: %s', (kind) => {
    expect(readValue({ kind }, 1)).toEqual({ value: 1 })
    expect(readValue({ kind }, 0)).toEqual({ fault: 'must be at least 1' })
    expect(readValue({ kind }, '1')).toEqual({ fault: 'must be an integer' })
  })

  it.each(['identity', 'reference'] as const)('reads a guid in lower case: %s', (kind) => {
    const spec: FieldSpec = { kind, guid: true }
    const input = '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10'
    expect(readValue(spec, input)).toEqual({ value: input.toLowerCase() })
    expect(readValue(spec, 1)).toEqual({ fault: 'must be a guid such as "0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10"' })
  })
})

describe('a guid', () => {
  it('is read in lower case', () => {
    fc.assert(fc.property(guids, (input) => readValid(guid().spec, input) === input.toLowerCase()))
  })
})

describe('a choice', () => {
  it('accepts only its exact values', () => {
    const { spec } = choice('ACTIVE', 'SUSPENDED')
    expect(readValid(spec, 'ACTIVE')).toBe('ACTIVE')
    expect(readValue(spec, 'active')).toEqual({ fault: 'must be "ACTIVE" or "SUSPENDED"' })
    expect(readValue(spec, 'toString')).toEqual({ fault: 'must be "ACTIVE" or "SUSPENDED"' })
    expect(readValue(choice('ONLY').spec, 'x')).toEqual({ fault: 'must be "ONLY"' })
  })
})

describe('a decimal', () => {
  /** A decimal field, and numbers of its smallest unit that it can hold. */
  const decimals = decimalSpecs.chain((spec) => {
    const most = 10n ** BigInt(spec.precision ?? 0) - 1n
    const unit = fc.oneof(
      fc.bigInt({ min: -most, max: most }),
      fc.bigInt({ min: -3n, max: 3n }).map((n) => n % (most + 1n)),
    )
    return fc.record({ spec: fc.constant(spec), units: fc.tuple(unit, unit, unit) })
  })
  const decimalText = (units: bigint, scale: number) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
    const integerDigits = digits.slice(0, digits.length - scale)
    return `${units < 0n ? '-' : ''}${integerDigits}${scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`}`
  }

  it('has one normalized form with all decimal places', () => {
    fc.assert(
      fc.property(decimals, ({ spec, units: [units] }) => {
        const { scale = 0 } = spec
        const normalized = decimalText(units, scale)
        expect(readValid(spec, normalized)).toBe(normalized)
        expect(scaledDecimal(normalized, scale)).toBe(units)
      }),
      { numRuns: 1000 },
    )
  })

  it('accepts extra leading zeros and missing trailing zeros', () => {
    fc.assert(
      fc.property(decimals, fc.nat({ max: 30 }), ({ spec, units: [units] }, zeros) => {
        const normalized = decimalText(units, spec.scale ?? 0)
        const [, sign, digits] = /^(-?)(.*)$/.exec(normalized) ?? []
        const shorter = normalized.includes('.') ? `${digits}`.replace(/\.?0*$/, '') : digits
        expect(readValid(spec, `${sign}${'0'.repeat(zeros)}${shorter}`)).toBe(normalized)
      }),
    )
  })

  it('is read in linear time with any number of leading zeros', () => {
    const { spec } = decimal({ scale: 2 })
    // A regular expression that backtracks at each zero would exceed the timeout.
    expect(readValue(spec, `${'0'.repeat(90_000)}x`)).toMatchObject({
      fault: expect.stringContaining('decimal string'),
    })
    expect(readValue(spec, `-${'0'.repeat(90_000)}7.5`)).toEqual({ value: '-7.50' })
  })

  it('compares exactly, where floating-point numbers would round', () => {
    fc.assert(
      fc.property(decimals, ({ spec, units: [first, second, third] }) => {
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
  ])('reads %s as %s', (input, value) => {
    expect(readValid(decimal({ precision: 17, scale: 2 }).spec, input)).toBe(value)
  })

  it('distinguishes two amounts that are the same double', () => {
    const { spec } = decimal({ scale: 2, min: '9007199254740992.01', max: '9007199254740992.02' })
    expect(readValue(spec, '9007199254740992.00')).toEqual({ fault: 'must be at least 9007199254740992.01' })
    expect(isAccepted(spec, '9007199254740992.01')).toBe(true)
    expect(isAccepted(spec, '9007199254740992.02')).toBe(true)
    expect(readValue(spec, '9007199254740992.03')).toEqual({ fault: 'must be at most 9007199254740992.02' })
  })

  it('compares negative amounts in the right direction', () => {
    const { spec } = decimal({ scale: 2, min: '-1.50', max: '-0.5' })
    expect(['-1.51', '-1.5', '-0.50', '-0.49', '0.50'].map((input) => isAccepted(spec, input))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })

  it.each([
    [
      decimal({ precision: 5, scale: 2 }).spec,
      'at most 3 digits before the decimal point and 2 after it, such as "12.50"',
    ],
    [
      decimal({ precision: 5, scale: 4 }).spec,
      'at most 1 digits before the decimal point and 4 after it, such as "12.5000"',
    ],
    [
      decimal({ precision: 5, scale: 0 }).spec,
      'at most 5 digits before the decimal point and 0 after it, such as "12"',
    ],
  ])('reports the accepted format', (spec, form) => {
    expect(readValue(spec, 'x')).toEqual({ fault: `must be a decimal string with ${form}` })
  })

  it('rejects a JSON number, which may have been rounded already', () => {
    expect(readValue(decimal({ scale: 2 }).spec, 12.5)).toEqual({ fault: 'must be a string' })
  })
})

describe('a date or a timestamp with limits', () => {
  it('enforces both limits, inclusive', () => {
    const { spec } = date({ min: '2024-02-29', max: '2026-12-31' })
    expect(['2024-02-28', '2024-02-29', '2026-12-31', '2027-01-01'].map((input) => readValue(spec, input))).toEqual([
      { fault: 'must be at least 2024-02-29' },
      { value: '2024-02-29' },
      { value: '2026-12-31' },
      { fault: 'must be at most 2026-12-31' },
    ])
  })

  it('compares timestamps with different offsets', () => {
    const { spec } = timestamp({ min: '2026-01-01T00:00:00.000Z' })
    expect(readValue(spec, '2026-01-01T00:30:00+01:00')).toEqual({ fault: 'must be at least 2026-01-01T00:00:00.000Z' })
    expect(readValue(spec, '2025-12-31T23:30:00-01:00')).toEqual({ value: '2026-01-01T00:30:00.000Z' })
  })
})

describe('an e-mail address', () => {
  it('is accepted as in browsers, even if the mail standard is stricter', () => {
    for (const input of ['root@localhost', '.a@example.com', 'a..b@example.com', 'a.@example.com'])
      expect(readValid(email().spec, input)).toBe(input)
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
  ])('is rejected: %j', (input) => {
    expect(readValue(email().spec, input)).toEqual({ fault: 'must be an e-mail address' })
  })

  it('keeps its letter case', () => {
    expect(readValid(email().spec, 'Ada.Lovelace@Example.COM')).toBe('Ada.Lovelace@Example.COM')
  })

  it('has at most 63 characters between two dots, and at most 254 in total', () => {
    expect(isAccepted(email().spec, `a@${'b'.repeat(63)}.c`)).toBe(true)
    expect(isAccepted(email().spec, `a@${'b'.repeat(64)}.c`)).toBe(false)
    expect(isAccepted(email().spec, `${'a'.repeat(250)}@b.c`)).toBe(true)
    expect(readValue(email().spec, `${'a'.repeat(251)}@b.c`)).toEqual({
      fault: 'must have at most 254 characters',
    })
  })
})

describe('a URL', () => {
  it.each(['ftp://example.com/', 'http://exämple.com/', 'http://example.com/{id}', 'http://example.com/a|b'])(
    'is accepted exactly if it fits the schema: %s',
    (input) => {
      expect(isAccepted(url().spec, input)).toBe(fitsSchema(url().spec, input))
    },
  )

  it.each(['http://example.com', 'HTTPS://example.com/a?b=c#d', 'http://127.0.0.1:8080/', 'http://[::1]/'])(
    'is accepted: %s',
    (input) => {
      expect(readValid(url().spec, input)).toBe(input)
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
  ])('is rejected: %j', (input) => {
    expect(readValue(url().spec, input)).toEqual({ fault: 'must be an absolute http or https URL' })
  })
})
