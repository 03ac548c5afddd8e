/** Statements that link and unlink two records, and also check the ancestors of the path. */
import { type AnyLink, type AnyNoun, type Operation, specOf, type Value } from '@nomen/core'
import type { RowFilter } from '../../plan.ts'
import { visibleWhere } from '../../sql/filter.ts'
import { all, barePairKey, column, slot, table } from '../../sql/fragment.ts'
import { type RecordInput, readQuery } from '../../sql/record-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { originConditions } from './origin-query.ts'
import { ancestorsExist, ancestorsQuery, keyType, returningColumns } from './path-query.ts'

interface LinkSides {
  readonly link: AnyLink
  readonly first: AnyNoun
  readonly second: AnyNoun
}

/**
 * Links two records that share the value that the link requires. Both are locked, so that they cannot be changed or
 * deleted, and the locked values are compared. Columns as for a read, then whether the value is shared.
 */
export function linkBelow(
  operation: Operation,
  { link, first, second }: LinkSides,
  rowFilter: RowFilter | undefined,
): Sql {
  const { sharing } = link
  const secondConditions = [
    sql`${column(second, second.identity)} = ${keyIn(second, ({ key }) => key)}`,
    ...visibleWhere(dialect, rowFilter, second),
  ]
  const sharedValue = (noun: AnyNoun) => (sharing === undefined ? sql`true` : column(noun, sharing))
  const firstKey = keyIn(first, ({ ancestors }) => ancestors.at(-1) ?? null)
  const secondKey = keyIn(second, ({ key }) => key)
  const isFirst = sql`${column(first, first.identity)} = ${firstKey}`
  const isPossible = all([ancestorsExist(operation), sql`_first.shared = _second.shared`, ...originConditions(link)])
  return sql`with _ancestors as (${ancestorsQuery(operation, rowFilter)}),
    _first as (select ${sharedValue(first)} as shared from ${table(first)} as t where ${isFirst} for share of t),
    _second as (
      select ${returningColumns(operation, 't')}, ${sharedValue(second)} as shared
      from ${table(second)} as t
      where ${all(secondConditions)}
      for share of t
    ),
    _linked as (
      insert into ${table(link)} (${barePairKey(link, first)}, ${barePairKey(link, second)})
      select ${firstKey}, ${secondKey}
      from _first, _second, _ancestors
      where ${isPossible}
      on conflict do nothing
    )
    select _second.json, _second.identity, _second.version, _ancestors.*, _first.shared = _second.shared
    from _ancestors
    left join _first on true
    left join _second on true`
}

/** Unlinks two records. Columns as for a read; no record if they are not linked. */
export function unlinkBelow(
  operation: Operation,
  { link, first, second }: LinkSides,
  rowFilter: RowFilter | undefined,
): Sql {
  const isFirst = sql`${barePairKey(link, first)} = ${keyIn(first, ({ ancestors }) => ancestors.at(-1) ?? null)}`
  const isSecond = sql`${barePairKey(link, second)} = ${keyIn(second, ({ key }) => key)}`
  const record = readQuery(dialect, operation, operation.shape, rowFilter)
  return sql`with _ancestors as (${ancestorsQuery(operation, rowFilter)}),
    _unlinked as (
      delete from ${table(link)}
      where ${all([isFirst, isSecond, ...originConditions(link)])}
        and (select ${ancestorsExist(operation)} from _ancestors)
        and exists (${record})
      returning true
    )
    select found.*, _ancestors.*
    from _ancestors
    left join (${record}) as found on exists (select from _unlinked)`
}

function keyIn(noun: AnyNoun, read: (input: RecordInput) => Value): Sql {
  const spec = specOf(noun, noun.identity)
  return sql`${slot<RecordInput>((input) => dialect.columnValue(spec, read(input)))}::${sql.raw(keyType(noun))}`
}
