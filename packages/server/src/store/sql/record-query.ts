/** Queries on single records: reading, and the statements that a write is made of. */
import { type AnyLink, type AnyNoun, type Level, type Operation, type Shape, specOf, type Value } from '@nomen/core'
import { fold } from '../fold.ts'
import type { StoredNoun } from '../model.ts'
import type { RowFilter, Values } from '../plan.ts'
import { columnName, foldedName, tableName } from '../stored-name.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, ancestorKey, bareColumn, barePairKey, column, pairKey, slot, table, version } from './fragment.ts'
import { recordJson } from './record-json.ts'
import { scope } from './scope.ts'
import { type Sql, sql } from './sql.ts'

/** What a query on one record is bound to. */
export interface RecordInput {
  readonly ancestors: readonly Value[]
  readonly key: Value
  readonly rowFilter?: RowFilter | undefined
}

/** The stored record, every field of the noun under its own name, or only these. */
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
  const related = scope(dialect, operation.levels.at(-1)?.relations ?? [], { rowFilter, isSingle: true })
  const conditions = [isKey, ...related, ...visibleWhere(dialect, rowFilter, noun)]
  return sql`select ${recordJson(dialect, shape, { rowFilter })}, ${column(noun, noun.identity)}, ${version()}
from ${table(noun)} as t
where ${all(conditions)}`
}

/** One column for each ancestor: whether it is there and related to those above it. */
export function ancestorQuery(dialect: Dialect, levels: readonly Level[], rowFilter?: RowFilter): Sql {
  return sql`select ${sql.join(ancestorChecks(dialect, levels, rowFilter))}`
}

/** For each ancestor, whether it is there, related to those above it, and seen. */
export function ancestorChecks(dialect: Dialect, levels: readonly Level[], rowFilter?: RowFilter): readonly Sql[] {
  return levels.slice(0, -1).map(({ resource, relations }, level) => {
    const noun: AnyNoun = resource.noun
    const isKey = sql`${column(noun, noun.identity)} = ${ancestorKey(dialect, noun, level)}`
    const conditions = [
      isKey,
      ...scope(dialect, relations, { rowFilter, isSingle: true }),
      ...visibleWhere(dialect, rowFilter, noun),
    ]
    return sql`exists (select 1 from ${table(noun)} as t where ${all(conditions)})`
  })
}

/** Whether a record is there. */
export function existsQuery(noun: AnyNoun): Sql {
  return sql`select 1 from ${table(noun)} as t where ${column(noun, noun.identity)} = ${slot<Value>((key) => key)}`
}

/** Whether a record is there and seen. */
export function seenQuery(dialect: Dialect, noun: AnyNoun, rowFilter: RowFilter): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<RecordInput>(({ key }) => key)}`
  return sql`select 1 from ${table(noun)} as t where ${all([isKey, ...visibleWhere(dialect, rowFilter, noun)])}`
}

/** What an insert or an update is bound to: complete rows, or the changed fields and the key. */
export interface WriteInput {
  readonly key: Value
  readonly values: Values
}

/** Inserts the given fields; what is left out takes the database's own value, such as the next identity. */
export function insertQuery(dialect: Dialect, stored: StoredNoun, fields: readonly string[]): Sql {
  const columns = written(dialect, stored, fields)
  const names = sql.join(columns.map(({ name }) => sql.table(name)))
  return sql`insert into ${table(stored.noun)} (${names}) values (${sql.join(columns.map(({ value }) => value))})`
}

/** The same, and gives back the new record. Columns: JSON of the shape, identity, version. */
export function createQuery(dialect: Dialect, stored: StoredNoun, shape: Shape, fields: readonly string[]): Sql {
  return sql`${insertQuery(dialect, stored, fields)} returning ${returned(dialect, stored.noun, shape)}`
}

/** Sets the given fields and raises the version. Columns as for an insert. */
export function updateQuery(dialect: Dialect, stored: StoredNoun, shape: Shape, fields: readonly string[]): Sql {
  const { noun } = stored
  const sets = written(dialect, stored, fields).map(({ name, value }) => sql`${sql.table(name)} = ${value}`)
  const isKey = sql`${bareColumn(noun, noun.identity)} = ${slot<WriteInput>(({ key }) => key)}`
  return sql`update ${table(noun)}
set ${sql.join([...sets, sql`"_version" = "_version" + 1`])}
where ${isKey}
returning ${returned(dialect, noun, shape)}`
}

function returned(dialect: Dialect, noun: AnyNoun, shape: Shape): Sql {
  const json = recordJson(dialect, shape, { alias: tableName(noun) })
  return sql`${json}, ${bareColumn(noun, noun.identity)}, ${sql.ref('_version')}`
}

/** The columns that a write of these fields touches, folded texts included. */
export function written(
  dialect: Dialect,
  { noun, searched }: StoredNoun,
  fields: readonly string[],
): { name: string; value: Sql }[] {
  const columns: { name: string; value: Sql }[] = []
  for (const field of fields) {
    const spec = specOf(noun, field)
    columns.push({
      name: columnName(noun, field),
      value: slot<WriteInput>(({ values }) => dialect.columnValue(spec, values[field] ?? null)),
    })
    if (searched.has(field))
      columns.push({
        name: foldedName(columnName(noun, field)),
        value: slot<WriteInput>(({ values }) => foldedValue(values[field])),
      })
  }
  return columns
}

function foldedValue(value: Value | undefined): Value {
  return typeof value === 'string' ? fold(value) : null
}

export function deleteQuery(noun: AnyNoun): Sql {
  return sql`delete from ${table(noun)} where ${bareColumn(noun, noun.identity)} = ${slot<Value>((key) => key)}`
}

/** Gives a row where a record is of the version. */
export function sameVersionQuery(noun: AnyNoun): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<{ key: Value }>(({ key }) => key)}`
  const isVersion = sql`${version()} = ${slot<{ version: number }>((input) => input.version)}`
  return sql`select 1 from ${table(noun)} as t where ${isKey} and ${isVersion}`
}

/** A pair of linked identities; `near` belongs to the parent in the path. */
export interface LinkInput {
  readonly near: Value
  readonly far: Value
}

export function linkQuery(link: AnyLink, near: AnyNoun, far: AnyNoun): Sql {
  const columns = sql`${barePairKey(link, near)}, ${barePairKey(link, far)}`
  const values = sql`${slot<LinkInput>((input) => input.near)}, ${slot<LinkInput>((input) => input.far)}`
  return sql`insert into ${table(link)} (${columns}) values (${values}) on conflict do nothing`
}

export function unlinkQuery(link: AnyLink, near: AnyNoun, far: AnyNoun): Sql {
  const isNear = sql`${barePairKey(link, near)} = ${slot<LinkInput>((input) => input.near)}`
  const isFar = sql`${barePairKey(link, far)} = ${slot<LinkInput>((input) => input.far)}`
  return sql`delete from ${table(link)} where ${isNear} and ${isFar}`
}

/** Whether two records share the value of a field. */
export function sharesQuery(near: AnyNoun, far: AnyNoun, field: string): Sql {
  const isNear = sql`${column(near, near.identity, 'near')} = ${slot<LinkInput>((input) => input.near)}`
  const isFar = sql`${column(far, far.identity, 'far')} = ${slot<LinkInput>((input) => input.far)}`
  return sql`select 1
from ${table(near)} as near, ${table(far)} as far
where ${isNear} and ${isFar} and ${column(near, field, 'near')} = ${column(far, field, 'far')}`
}

/** How many records a record is linked with. */
export function linkCountQuery(link: AnyLink, noun: AnyNoun): Sql {
  return sql`select count(*) from ${table(link)} where ${barePairKey(link, noun)} = ${slot<Value>((key) => key)}`
}

/** The same, and how many of them the caller sees. */
export function seenLinkCountQuery(dialect: Dialect, link: AnyLink, noun: AnyNoun, rowFilter: RowFilter): Sql {
  const other = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  const isKey = sql`${column(other, other.identity)} = ${pairKey(link, other, 'pair')}`
  const seen = all([isKey, ...visibleWhere(dialect, rowFilter, other)])
  const isSeen = sql`exists (select 1 from ${table(other)} as t where ${seen})`
  return sql`select count(*), count(*) filter (where ${isSeen})
from ${table(link)} as pair
where ${pairKey(link, noun, 'pair')} = ${slot<RecordInput>(({ key }) => key)}`
}
