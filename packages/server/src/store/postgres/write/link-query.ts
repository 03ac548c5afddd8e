/** Statements that link and unlink two records, and also check the ancestors of the path. */
import { type AnyLink, type AnyNoun, type Operation, specOf, type Value } from '@nomen/core'
import type { RowFilter } from '../../plan.ts'
import { visibleWhere } from '../../sql/filter.ts'
import { all, barePairKey, column, slot, table } from '../../sql/fragment.ts'
import { type RecordInput, readQuery } from '../../sql/record-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { ancestorsExist, ancestorsQuery, keyType, originConditions, returningColumns } from './query.ts'

interface LinkSides {
  readonly link: AnyLink
  readonly near: AnyNoun
  readonly far: AnyNoun
}

/**
 * Links two records that share the value that the link requires. Both are locked, so that they cannot be changed or
 * deleted, and the locked values are compared. Columns as for a read, then whether the value is shared.
 */
export function linkBelow(operation: Operation, { link, near, far }: LinkSides, rowFilter: RowFilter | undefined): Sql {
  const { sharing } = link
  const farConditions = [
    sql`${column(far, far.identity)} = ${keyIn(far, ({ key }) => key)}`,
    ...visibleWhere(dialect, rowFilter, far),
  ]
  const shared = (noun: AnyNoun) => (sharing === undefined ? sql`true` : column(noun, sharing))
  const nearKey = keyIn(near, ({ ancestors }) => ancestors.at(-1) ?? null)
  const farKey = keyIn(far, ({ key }) => key)
  const isNear = sql`${column(near, near.identity)} = ${nearKey}`
  const isPossible = all([ancestorsExist(operation), sql`_near.shared = _far.shared`, ...originConditions(link)])
  return sql`with _ancestors as (${ancestorsQuery(operation, rowFilter)}),
    _near as (select ${shared(near)} as shared from ${table(near)} as t where ${isNear} for share of t),
    _far as (
      select ${returningColumns(operation, 't')}, ${shared(far)} as shared
      from ${table(far)} as t
      where ${all(farConditions)}
      for share of t
    ),
    _linked as (
      insert into ${table(link)} (${barePairKey(link, near)}, ${barePairKey(link, far)})
      select ${nearKey}, ${farKey}
      from _near, _far, _ancestors
      where ${isPossible}
      on conflict do nothing
    )
    select _far.json, _far.identity, _far.version, _ancestors.*, _near.shared = _far.shared
    from _ancestors
    left join _near on true
    left join _far on true`
}

/** Unlinks two records. Columns as for a read; no record if they are not linked. */
export function unlinkBelow(
  operation: Operation,
  { link, near, far }: LinkSides,
  rowFilter: RowFilter | undefined,
): Sql {
  const isNear = sql`${barePairKey(link, near)} = ${keyIn(near, ({ ancestors }) => ancestors.at(-1) ?? null)}`
  const isFar = sql`${barePairKey(link, far)} = ${keyIn(far, ({ key }) => key)}`
  const record = readQuery(dialect, operation, operation.shape, rowFilter)
  return sql`with _ancestors as (${ancestorsQuery(operation, rowFilter)}),
    _unlinked as (
      delete from ${table(link)}
      where ${all([isNear, isFar, ...originConditions(link)])}
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
