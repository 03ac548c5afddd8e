/** Writes of one statement each, which also checks the ancestors of the path: one round trip, one transaction. */
import { type AnyLink, type AnyNoun, type Operation, type Shape, specOf, targetOf, type Value } from '@nomen/core'
import type { Target } from '../../decide/refusal.ts'
import type { StoredNoun } from '../../model.ts'
import type { RowFilter } from '../../plan.ts'
import { visibleWhere } from '../../sql/filter.ts'
import { all, barePairKey, column, slot, table, version } from '../../sql/fragment.ts'
import { forgetKey, knownAnswer } from '../../sql/own-tables/idempotency-keys.ts'
import { recordJson } from '../../sql/record-json.ts'
import { ancestorChecks, type RecordInput, readQuery, type WriteInput, written } from '../../sql/record-query.ts'
import { scope } from '../../sql/scope.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { keepMade } from './idempotency-keys.ts'

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

/** Keeps others from changing the record, and from pointing at it, until the transaction ends. */
export const lock = sql` for update of t`

/** What a write is bound to: the plan's ancestors and key, the values, and the version that was seen. */
export interface Bound extends WriteInput, RecordInput {
  readonly version?: number
}

/** What the statement of an insert is made for. */
export interface Inserting {
  readonly operation: Operation
  readonly stored: StoredNoun
  readonly fields: readonly string[]
  readonly rowFilter: RowFilter | undefined
}

/**
 * Inserts a record if all ancestors exist, and others of its noun that it points at. Columns: JSON of the shape, identity,
 * version, ancestors.
 */
export function createBelow({ operation, stored, fields, rowFilter }: Inserting): Sql {
  const { into, values, returning, isPossible } = insertParts(operation, stored, fields)
  if (operation.levels.length === 1) return sql`${into} select ${values} where ${all(isPossible)} ${returning}`
  const conditions = all([areThere(operation), ...isPossible])
  return sql`with _above as (${above(operation, rowFilter)}),
    _made as (${into} select ${values} from _above where ${conditions} ${returning})
    select _made.*, _above.*
    from _above
    left join _made on true`
}

/**
 * The same, unless there is an outcome already under the key; the new one is kept. Columns as for an insert, then those
 * of the known outcome. An expired key must be gone before it is kept again: the insert depends on its removal.
 */
export function createOnce({ operation, stored, fields, rowFilter }: Inserting): Sql {
  const { into, values, returning, isPossible } = insertParts(operation, stored, fields)
  const isNew = [sql`not exists (select from _known)`, sql`(select count(*) from _gone) >= 0`]
  const conditions = all([areThere(operation), ...isPossible, ...isNew])
  return sql`with _above as (${above(operation, rowFilter)}),
    _known as (${knownAnswer}),
    _gone as (${forgetKey}),
    _made as (${into} select ${values} from _above where ${conditions} ${returning}),
    _kept as (${keepMade})
    select _made.*, _above.*, _known.*
    from _above
    left join _made on true
    left join _known on true`
}

function insertParts(operation: Operation, stored: StoredNoun, fields: readonly string[]) {
  const columns = written(dialect, stored, fields)
  const { noun } = stored
  const toOwnKind = fields.filter((field) => specOf(noun, field).kind === 'reference' && targetOf(noun, field) === noun)
  return {
    /** A new record cannot point at itself: what it points at must be there before. */
    isPossible: toOwnKind.map((field) => {
      const value = sql`${slot<Bound>(({ values }) => values[field] ?? null)}::${sql.raw(keyType(noun))}`
      return sql`(${value} is null
        or exists (select 1 from ${table(noun)} as t where ${column(noun, noun.identity)} = ${value}))`
    }),
    into: sql`insert into ${table(stored.noun)} (${sql.join(columns.map(({ name }) => sql.table(name)))})`,
    values: sql.join(columns.map(({ value }) => value)),
    returning: sql`returning ${returned(operation, tableName(stored.noun))}`,
  }
}

/** Changes a record whatever it holds, if all ancestors exist. Columns as for an insert. */
export function updateBelow(operation: Operation, stored: StoredNoun, fields: readonly string[]): Sql {
  const update = updateStart(stored, fields)
  const returning = sql`returning ${returned(operation, 't')}`
  if (operation.levels.length === 1) return sql`${update} where ${isKey(stored.noun)} ${returning}`
  const related = scope(dialect, operation.levels.at(-1)?.relations ?? [], { isSingle: true })
  const conditions = all([isKey(stored.noun), areThere(operation), ...related])
  return sql`with _above as (${above(operation)}),
    _made as (${update} from _above where ${conditions} ${returning})
    select _made.*, _above.*
    from _above
    left join _made on true`
}

/** Changes a record if it still has the version that was read. Columns: JSON of the shape, identity, version. */
export function updateAtVersion(operation: Operation, stored: StoredNoun, fields: readonly string[]): Sql {
  const isSame = sql`${version()} = ${slot<Bound>((input) => input.version)}`
  return sql`${updateStart(stored, fields)}
    where ${isKey(stored.noun)} and ${isSame}
    returning ${returned(operation, 't')}`
}

function updateStart(stored: StoredNoun, fields: readonly string[]): Sql {
  const sets = written(dialect, stored, fields).map(({ name, value }) => sql`${sql.table(name)} = ${value}`)
  const raised = sql`"_version" = ${version()} + 1`
  return sql`update ${table(stored.noun)} as t set ${sql.join([...sets, raised])}`
}

function isKey(noun: AnyNoun): Sql {
  const spec = specOf(noun, noun.identity)
  return dialect.isEqual(
    spec,
    column(noun, noun.identity),
    slot<Bound>(({ key }) => dialect.columnValue(spec, key)),
  )
}

/** One row: for each ancestor whether it exists. */
function above({ levels }: Operation, rowFilter?: RowFilter): Sql {
  const checks = ancestorChecks(dialect, levels, rowFilter)
  return sql`select ${sql.join(checks.map((check, level) => sql`${check} as ${sql.ref(`a${level}`)}`))}`
}

function areThere({ levels }: Operation): Sql {
  return all(levels.slice(0, -1).map((_, level) => sql.ref(`_above.a${level}`)))
}

function returned({ shape }: Operation, alias: string): Sql {
  const { noun } = shape
  return sql`${recordJson(dialect, shape, { alias })} as json,
    ${column(noun, noun.identity, alias)} as identity,
    ${version(alias)} as version`
}

/** What a query for missing records is bound to. */
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

interface Linked {
  readonly link: AnyLink
  readonly near: AnyNoun
  readonly far: AnyNoun
}

/**
 * Links two records that share what the link demands. Neither can be changed or deleted meanwhile, and what is compared
 * is what the lock was got on. Columns as for a read, then whether it is shared.
 */
export function linkBelow(operation: Operation, { link, near, far }: Linked, rowFilter: RowFilter | undefined): Sql {
  const { sharing } = link
  const isFar = [
    sql`${column(far, far.identity)} = ${keyIn(far, ({ key }) => key)}`,
    ...visibleWhere(dialect, rowFilter, far),
  ]
  const shared = (noun: AnyNoun) => (sharing === undefined ? sql`true` : column(noun, sharing))
  const nearKey = keyIn(near, ({ ancestors }) => ancestors.at(-1) ?? null)
  const farKey = keyIn(far, ({ key }) => key)
  const isNear = sql`${column(near, near.identity)} = ${nearKey}`
  const isPossible = all([areThere(operation), sql`_near.shared = _far.shared`])
  return sql`with _above as (${above(operation, rowFilter)}),
    _near as (select ${shared(near)} as shared from ${table(near)} as t where ${isNear} for share of t),
    _far as (
      select ${returned(operation, 't')}, ${shared(far)} as shared
      from ${table(far)} as t
      where ${all(isFar)}
      for share of t
    ),
    _made as (
      insert into ${table(link)} (${barePairKey(link, near)}, ${barePairKey(link, far)})
      select ${nearKey}, ${farKey}
      from _near, _far, _above
      where ${isPossible}
      on conflict do nothing
    )
    select _far.json, _far.identity, _far.version, _above.*, _near.shared = _far.shared
    from _above
    left join _near on true
    left join _far on true`
}

/** Unlinks two records. Columns as for a read; no record if there was no link, or is none any more. */
export function unlinkBelow(operation: Operation, { link, near, far }: Linked, rowFilter: RowFilter | undefined): Sql {
  const isNear = sql`${barePairKey(link, near)} = ${keyIn(near, ({ ancestors }) => ancestors.at(-1) ?? null)}`
  const isFar = sql`${barePairKey(link, far)} = ${keyIn(far, ({ key }) => key)}`
  const found = readQuery(dialect, operation, operation.shape, rowFilter)
  return sql`with _above as (${above(operation, rowFilter)}),
    _gone as (
      delete from ${table(link)}
      where ${isNear} and ${isFar}
        and (select ${areThere(operation)} from _above)
        and exists (${found})
      returning true
    )
    select found.*, _above.*
    from _above
    left join (${found}) as found on exists (select from _gone)`
}

function keyIn(noun: AnyNoun, read: (input: RecordInput) => Value): Sql {
  const spec = specOf(noun, noun.identity)
  return sql`${slot<RecordInput>((input) => dialect.columnValue(spec, read(input)))}::${sql.raw(keyType(noun))}`
}

function keyType(noun: AnyNoun): string {
  return specOf(noun, noun.identity).guid ? 'uuid' : 'bigint'
}
