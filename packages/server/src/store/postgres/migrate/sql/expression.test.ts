import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversionSuite } from '../../../../../test/conversion-suite.ts'
import { formOf, type StoredValue } from '../../../migrate/convert.ts'
import type { FieldSchema } from '../../../migrate/schema/schema.ts'
import { convertByPath, storedValue } from './expression.ts'
import { defaultLiteral, typeOf } from './table.ts'

let client: pg.Client
let remove: () => Promise<void>

beforeAll(async () => {
  const database = await temporaryPostgres()
  remove = database.remove
  client = new pg.Client(database.url)
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await remove()
})

/** A value as its column stores it. */
function columnLiteral(field: FieldSchema, value: StoredValue | null): string {
  if (value === null) return `null::${typeOf(field)}`
  switch (formOf(field)) {
    case 'decimal':
      return `('${value}'::numeric * '1e-${field.scale}'::numeric)::${typeOf(field)}`
    case 'boolean':
      return `${value === 1n}`
    case 'text':
      return defaultLiteral({ ...field, default: `${value}` })
    default:
      return `'${value}'::${typeOf(field)}`
  }
}

describe('a conversion in SQL', () => {
  conversionSuite(async (before, after, values) => {
    const input = values.map((value, index) => `(${index}, ${columnLiteral(before, value)})`).join(', ')
    const value = convertByPath([before, after, { name: 'it', kind: 'text' }], '"it"')
    const { rows } = await client.query(
      `select ${value} as text from (values ${input}) as input ("at", "it") order by "at"`,
    )
    return rows.map(({ text }) => (text === null ? null : storedValue(after, text)))
  })
})

describe('a default in SQL', () => {
  it.each<[FieldSchema, string]>([
    [{ name: 'it', kind: 'number', default: 1e21 }, "'1e+21'::double precision"],
    [{ name: 'it', kind: 'decimal', scale: 2, default: '12.5' }, "'12.50'::numeric(18, 2)"],
    [{ name: 'it', kind: 'integer', default: -7 }, "'-7'::bigint"],
    [{ name: 'it', kind: 'boolean', default: false }, 'false'],
    [{ name: 'it', kind: 'text', default: "it's" }, "'it''s'::text"],
    [{ name: 'it', kind: 'text', nullable: true, default: null }, 'null'],
    [{ name: 'it', kind: 'date', default: '2026-01-01' }, "'2026-01-01'::date"],
    [
      { name: 'it', kind: 'guid', default: '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10' },
      "'0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'::text",
    ],
  ])('of %j is %s', (field, literal) => {
    expect(defaultLiteral(field)).toBe(literal)
  })
})
