/** Statements that create a record below its ancestors: one round trip, one transaction. */
import { type Operation, specOf, targetOf } from '@nomen/core'
import type { StoredNoun } from '../../model.ts'
import type { RowFilter } from '../../plan.ts'
import { all, column, slot, table } from '../../sql/fragment.ts'
import { deleteExpiredKey, selectOutcome } from '../../sql/own-tables/idempotency-keys.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { columnsToWrite, versionColumn } from '../../sql/write-query.ts'
import { tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { storeInserted } from './idempotency-keys.ts'
import { originConditions } from './origin-query.ts'
import { ancestorsExist, ancestorsQuery, keyType, returningColumns, type WriteParameters } from './path-query.ts'

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
