import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convert, formOf, type Stored } from '../convert.ts'
import type { FieldSchema } from '../schema.ts'
import { converted, defaultLiteral } from './sqlite-expression.ts'

const scale = fc.integer({ min: 0, max: 17 })
const field: fc.Arbitrary<FieldSchema> = fc.oneof(
  fc
    .constantFrom<FieldSchema['kind']>('integer', 'number', 'text', 'flag', 'date', 'timestamp', 'guid', 'url')
    .map((kind) => ({ name: 'it', kind })),
  scale.map((digits) => ({ name: 'it', kind: 'decimal' as const, scale: digits })),
  fc.constant<FieldSchema>({ name: 'it', kind: 'choice', choices: ['true', '1', '12.50', '2026-01-01'] }),
  fc.constant<FieldSchema>({ name: 'it', kind: 'reference', target: 'user' }),
)

const wholeText = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String)
const decimalText = fc
  .tuple(wholeText, fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 18 }))
  .map((parts) => parts.join('.'))
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map((value) => `${value / 1000}`),
)
const dayText = fc
  .date({ min: new Date(0), noInvalidDate: true, max: new Date('9999-12-31') })
  .map((day) => day.toISOString().slice(0, 10))

function valueFor(given: FieldSchema): fc.Arbitrary<Stored> {
  switch (formOf(given)) {
    case 'whole':
      return fc.maxSafeInteger().map((value) => BigInt(given.kind === 'reference' ? Math.abs(value) + 1 : value))
    case 'number':
      return fc
        .oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.integer(),
          fc.integer().map((value) => value / 1000),
        )
        .map((value) => value + 0)
    case 'decimal':
      return fc.oneof(
        fc.bigInt({ min: 1n - 10n ** 18n, max: 10n ** 18n - 1n }),
        fc.integer().map((value) => BigInt(value) * 1000n),
      )
    case 'flag':
      return fc.constantFrom(0n, 1n)
    case 'text':
      return textOf(given)
  }
}

function textOf(given: FieldSchema): fc.Arbitrary<string> {
  switch (given.kind) {
    case 'date':
      return dayText
    case 'timestamp':
      return fc.tuple(dayText, fc.constantFrom('T00:00:00.000Z', 'T12:30:00.000Z')).map((parts) => parts.join(''))
    case 'guid':
      return fc.uuid()
    case 'choice':
      return fc.constantFrom(...(given.choices ?? []))
    case 'url':
      return fc.webUrl()
    default:
      return fc.oneof(
        wholeText,
        decimalText,
        numberText,
        dayText,
        fc.uuid(),
        fc.string(),
        fc.constantFrom('true', 'false', '-0', '007', '0.0', '-0.50'),
      )
  }
}

describe('a conversion in SQL', () => {
  const database = new DatabaseSync(':memory:')

  /** The value, and null, after the conversion. */
  function throughSql(before: FieldSchema, after: FieldSchema, value: Stored) {
    const rows = 'SELECT ? AS "it" UNION ALL SELECT NULL'
    const query = database.prepare(`SELECT ${converted(before, after, '"it"')} AS found FROM (${rows})`)
    query.setReadBigInts(true)
    return query.all(value).map(({ found }) => found)
  }

  it('gives what the check has promised, and leaves null alone', { timeout: 60_000 }, () => {
    const found = new Set<string>()
    const pair = fc
      .tuple(field, field)
      .chain(([before, after]) => fc.tuple(fc.constant(before), fc.constant(after), valueFor(before)))
    fc.assert(
      fc.property(pair, ([before, after, value]) => {
        const promised = convert(before, after, value)
        if (promised === undefined) return
        found.add(`${before.kind} ${after.kind}`)
        expect(throughSql(before, after, value)).toEqual([promised, null])
      }),
      { numRuns: 3000 },
    )
    // Many pairs of kinds have some value that can be converted.
    expect(found.size).toBeGreaterThan(40)
  })
})

describe('a default in SQL', () => {
  it.each<[FieldSchema, string]>([
    [{ name: 'it', kind: 'number', default: 1 }, '1.0'],
    [{ name: 'it', kind: 'number', default: 1e21 }, '1e+21'],
    [{ name: 'it', kind: 'number', default: -0.5 }, '-0.5'],
    [{ name: 'it', kind: 'decimal', scale: 2, default: '12.5' }, '1250'],
    [{ name: 'it', kind: 'flag', default: false }, '0'],
    [{ name: 'it', kind: 'text', default: "it's" }, "'it''s'"],
    [{ name: 'it', kind: 'text', nullable: true, default: null }, 'NULL'],
    [
      { name: 'it', kind: 'guid', default: '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10' },
      "'0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'",
    ],
  ])('of %j is %s', (given, literal) => {
    expect(defaultLiteral(given)).toBe(literal)
  })
})
