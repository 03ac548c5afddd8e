import { describe, expect, it } from 'vitest'
import { quotedName, type Sql, sql, writeSql } from './sql.ts'

const write = (query: Sql) => writeSql(query, { name: quotedName, parameter: (position) => `$${position}` })

describe('sql', () => {
  it('binds values in their order, through every level', () => {
    const inner = sql`${sql.ref('t.name')} = ${'a'} or ${sql.val({ read: 1 })} is null`
    expect(write(sql`select ${1} where (${inner}) limit ${2}`)).toEqual({
      text: 'select $1 where ("t"."name" = $2 or $3 is null) limit $4',
      bound: [1, 'a', { read: 1 }, 2],
    })
  })

  it('binds null and undefined as values', () => {
    expect(write(sql`${null}, ${undefined}`)).toEqual({ text: '$1, $2', bound: [null, undefined] })
  })

  it('joins pieces and values by commas or another separator', () => {
    expect(write(sql`in (${sql.join([1, sql`x`, 'y'])})`).text).toBe('in ($1, x, $2)')
    expect(write(sql.join([sql`a`, sql`b`, sql`c`], sql` and `)).text).toBe('a and b and c')
    expect(write(sql.join([]))).toEqual({ text: '', bound: [] })
  })

  it.each([
    ["it's", "'it''s'"],
    ['', "''"],
    ['$1 ? "x"', `'$1 ? "x"'`],
    [10, '10'],
    [true, 'true'],
    [null, 'null'],
  ])('writes the literal %j as %s', (value, text) => {
    expect(write(sql.lit(value))).toEqual({ text, bound: [] })
  })

  it('quotes names with any characters', () => {
    expect(write(sql`${sql.table('role-action')} ${sql.ref('a"b')}`).text).toBe('"role-action" "a""b"')
  })

  it('lets each database write names in its own form', () => {
    const { text } = writeSql(sql`${sql.ref('t.name')} ${sql.raw('x')}`, {
      name: (name) => `<${name}>`,
      parameter: () => '?',
    })
    expect(text).toBe('<t>.<name> x')
  })
})
