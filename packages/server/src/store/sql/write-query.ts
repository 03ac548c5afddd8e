/** Statements that insert, update and delete one record. */
import { type AnyNoun, type Shape, specOf, type Value } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import type { Values } from '../plan.ts'
import { columnName, tableName } from '../stored-name.ts'
import { derivedValue } from '../text/derived-column.ts'
import type { Dialect } from './dialect.ts'
import { bareColumn, column, slot, table, version } from './fragment.ts'
import { recordJson } from './record-json.ts'
import { type Sql, sql } from './sql.ts'

/** The bound values of an insert or an update: complete rows, or the changed fields and the key. */
export interface WriteInput {
  readonly key: Value
  readonly values: Values
  /** Of a restored record. */
  readonly version?: number | undefined
}

/** Inserts the given fields; the database sets the others, such as the next identity. */
export function insertQuery(
  dialect: Dialect,
  stored: StoredNoun,
  fields: readonly string[],
  { isRestored = false } = {},
): Sql {
  const columns = [...columnsToWrite(dialect, stored, fields), ...(isRestored ? [versionColumn] : [])]
  if (columns.length === 0) return sql`insert into ${table(stored.noun)} default values`
  const names = sql.join(columns.map(({ name }) => sql.table(name)))
  return sql`insert into ${table(stored.noun)} (${names}) values (${sql.join(columns.map(({ value }) => value))})`
}

/** The version of a restored record, which is higher than all versions before it was deleted. */
export const versionColumn = { name: '_version', value: slot<WriteInput>(({ version = 1 }) => version) }

/** Inserts a record and returns it. Columns: JSON of the shape, identity, version. */
export function createQuery(
  dialect: Dialect,
  stored: StoredNoun,
  shape: Shape,
  fields: readonly string[],
  options?: { readonly isRestored: boolean },
): Sql {
  return sql`${insertQuery(dialect, stored, fields, options)}
returning ${returningColumns(dialect, stored.noun, shape)}`
}

/** Sets the given fields and raises the version. Columns as for an insert. */
export function updateQuery(dialect: Dialect, stored: StoredNoun, shape: Shape, fields: readonly string[]): Sql {
  const { noun } = stored
  const sets = columnsToWrite(dialect, stored, fields).map(({ name, value }) => sql`${sql.table(name)} = ${value}`)
  const isKey = sql`${bareColumn(noun, noun.identity)} = ${slot<WriteInput>(({ key }) => key)}`
  return sql`update ${table(noun)}
set ${sql.join([...sets, sql`"_version" = "_version" + 1`])}
where ${isKey}
returning ${returningColumns(dialect, noun, shape)}`
}

function returningColumns(dialect: Dialect, noun: AnyNoun, shape: Shape): Sql {
  const json = recordJson(dialect, shape, { alias: tableName(noun) })
  return sql`${json}, ${bareColumn(noun, noun.identity)}, ${sql.ref('_version')}`
}

/** The columns that a write of these fields sets, including derived ones. */
export function columnsToWrite(
  dialect: Dialect,
  { noun, derived }: StoredNoun,
  fields: readonly string[],
): { name: string; value: Sql }[] {
  const columns: { name: string; value: Sql }[] = []
  for (const field of fields) {
    const spec = specOf(noun, field)
    columns.push({
      name: columnName(noun, field),
      value: slot<WriteInput>(({ values }) => dialect.columnValue(spec, values[field] ?? null)),
    })
    for (const column of derived.get(field) ?? [])
      columns.push({ name: column.name, value: slot<WriteInput>(({ values }) => derivedValue(column, values[field])) })
  }
  return columns
}

export function deleteQuery(noun: AnyNoun): Sql {
  return sql`delete from ${table(noun)} where ${bareColumn(noun, noun.identity)} = ${slot<Value>((key) => key)}`
}

/** Returns a row if the record has this version. */
export function sameVersionQuery(noun: AnyNoun): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<{ key: Value }>(({ key }) => key)}`
  const isVersion = sql`${version()} = ${slot<{ version: number }>((input) => input.version)}`
  return sql`select 1 from ${table(noun)} as t where ${isKey} and ${isVersion}`
}
