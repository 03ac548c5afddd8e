/** Single-statement writes that also check the ancestors of the path: one round trip, one transaction. */
import {
  type AnyLink,
  type AnyNoun,
  hasHistory,
  type Operation,
  type Shape,
  specOf,
  targetOf,
  type Value,
} from '@nomen/core'
import type { Target } from '../../decide/rejection.ts'
import type { StoredNoun } from '../../model.ts'
import type { Origin, RowFilter } from '../../plan.ts'
import { visibleWhere } from '../../sql/filter.ts'
import { all, column, slot, table, version } from '../../sql/fragment.ts'
import { deleteExpiredKey, selectOutcome } from '../../sql/own-tables/idempotency-keys.ts'
import { recordJson } from '../../sql/record-json.ts'
import { ancestorChecks, type RecordInput, readQuery } from '../../sql/record-query.ts'
import { relationConditions } from '../../sql/relation.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { columnsToWrite, versionColumn, type WriteInput } from '../../sql/write-query.ts'
import { tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { originSetting } from '../migrate/sql/history.ts'
import { storeInserted } from './idempotency-keys.ts'

/** Columns: those of a query, then for each ancestor whether it exists. At least one row. */
export function belowAncestors({ levels }: Operation, query: Sql, rowFilter?: RowFilter): Sql {
  if (levels.length === 1) return query
  return sql`select found.*, ${sql.join(ancestorChecks(dialect, levels, rowFilter))}
    from (select) as one
    left join (${query}) as found on true`
}

/** Reads a record below its ancestors. Columns: JSON of the shape, identity, version, ancestors. */
export function readBelow(operation: Operation, shape: Shape, rowFilter?: RowFilter, lock = sql``): Sql {
  return belowAncestors(operation, sql`${readQuery(dialect, operation, shape, rowFilter)}${lock}`, rowFilter)
}

/** Prevents other transactions from changing the record or referring to it until this one ends. */
export const lock = sql` for update of t`

/** The bound values of a write: ancestors and key of the plan, values, and the version that was read. */
export interface WriteParameters extends WriteInput, RecordInput, OriginInput {
  readonly version?: number
}

/** The input of a write that the history may record. */
export interface OriginInput {
  readonly origin?: Origin
}

/**
 * Sets the origin of a write for the history. It is a condition that is always true, because conditions are evaluated before
 * the row is written and its triggers run. Empty if the changes are not recorded.
 */
export function originConditions(of: AnyNoun | AnyLink): readonly Sql[] {
  return hasHistory(of) ? [sql`${setOrigin} is not null`] : []
}

const origin = slot<OriginInput>((input) => JSON.stringify(input.origin ?? {}))
const setOrigin = sql`set_config(${sql.lit(originSetting)}, ${origin}, true)`

/** Sets the origin for the rest of the transaction. */
export const originQuery = sql`select ${setOrigin}`

/** The declarations that an insert statement is built from. */
export interface InsertSpec {
  readonly operation: Operation
  readonly stored: StoredNoun
  readonly fields: readonly string[]
  readonly rowFilter: RowFilter | undefined
  /** Whether the values include the identity and the version. */
  readonly isRestored?: boolean
}

/**
 * Inserts a record if all ancestors exist, and if records of its own noun that it refers to exist. Columns: JSON of the
 * shape, identity, version, ancestors.
 */
export function createBelow(insert: InsertSpec): Sql {
  const { operation, rowFilter } = insert
  const { into, values, returning, conditionsOfRow } = insertParts(insert)
  if (operation.levels.length === 1) return sql`${into} select ${values} where ${all(conditionsOfRow)} ${returning}`
  const conditions = all([ancestorsExist(operation), ...conditionsOfRow])
  return sql`with _ancestors as (${ancestorsQuery(operation, rowFilter)}),
    _inserted as (${into} select ${values} from _ancestors where ${conditions} ${returning})
    select _inserted.*, _ancestors.*
    from _ancestors
    left join _inserted on true`
}

/**
 * Inserts like `createBelow` and stores the outcome under the Idempotency-Key. If an outcome is already stored, returns
 * that instead. Columns as for an insert, then those of the stored outcome.
 */
export function createOnce(insert: InsertSpec): Sql {
  const { operation, rowFilter } = insert
  const { into, values, returning, conditionsOfRow } = insertParts(insert)
  // The second one is always true: because it reads `_deleted_key`, PostgreSQL deletes an expired key before the insert.
  const newKeyConditions = [sql`not exists (select from _outcome)`, sql`(select count(*) from _deleted_key) >= 0`]
  const conditions = all([ancestorsExist(operation), ...conditionsOfRow, ...newKeyConditions])
  return sql`with _ancestors as (${ancestorsQuery(operation, rowFilter)}),
    _outcome as (${selectOutcome}),
    _deleted_key as (${deleteExpiredKey}),
    _inserted as (${into} select ${values} from _ancestors where ${conditions} ${returning}),
    _stored_key as (${storeInserted})
    select _inserted.*, _ancestors.*, _outcome.*
    from _ancestors
    left join _inserted on true
    left join _outcome on true`
}

function insertParts({ operation, stored, fields, isRestored }: InsertSpec) {
  const columnsWritten = [...columnsToWrite(dialect, stored, fields), ...(isRestored ? [versionColumn] : [])]
  // An insert that selects its values needs a column, even if the noun has only an identity.
  const columns = columnsWritten.length > 0 ? columnsWritten : [{ name: '_version', value: sql`1` }]
  const { noun } = stored
  const selfReferences = fields.filter(
    (field) => specOf(noun, field).kind === 'reference' && targetOf(noun, field) === noun,
  )
  return {
    /** A new record cannot refer to itself: its target must already exist. */
    conditionsOfRow: [
      ...selfReferences.map((field) => {
        const value = sql`${slot<WriteParameters>(({ values }) => values[field] ?? null)}::${sql.raw(keyType(noun))}`
        return sql`(${value} is null
        or exists (select 1 from ${table(noun)} as t where ${column(noun, noun.identity)} = ${value}))`
      }),
      ...originConditions(noun),
    ],
    into: sql`insert into ${table(stored.noun)} (${sql.join(columns.map(({ name }) => sql.table(name)))})${
      isRestored ? sql` overriding system value` : sql``
    }`,
    values: sql.join(columns.map(({ value }) => value)),
    returning: sql`returning ${returningColumns(operation, tableName(stored.noun))}`,
  }
}

/** Updates a record without reading it, if all ancestors exist. Columns as for an insert. */
export function updateBelow(operation: Operation, stored: StoredNoun, fields: readonly string[]): Sql {
  const update = updateStart(stored, fields)
  const returning = sql`returning ${returningColumns(operation, 't')}`
  const origin = originConditions(stored.noun)
  if (operation.levels.length === 1) return sql`${update} where ${all([isKey(stored.noun), ...origin])} ${returning}`
  const related = relationConditions(dialect, operation.levels.at(-1)?.relations ?? [], { isSingle: true })
  const conditions = all([isKey(stored.noun), ancestorsExist(operation), ...related, ...origin])
  return sql`with _ancestors as (${ancestorsQuery(operation)}),
    _updated as (${update} from _ancestors where ${conditions} ${returning})
    select _updated.*, _ancestors.*
    from _ancestors
    left join _updated on true`
}

/** Updates a record if it still has the version that was read. Columns: JSON of the shape, identity, version. */
export function updateAtVersion(operation: Operation, stored: StoredNoun, fields: readonly string[]): Sql {
  const isSame = sql`${version()} = ${slot<WriteParameters>((input) => input.version)}`
  return sql`${updateStart(stored, fields)}
    where ${all([isKey(stored.noun), isSame, ...originConditions(stored.noun)])}
    returning ${returningColumns(operation, 't')}`
}

function updateStart(stored: StoredNoun, fields: readonly string[]): Sql {
  const sets = columnsToWrite(dialect, stored, fields).map(({ name, value }) => sql`${sql.table(name)} = ${value}`)
  const nextVersion = sql`"_version" = ${version()} + 1`
  return sql`update ${table(stored.noun)} as t set ${sql.join([...sets, nextVersion])}`
}

function isKey(noun: AnyNoun): Sql {
  const spec = specOf(noun, noun.identity)
  return dialect.isEqual(
    spec,
    column(noun, noun.identity),
    slot<WriteParameters>(({ key }) => dialect.columnValue(spec, key)),
  )
}

/** One row: for each ancestor whether it exists. */
export function ancestorsQuery({ levels }: Operation, rowFilter?: RowFilter): Sql {
  const checks = ancestorChecks(dialect, levels, rowFilter)
  return sql`select ${sql.join(checks.map((check, level) => sql`${check} as ${sql.ref(`a${level}`)}`))}`
}

export function ancestorsExist({ levels }: Operation): Sql {
  return all(levels.slice(0, -1).map((_, level) => sql.ref(`_ancestors.a${level}`)))
}

export function returningColumns({ shape }: Operation, alias: string): Sql {
  const { noun } = shape
  return sql`${recordJson(dialect, shape, { alias })} as json,
    ${column(noun, noun.identity, alias)} as identity,
    ${version(alias)} as version`
}

/** The bound values of a query for missing records. */
export interface MissingInput {
  readonly ancestors: readonly Value[]
  readonly targets: readonly Target[]
  readonly rowFilter: RowFilter | undefined
}

/** Columns: for each ancestor, then for each target, whether it exists and is visible. */
export function missingQuery({ levels }: Operation, targets: readonly Target[], rowFilter: RowFilter | undefined): Sql {
  const checks = targets.map((target, index) => {
    const { noun } = target
    const value = slot<MissingInput>((input) => input.targets[index]?.value ?? null)
    const isKey = dialect.isEqual(specOf(noun, noun.identity), column(noun, noun.identity), value)
    const conditions = all([isKey, ...visibleWhere(dialect, target.rowFilter, noun)])
    return sql`exists (select 1 from ${table(noun)} as t where ${conditions})`
  })
  return sql`select ${sql.join([...ancestorChecks(dialect, levels, rowFilter), ...checks])}`
}

export function keyType(noun: AnyNoun): string {
  return specOf(noun, noun.identity).guid ? 'uuid' : 'bigint'
}
