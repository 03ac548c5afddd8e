/** Queries on single records: reads, and the statements of writes. */
import { type AnyLink, type AnyNoun, type Level, type Operation, type Shape, specOf, type Value } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import { type Condition, ownFields, type RowFilter, type Values } from '../plan.ts'
import { columnName, tableName } from '../stored-name.ts'
import { derivedValue } from '../text/derived-column.ts'
import { conditionKey } from './condition-key.ts'
import type { Dialect } from './dialect.ts'
import { filter, visibleWhere } from './filter.ts'
import { all, ancestorKey, bareColumn, barePairKey, column, pairKey, slot, table, version } from './fragment.ts'
import { recordJson } from './record-json.ts'
import { relationConditions } from './relation.ts'
import { type Sql, sql } from './sql.ts'

/** The bound values of a query on one record. */
export interface RecordInput {
  readonly ancestors: readonly Value[]
  readonly key: Value
  readonly rowFilter?: RowFilter | undefined
}

/** The shape of a stored record: every field under its own name, or only some. */
export function storedShape(noun: AnyNoun, fields: readonly string[] = Object.keys(noun.fields)): Shape {
  const properties = fields.map((field) => ({ name: field, field, spec: specOf(noun, field) }))
  return { name: 'complete', noun, properties }
}

/** Columns: JSON of the shape, identity, version. By identity, or by the lookup's unique field. */
export function readQuery(dialect: Dialect, operation: Operation, shape: Shape, rowFilter?: RowFilter): Sql {
  const { noun } = operation.shape
  const key = operation.lookup?.field ?? noun.identity
  const spec = specOf(noun, key)
  const isKey = dialect.isSame(
    spec,
    column(noun, key),
    slot<RecordInput>((input) => dialect.columnValue(spec, input.key)),
  )
  const related = relationConditions(dialect, operation.levels.at(-1)?.relations ?? [], { rowFilter, isSingle: true })
  const conditions = [isKey, ...related, ...visibleWhere(dialect, rowFilter, noun)]
  return sql`select ${recordJson(dialect, shape, { rowFilter })}, ${column(noun, noun.identity)}, ${version()}
from ${table(noun)} as t
where ${all(conditions)}`
}

/** One column for each ancestor: whether it exists and is related to those above it. */
export function ancestorQuery(dialect: Dialect, levels: readonly Level[], rowFilter?: RowFilter): Sql {
  return sql`select ${sql.join(ancestorChecks(dialect, levels, rowFilter))}`
}

/** For each ancestor: whether it exists, is related to those above it, and is visible. */
export function ancestorChecks(dialect: Dialect, levels: readonly Level[], rowFilter?: RowFilter): readonly Sql[] {
  return levels.slice(0, -1).map(({ resource, relations }, level) => {
    const noun: AnyNoun = resource.noun
    const isKey = sql`${column(noun, noun.identity)} = ${ancestorKey(dialect, noun, level)}`
    const conditions = [
      isKey,
      ...relationConditions(dialect, relations, { rowFilter, isSingle: true }),
      ...visibleWhere(dialect, rowFilter, noun),
    ]
    return sql`exists (select 1 from ${table(noun)} as t where ${all(conditions)})`
  })
}

/** Whether a record exists. */
export function existsQuery(noun: AnyNoun): Sql {
  return sql`select 1 from ${table(noun)} as t where ${column(noun, noun.identity)} = ${slot<Value>((key) => key)}`
}

/** Whether a record exists and is visible. */
export function visibleQuery(dialect: Dialect, noun: AnyNoun, rowFilter: RowFilter): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<RecordInput>(({ key }) => key)}`
  return sql`select 1 from ${table(noun)} as t where ${all([isKey, ...visibleWhere(dialect, rowFilter, noun)])}`
}

/** The bound values of a visibility check before a write. */
export interface AfterWriteInput {
  readonly key: Value
  readonly values: Values
  readonly conditions: readonly Condition[]
}

/** One column for each condition: whether the record satisfies it after the write. The key is that of a change. */
export function conditionsAfterWrite(
  dialect: Dialect,
  noun: AnyNoun,
  { values, conditions, key }: AfterWriteInput,
): Sql {
  const neededFields = [...new Set(conditions.flatMap(ownFields))]
  const isNew = key === null
  const columns = neededFields.map((field) => {
    const spec = specOf(noun, field)
    const value = slot<AfterWriteInput>((input) => dialect.columnValue(spec, input.values[field] ?? null))
    const next = isNew || field in values ? dialect.typed(spec, value) : column(noun, field, 'stored')
    return sql`${next} as ${sql.table(columnName(noun, field))}`
  })
  const identity = specOf(noun, noun.identity)
  const isKey = dialect.isEqual(
    identity,
    column(noun, noun.identity, 'stored'),
    slot<AfterWriteInput>((input) => dialect.columnValue(identity, input.key)),
  )
  const from = isNew ? sql`` : sql` from ${table(noun)} as stored where ${isKey}`
  const conditionResults = conditions.map((condition, index) => {
    const read = (input: AfterWriteInput) => input.conditions[index]
    return sql`case when ${filter({ dialect, noun, alias: 't', read }, condition)} then 1 else 0 end`
  })
  return sql`select ${sql.join(conditionResults)} from (select ${sql.join(columns)}${from}) as t`
}

/** The cache key of a visibility check. */
export function conditionsAfterWriteKey(noun: AnyNoun, { values, conditions, key }: AfterWriteInput): string {
  const writtenColumns = key === null ? '' : ` of ${Object.keys(values).join()}`
  return `fit ${noun.name}${writtenColumns}${conditions.map(conditionKey).join('')}`
}

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

/** A pair of linked identities; the first one belongs to the parent in the path. */
export interface LinkInput {
  readonly first: Value
  readonly second: Value
}

export function linkQuery(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  const columns = sql`${barePairKey(link, first)}, ${barePairKey(link, second)}`
  const values = sql`${slot<LinkInput>((input) => input.first)}, ${slot<LinkInput>((input) => input.second)}`
  return sql`insert into ${table(link)} (${columns}) values (${values}) on conflict do nothing`
}

export function unlinkQuery(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  return sql`delete ${fromPair(link, first, second)}`
}

/** Whether two records are linked. */
export function linkedQuery(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  return sql`select 1 ${fromPair(link, first, second)}`
}

function fromPair(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  const isFirst = sql`${barePairKey(link, first)} = ${slot<LinkInput>((input) => input.first)}`
  const isSecond = sql`${barePairKey(link, second)} = ${slot<LinkInput>((input) => input.second)}`
  return sql`from ${table(link)} where ${isFirst} and ${isSecond}`
}

/** Whether two records share the value of a field. */
export function sharesQuery(first: AnyNoun, second: AnyNoun, field: string): Sql {
  const isFirst = sql`${column(first, first.identity, 'first_side')} = ${slot<LinkInput>((input) => input.first)}`
  const isSecond = sql`${column(second, second.identity, 'second_side')} = ${slot<LinkInput>((input) => input.second)}`
  return sql`select 1
from ${table(first)} as first_side, ${table(second)} as second_side
where ${isFirst} and ${isSecond} and ${column(first, field, 'first_side')} = ${column(second, field, 'second_side')}`
}

/** The number of records that are linked with a record. */
export function linkCountQuery(link: AnyLink, noun: AnyNoun): Sql {
  return sql`select count(*) from ${table(link)} where ${barePairKey(link, noun)} = ${slot<Value>((key) => key)}`
}

/** The same, and how many of them are visible. */
export function visibleLinkCountQuery(dialect: Dialect, link: AnyLink, noun: AnyNoun, rowFilter: RowFilter): Sql {
  const otherNoun = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  const isKey = sql`${column(otherNoun, otherNoun.identity)} = ${pairKey(link, otherNoun, 'pair')}`
  const conditions = all([isKey, ...visibleWhere(dialect, rowFilter, otherNoun)])
  const isVisible = sql`exists (select 1 from ${table(otherNoun)} as t where ${conditions})`
  return sql`select count(*), count(*) filter (where ${isVisible})
from ${table(link)} as pair
where ${pairKey(link, noun, 'pair')} = ${slot<RecordInput>(({ key }) => key)}`
}
