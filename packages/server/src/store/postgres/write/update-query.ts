/** Statements that update a record: one round trip, one transaction. */
import { type AnyNoun, type Operation, specOf } from '@nomen/core'
import type { StoredNoun } from '../../model.ts'
import { all, column, slot, table, version } from '../../sql/fragment.ts'
import { relationConditions } from '../../sql/relation.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { columnsToWrite } from '../../sql/write-query.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { originConditions } from './origin-query.ts'
import { ancestorsExist, ancestorsQuery, returningColumns, type WriteParameters } from './path-query.ts'

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
