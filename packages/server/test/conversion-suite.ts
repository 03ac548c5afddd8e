/** Conversions in SQL must give the values that `convert` promises, on every database. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { convert, formOf, type StoredValue } from '../src/store/migrate/convert.ts'
import type { FieldSchema } from '../src/store/migrate/schema/schema.ts'

const plain = ['integer', 'number', 'text', 'boolean', 'date', 'timestamp', 'guid', 'url'] as const
const fields: readonly fc.Arbitrary<FieldSchema>[] = [
  ...plain.map((kind) => fc.constant<FieldSchema>({ name: 'it', kind })),
  fc.integer({ min: 0, max: 17 }).map((scale) => ({ name: 'it', kind: 'decimal' as const, scale })),
  fc.constant<FieldSchema>({ name: 'it', kind: 'choice', choices: ['true', '1', '12.50', '2026-01-01'] }),
  fc.constant<FieldSchema>({ name: 'it', kind: 'reference', target: 'user' }),
]

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

function valueFor(schema: FieldSchema): fc.Arbitrary<StoredValue> {
  switch (formOf(schema)) {
    case 'whole':
      return fc.maxSafeInteger().map((value) => BigInt(schema.kind === 'reference' ? Math.abs(value) + 1 : value))
    case 'number':
      return fc
        .oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.integer(),
          fc.integer().map((value) => value / 1000),
          fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 1, max: 18 })).map(ofFifteenDigits),
        )
        .map((value) => value + 0)
    case 'decimal':
      return fc.oneof(
        fc.bigInt({ min: 1n - 10n ** 18n, max: 10n ** 18n - 1n }),
        fc.integer().map((value) => BigInt(value) * 1000n),
      )
    case 'boolean':
      return fc.constantFrom(0n, 1n)
    case 'text':
      return textOf(schema)
  }
}

function ofFifteenDigits([digits, behind]: [number, number]): number {
  return Number((digits / 10 ** behind).toPrecision(15))
}

function textOf(schema: FieldSchema): fc.Arbitrary<string> {
  switch (schema.kind) {
    case 'date':
      return dayText
    case 'timestamp':
      return fc.tuple(dayText, fc.constantFrom('T00:00:00.000Z', 'T12:30:00.000Z')).map((parts) => parts.join(''))
    case 'guid':
      return fc.uuid()
    case 'choice':
      return fc.constantFrom(...(schema.choices ?? []))
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

/** `throughSql` gives the values, carried over in the database. */
export function conversionSuite(
  throughSql: (
    before: FieldSchema,
    after: FieldSchema,
    values: readonly (StoredValue | null)[],
  ) => Promise<readonly unknown[]>,
): void {
  it('gives the promised value, and keeps null', async () => {
    const kindPairs = new Set<string>()
    const conversions = (from: fc.Arbitrary<FieldSchema>, to: fc.Arbitrary<FieldSchema>) =>
      fc
        .tuple(from, to)
        .chain(([before, after]) =>
          fc.tuple(
            fc.constant(before),
            fc.constant(after),
            fc.array(valueFor(before), { minLength: 10, maxLength: 40 }),
          ),
        )
    const check = async ([before, after, all]: [FieldSchema, FieldSchema, StoredValue[]]) => {
      const values = all.filter((value) => convert(before, after, value) !== undefined)
      if (values.length === 0) return
      kindPairs.add(`${before.kind} ${after.kind}`)
      const promised = values.map((value) => convert(before, after, value))
      expect(await throughSql(before, after, [...values, null])).toEqual([...promised, null])
    }
    for (const before of fields) {
      for (const after of fields) await fc.assert(fc.asyncProperty(conversions(before, after), check), { numRuns: 30 })
    }
    // Many pairs of kinds have some value that can be converted.
    expect(kindPairs.size).toBeGreaterThan(40)
  })
}
