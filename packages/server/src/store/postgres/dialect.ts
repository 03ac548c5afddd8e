/** PostgreSQL's side of the dialect. */
import { type FieldSpec, readValue, type Value } from '@nomen/core'
import type { ColumnValue, Dialect } from '../sql/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { beginning, typeOf as columnType, isIndexedByBeginning } from './migrate/table.ts'

export const postgresDialect: Dialect = {
  // A join would promise no order.
  findsFirst: false,
  object: (members) => (members.some(({ name }) => isCutOff(name)) ? joinedObject(members) : rowObject(members)),
  // The rows of an ordered subquery reach the aggregate one by one in their order, as long as nothing runs in parallel.
  array: (item) => sql`'[' || coalesce(string_agg(${item}, ','), '') || ']'`,
  wire,
  text: (value) => sql`cast(${value} as text)`,
  joined: (texts) => sql`concat_ws(' ', ${sql.join([...texts])})`,
  bound,
  isEqual: (spec, column, value, isDriving = false) => {
    // A column of another's making may be of a type that takes texts for equal which differ in case.
    if (isCut(spec)) return sql`(${isKey(cut(column), cut(value), isDriving)} and ${column}::text = ${value})`
    if (spec.unindexed && isIndexedByBeginning(spec)) return sql`${column}::text = ${value}`
    if (spec.kind === 'timestamp') return isWithin(column, bound(spec, value))
    return isKey(column, bound(spec, value), isDriving)
  },
  isAnyOf: (spec, column, list) => {
    if (spec.kind === 'timestamp')
      return sql`exists (
  select from unnest(${list}::timestamptz[]) as one (moment)
  where ${isWithin(column, sql`one.moment`)}
)`
    // A choice may be kept in a type of its own, and a guid as one: the list takes the type of the column.
    if (spec.kind === 'choice' || spec.kind === 'guid') return sql`${column} = any(${list})`
    const isOne = sql`${column} = any(${list}::${sql.raw(typeOf(spec))}[])`
    if (!isCut(spec)) return isOne
    return sql`(${cut(column)} = any(array(select ${cut(sql`one`)} from unnest(${list}::text[]) as one)) and ${isOne})`
  },
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  order: (spec, column, isDescending) => {
    // An identity is never null, and its index knows nothing of where null would be.
    if (spec.kind === 'identity') return isDescending ? sql`${column} desc` : column
    const key = byCodePoint(spec, isCut(spec) ? cut(column) : column)
    return isDescending ? sql`${key} desc nulls last` : sql`${key} nulls first`
  },
  isSame: (spec, column, value) =>
    spec.kind === 'email'
      ? sql`lower(${column}) = lower(${value}::text collate "C")`
      : sql`${column} = ${bound(spec, value)}`,
  columnValue,
  listValue: (spec, values) => arrayText(values.map((value) => columnValue(spec, value))),
}

type Members = Parameters<Dialect['object']>[0]

/** A row as JSON: of the functions that make objects, the one that leaves no spaces in them. */
function rowObject(members: Members): Sql {
  const columns = members.map(({ name, value }) => sql`${value} as ${sql.table(name)}`)
  return sql`(select row_to_json(shown)::text from (select ${sql.join(columns)}) as shown)`
}

/** Text put together by hand, which takes the server longer. */
function joinedObject(members: Members): Sql {
  const parts = members.flatMap(({ name, value }, index) => [
    sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    sql`coalesce(to_json(${value})::text, 'null')`,
  ])
  return sql`${sql.join(parts, sql` || `)} || '}'`
}

/** Whether the server would cut off the end of a column's name. */
function isCutOff(name: string): boolean {
  return Buffer.byteLength(name) > 63
}

/**
 * A column that is known to be equal to something plays no part in the order any more, and the planner may then rather
 * go through the identities and leave out what does not fit, which takes long where little does.
 */
function isKey(column: Sql, value: Sql, isDriving: boolean): Sql {
  return isDriving ? sql`${column} between ${value} and ${value}` : sql`${column} = ${value}`
}

/** A column of another's making may be smaller than its field: what does not fit in is equal to nothing there. */
function bound({ kind, guid }: FieldSpec, value: Sql): Sql {
  if (kind === 'timestamp') return sql`${value}::timestamptz`
  const isWhole = kind === 'integer' || ((kind === 'identity' || kind === 'reference') && !guid)
  return isWhole ? sql`${value}::bigint` : value
}

/** A moment is a millisecond, also where others keep it more exactly. */
function isWithin(column: Sql, moment: Sql): Sql {
  return sql`(${column} >= ${moment} and ${column} < ${moment} + interval '1 millisecond')`
}

/** Texts in the order of their code points, whatever the type and the collation of their column. */
function byCodePoint({ kind }: FieldSpec, column: Sql): Sql {
  const isText = ['text', 'email', 'url', 'guid', 'choice'].includes(kind)
  return isText ? sql`${column}::text collate "C"` : column
}

/**
 * Whether texts are looked up and sorted by their beginnings, as the index has them. Texts that are alike for longer than
 * that count as one in an order.
 */
function isCut(spec: FieldSpec): boolean {
  return isIndexedByBeginning(spec) && !spec.unique && !spec.unindexed
}

function cut(text: Sql): Sql {
  return sql`left(${text}, ${sql.lit(beginning)})`
}

/** The type that a list of a field's values is bound as: that of its column, without lengths and order. */
function typeOf({ kind, guid }: FieldSpec): string {
  return columnType({ name: '', kind, ...(guid && { guid }) }).replace(/\(.*\)| collate .*/, '')
}

function wire({ kind }: FieldSpec, column: Sql): Sql {
  switch (kind) {
    case 'decimal':
      return sql`${column}::text`
    case 'timestamp':
      return sql`to_char(${column}::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    default:
      return column
  }
}

/** A filter may name a text that is no value of the field, such as no guid: nothing is equal to null. */
function columnValue({ kind, guid, precision, scale }: FieldSpec, given: Value): ColumnValue {
  if (given === null) return null
  if (typeof given === 'boolean') return `${given}`
  const isChecked = guid || kind === 'guid' || kind === 'date' || kind === 'timestamp' || kind === 'decimal'
  if (!isChecked) return given
  const form = guid ? 'guid' : kind
  const reading = readValue({ kind: form, ...(scale !== undefined && { scale, precision: precision ?? 18 }) }, given)
  return 'value' in reading ? (reading.value as ColumnValue) : null
}

/** An array as PostgreSQL reads it. What is no value of the field is equal to nothing, and left out. */
function arrayText(items: readonly ColumnValue[]): string {
  const texts = items.filter((item) => item !== null).map((item) => `"${`${item}`.replace(/[\\"]/g, '\\$&')}"`)
  return `{${texts.join()}}`
}
