/** The dialect of SQLite. */
import { type FieldSpec, scaledDecimal, type Value } from '@nomen/core'
import { isExact } from '../connection/open-sqlite.ts'
import { type ColumnValue, type Dialect, isCaseIndexed } from '../sql/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'

export const sqliteDialect: Dialect = {
  // The planner uses a covering index for the identities of a page; with more columns it would not.
  readsIdentitiesFirst: true,
  object,
  // The rows of an ordered subquery reach the aggregate in their order.
  // With a filter the records are joined as strings: SQLite stops as soon as a string is too long, but checks a JSON array only
  // when it is complete.
  array: (item, filter) =>
    filter
      ? sql`'[' || coalesce(group_concat(${item}, ',') filter (where ${filter}), '') || ']'`
      : sql`json_group_array(${item})`,
  wireForm,
  text: (value) => sql`cast(${value} as text)`,
  joined: (texts) => sql`concat_ws(' ', ${sql.join([...texts])})`,
  bound: (_, value) => value,
  isEqual: (spec, column, value) =>
    isCaseIndexed(spec)
      ? sql`(${column} collate nocase = ${value} and ${column} = ${value})`
      : sql`${column} = ${value}`,
  property: (json, name) => sql`cast(json_extract(${json}, ${sql.lit(`$.${JSON.stringify(name)}`)}) as text)`,
  isAnyOf: (spec, column, list) => {
    const value = spec.kind === 'number' && !isExact ? sql`text_number(value)` : sql`value`
    const isInList = (text: Sql) => sql`${text} in (select ${value} from json_each(${list}))`
    return isCaseIndexed(spec)
      ? sql`(${isInList(sql`${column} collate nocase`)} and ${isInList(column)})`
      : isInList(column)
  },
  isInQuery: (column, query) => sql`${column} in (${query})`,
  typed: (_, value) => value,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  order: (_, column, isDescending) => keyOrder(column, isDescending),
  keyOrder,
  isSame: ({ kind }, column, value) =>
    kind === 'email' ? sql`${column} collate nocase = ${value}` : sql`${column} = ${value}`,
  columnValue,
  listValue: (spec, values) => `[${values.map((value) => listItem(spec, value)).join(',')}]`,
}

function keyOrder(key: Sql, isDescending: boolean): Sql {
  return isDescending ? sql`${key} desc` : key
}

/** SQLite functions take at most 1,000 arguments. */
const maxMembers = 500

interface Member {
  readonly name: string
  readonly value: Sql
}

/** Larger objects are concatenated from several. That is safe, because no value of a record ends in a brace. */
function object(members: readonly Member[]): Sql {
  const parts: Sql[] = []
  for (let index = 0; index < Math.max(members.length, 1); index += maxMembers) {
    const chunk = members.slice(index, index + maxMembers)
    parts.push(sql`json_object(${sql.join(chunk.flatMap(({ name, value }) => [sql.lit(name), value]))})`)
  }
  const [only = sql`json_object()`] = parts
  if (parts.length === 1) return only
  const inner = parts.map((part) => sql`trim(${part}, '{}')`)
  return sql`json('{' || ${sql.join(inner, sql` || ',' || `)} || '}')`
}

function wireForm(spec: FieldSpec, column: Sql): Sql {
  switch (spec.kind) {
    case 'boolean':
      return sql`json(case ${column} when 1 then 'true' when 0 then 'false' else 'null' end)`
    case 'number':
      // An integer is written without ".0", as JSON.stringify does.
      return sql`iif(
  ${column} = round(${column}) and abs(${column}) < 1e15,
  cast(${column} as integer),
  ${exactNumber(column)}
)`
    case 'decimal':
      return decimalText(column, spec.scale ?? 0)
    default:
      return column
  }
}

function exactNumber(column: Sql): Sql {
  return isExact ? column : sql`json(number_text(${column}))`
}

/** An integer number of smallest units as a decimal string: 1250 at scale 2 is "12.50". */
function decimalText(column: Sql, scale: number): Sql {
  if (scale === 0) return sql`cast(${column} as text)`
  const unit = sql.lit(10 ** scale)
  const form = sql.lit(`%s%d.%0${scale}d`)
  const parts = sql`iif(${column} < 0, '-', ''), abs(${column}) / ${unit}, abs(${column}) % ${unit}`
  return sql`iif(${column} is null, null, format(${form}, ${parts}))`
}

function columnValue(spec: FieldSpec, value: Value): ColumnValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (spec.kind === 'decimal' && value !== null) return decimalUnits(`${value}`, spec)
  return value
}

/** The smallest units of a decimal. A filter value that is not a decimal becomes null and matches nothing. */
function decimalUnits(text: string, { precision = 18, scale = 0 }: FieldSpec): ColumnValue {
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const isDecimal = whole !== '' && whole.length <= precision - scale && fraction.length <= scale
  return isDecimal ? scaledDecimal(text, scale) : null
}

function listItem(spec: FieldSpec, value: Value): string {
  const item = columnValue(spec, value)
  if (typeof item === 'bigint') return `${item}`
  const text = JSON.stringify(item)
  if (spec.kind !== 'number') return text
  if (!isExact) return JSON.stringify(text)
  // Without a point, SQLite would read a large number as an integer, which is not the nearest double.
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}
