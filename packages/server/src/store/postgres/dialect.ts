/** The dialect of PostgreSQL. */
import { type FieldSpec, readValue, type Value } from '@nomen/core'
import { type ColumnValue, type Dialect, isCaseIndexed } from '../sql/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { indexedLength, isLongText } from '../text/short-text.ts'
import { typeOf as columnType } from './migrate/sql/table.ts'

export const postgresDialect: Dialect = {
  // A join does not guarantee an order.
  readsIdentitiesFirst: false,
  object: (members) => (members.some(({ name }) => isTruncated(name)) ? joinedObject(members) : rowObject(members)),
  // The rows of an ordered subquery reach the aggregate in their order, unless the query runs in parallel.
  array: (item) => sql`'[' || coalesce(string_agg(${item}, ','), '') || ']'`,
  wireForm,
  text: (value) => sql`cast(${value} as text)`,
  joined: (texts) => sql`concat_ws(' ', ${sql.join([...texts])})`,
  bound,
  isEqual: (spec, column, value, usesIndex = false) => {
    // An adopted column may be citext, which ignores case.
    if (isPrefixIndexed(spec))
      return sql`(${equals(prefixOf(column), prefixOf(value), usesIndex)} and ${column}::text = ${value})`
    if (spec.kind === 'text' || spec.kind === 'url') return equals(sql`${column}::text`, value, usesIndex)
    if (isCaseIndexed(spec)) return sql`(${isSame(spec, column, value)} and ${column} = ${value})`
    if (spec.kind === 'timestamp') return isSameMillisecond(column, bound(spec, value))
    return equals(column, bound(spec, value), usesIndex)
  },
  property: (json, name) => sql`${json}::jsonb ->> ${sql.lit(name)}`,
  isAnyOf: (spec, column, list) => {
    if (spec.kind === 'timestamp')
      return sql`exists (
  select from unnest(${list}::timestamptz[]) as item (value)
  where ${isSameMillisecond(column, sql`item.value`)}
)`
    // An adopted column of a choice or a guid may have its own type: the list takes the type of the column.
    if (spec.kind === 'choice' || spec.kind === 'guid') return sql`${column} = any(${list})`
    const isInList = sql`${column} = any(${list}::${sql.raw(typeOf(spec))}[])`
    const isAmong = (form: (text: Sql) => Sql) => sql`(${form(column)} = any(array(
  select ${form(sql`item collate "C"`)}
  from unnest(${list}::text[]) as item
)) and ${isInList})`
    if (isCaseIndexed(spec)) return isAmong((text) => sql`lower(${text})`)
    return isPrefixIndexed(spec) ? isAmong(prefixOf) : isInList
  },
  // An array is evaluated once per statement. Unlike a subquery, it can use the index within an "or".
  isInQuery: (column, query) => sql`${column} = any(array(${query}))`,
  typed: (spec, value) => sql`${value}::${sql.raw(typeOf(spec))}`,
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  order: (spec, column, isDescending) => {
    // An identity is never null, and its index has no null order.
    if (spec.kind === 'identity') return isDescending ? sql`${column} desc` : column
    return keyOrder(byCodePoint(spec, isPrefixIndexed(spec) ? prefixOf(column) : column), isDescending)
  },
  keyOrder,
  isSame,
  columnValue,
  listValue: (spec, values) => arrayText(values.map((value) => columnValue(spec, value))),
}

function keyOrder(key: Sql, isDescending: boolean): Sql {
  return isDescending ? sql`${key} desc nulls last` : sql`${key} nulls first`
}

type Members = Parameters<Dialect['object']>[0]

/** Uses row_to_json, the only JSON object function that adds no whitespace. */
function rowObject(members: Members): Sql {
  const columns = members.map(({ name, value }) => sql`${value} as ${sql.table(name)}`)
  return sql`(select row_to_json(shown)::text from (select ${sql.join(columns)}) as shown)`
}

/** The object as a concatenated string, which is slower. */
function joinedObject(members: Members): Sql {
  const parts = members.flatMap(({ name, value }, index) => [
    sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    sql`coalesce(to_json(${value})::text, 'null')`,
  ])
  return sql`${sql.join(parts, sql` || `)} || '}'`
}

/** Whether the server would truncate a column's name. */
function isTruncated(name: string): boolean {
  return Buffer.byteLength(name) > 63
}

/**
 * The planner drops a column from the sort keys if it equals a constant. It may then scan the identities and filter,
 * which is slow if few records match. A range condition prevents that.
 */
function equals(column: Sql, value: Sql, usesIndex: boolean): Sql {
  return usesIndex ? sql`${column} between ${value} and ${value}` : sql`${column} = ${value}`
}

/**
 * Casts the value to a wide type: an adopted column may have a smaller type, and an out-of-range value must match
 * nothing instead of failing.
 */
function bound({ kind, guid }: FieldSpec, value: Sql): Sql {
  if (kind === 'timestamp') return sql`${value}::timestamptz`
  const isWhole = kind === 'integer' || ((kind === 'identity' || kind === 'reference') && !guid)
  return isWhole ? sql`${value}::bigint` : value
}

/** A timestamp matches its whole millisecond, even if an adopted column is more precise. */
function isSameMillisecond(column: Sql, timestamp: Sql): Sql {
  return sql`(${column} >= ${timestamp} and ${column} < ${timestamp} + interval '1 millisecond')`
}

/** Strings in the order of their code points, whatever the type and the collation of their column. */
function byCodePoint({ kind }: FieldSpec, column: Sql): Sql {
  const isText = ['text', 'email', 'url', 'guid', 'choice'].includes(kind)
  return isText ? sql`${column}::text collate "C"` : column
}

/**
 * Whether strings are looked up and sorted by their prefixes, as in the index. Strings with the same prefix sort as equal.
 */
function isPrefixIndexed(spec: FieldSpec): boolean {
  return isLongText(spec) && !spec.unique && spec.indexed === true
}

/** Equal for a unique constraint. Only the ASCII letters of an e-mail address ignore case. */
function isSame(spec: FieldSpec, column: Sql, value: Sql): Sql {
  return spec.kind === 'email'
    ? sql`lower(${column}) = lower(${value}::text collate "C")`
    : sql`${column} = ${bound(spec, value)}`
}

function prefixOf(text: Sql): Sql {
  return sql`left(${text}, ${sql.lit(indexedLength)})`
}

/** The element type for an array of the field's values: the column type without length and collation. */
function typeOf({ kind, guid }: FieldSpec): string {
  return columnType({ name: '', kind, ...(guid && { guid }) }).replace(/\(.*\)| collate .*/, '')
}

function wireForm({ kind }: FieldSpec, column: Sql): Sql {
  switch (kind) {
    case 'decimal':
      return sql`${column}::text`
    case 'timestamp':
      return sql`to_char(${column}::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    default:
      return column
  }
}

/** A filter value that the field cannot have, such as a malformed guid, becomes null and matches nothing. */
function columnValue({ kind, guid, precision, scale }: FieldSpec, value: Value): ColumnValue {
  if (value === null) return null
  if (typeof value === 'boolean') return `${value}`
  const isChecked = guid || kind === 'guid' || kind === 'date' || kind === 'timestamp' || kind === 'decimal'
  if (!isChecked) return value
  const form = guid ? 'guid' : kind
  const result = readValue({ kind: form, ...(scale !== undefined && { scale, precision: precision ?? 18 }) }, value)
  return 'value' in result ? (result.value as ColumnValue) : null
}

/** An array literal of PostgreSQL, without nulls, which match nothing. */
export function arrayText(items: readonly ColumnValue[]): string {
  const texts = items.filter((item) => item !== null).map((item) => `"${`${item}`.replace(/[\\"]/g, '\\$&')}"`)
  return `{${texts.join()}}`
}
