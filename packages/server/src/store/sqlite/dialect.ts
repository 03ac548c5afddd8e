/** SQLite's side of the dialect. */
import { type FieldSpec, scaledDecimal, type Value } from '@nomen/core'
import type { ColumnValue, Dialect } from '../sql/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'

export const sqliteDialect: Dialect = {
  // Its planner takes an index that holds all that is asked for, and leaves it for one that does not.
  findsFirst: true,
  object,
  // The rows of an ordered subquery reach the aggregate one by one in their order.
  // With a filter the records are joined as text: SQLite gives up a text as soon as it is too long, and a JSON array only
  // when it is complete.
  array: (item, filter) =>
    filter
      ? sql`'[' || coalesce(group_concat(${item}, ',') filter (where ${filter}), '') || ']'`
      : sql`json_group_array(${item})`,
  wire,
  text: (value) => sql`cast(${value} as text)`,
  joined: (texts) => sql`concat_ws(' ', ${sql.join([...texts])})`,
  bound: (_, value) => value,
  isEqual: (_, column, value) => sql`${column} = ${value}`,
  isAnyOf: (_, column, list) => sql`${column} in (select value from json_each(${list}))`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  order: (_, column, isDescending) => (isDescending ? sql`${column} desc` : column),
  isSame: ({ kind }, column, value) =>
    kind === 'email' ? sql`${column} collate nocase = ${value}` : sql`${column} = ${value}`,
  columnValue,
  listValue: (spec, values) => `[${values.map((value) => listItem(spec, value)).join(',')}]`,
}

/** A function takes 1,000 arguments. */
const mostMembers = 500

interface Member {
  readonly name: string
  readonly value: Sql
}

/** Objects of more members than that are put together from several: no value of a record ends in a brace. */
function object(members: readonly Member[]): Sql {
  const parts: Sql[] = []
  for (let at = 0; at < Math.max(members.length, 1); at += mostMembers) {
    const some = members.slice(at, at + mostMembers)
    parts.push(sql`json_object(${sql.join(some.flatMap(({ name, value }) => [sql.lit(name), value]))})`)
  }
  const [only = sql`json_object()`] = parts
  if (parts.length === 1) return only
  const inner = parts.map((part) => sql`trim(${part}, '{}')`)
  return sql`json('{' || ${sql.join(inner, sql` || ',' || `)} || '}')`
}

function wire(spec: FieldSpec, column: Sql): Sql {
  switch (spec.kind) {
    case 'boolean':
      return sql`json(case ${column} when 1 then 'true' when 0 then 'false' else 'null' end)`
    case 'number':
      // A whole number is written without ".0", as JSON.stringify would.
      return sql`iif(${column} = round(${column}) and abs(${column}) < 1e15, cast(${column} as integer), ${column})`
    case 'decimal':
      return decimalText(column, spec.scale ?? 0)
    default:
      return column
  }
}

/** A whole number of smallest units as text with its point: 1250 at scale 2 is "12.50". */
function decimalText(column: Sql, scale: number): Sql {
  if (scale === 0) return sql`cast(${column} as text)`
  const unit = sql.lit(10 ** scale)
  const form = sql.lit(`%s%d.%0${scale}d`)
  const parts = sql`iif(${column} < 0, '-', ''), abs(${column}) / ${unit}, abs(${column}) % ${unit}`
  return sql`iif(${column} is null, null, format(${form}, ${parts}))`
}

function columnValue(spec: FieldSpec, given: Value): ColumnValue {
  if (typeof given === 'boolean') return given ? 1 : 0
  if (spec.kind === 'decimal' && given !== null) return decimalUnits(`${given}`, spec)
  return given
}

/** The smallest units of a decimal. A filter may name a text that is none: nothing is equal to null. */
function decimalUnits(given: string, { precision = 18, scale = 0 }: FieldSpec): ColumnValue {
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(given) ?? []
  const isDecimal = whole !== '' && whole.length <= precision - scale && fraction.length <= scale
  return isDecimal ? scaledDecimal(given, scale) : null
}

function listItem(spec: FieldSpec, given: Value): string {
  const item = columnValue(spec, given)
  if (typeof item === 'bigint') return `${item}`
  const text = JSON.stringify(item)
  // Without a point SQLite would read a large number as an integer, which is not the nearest double.
  return spec.kind === 'number' && /^-?\d+$/.test(text) ? `${text}.0` : text
}
