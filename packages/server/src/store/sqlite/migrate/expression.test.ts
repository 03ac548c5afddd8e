import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { conversionSuite } from '../../../../test/conversion-suite.ts'
import type { FieldSchema } from '../../migrate/schema/schema.ts'
import { convertExpression, defaultLiteral } from './expression.ts'

describe('a conversion in SQL', () => {
  const database = new DatabaseSync(':memory:')
  conversionSuite(async (before, after, values) => {
    const rows = values.map(() => 'SELECT ? AS "it"').join(' UNION ALL ')
    const query = database.prepare(`SELECT ${convertExpression(before, after, '"it"')} AS converted FROM (${rows})`)
    query.setReadBigInts(true)
    return query.all(...values).map(({ converted }) => converted)
  })
})

describe('a default in SQL', () => {
  it.each<[FieldSchema, string]>([
    [{ name: 'it', kind: 'number', default: 1 }, '1.0'],
    [{ name: 'it', kind: 'number', default: 1e21 }, '1e+21'],
    [{ name: 'it', kind: 'number', default: -0.5 }, '-0.5'],
    [{ name: 'it', kind: 'decimal', scale: 2, default: '12.5' }, '1250'],
    [{ name: 'it', kind: 'boolean', default: false }, '0'],
    [{ name: 'it', kind: 'text', default: "it's" }, "'it''s'"],
    [{ name: 'it', kind: 'text', nullable: true, default: null }, 'NULL'],
    [
      { name: 'it', kind: 'guid', default: '0B2F8C1E-5D1C-4C0E-9B57-2F6F3F1F9A10' },
      "'0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'",
    ],
  ])('of %j is %s', (field, literal) => {
    expect(defaultLiteral(field)).toBe(literal)
  })
})
