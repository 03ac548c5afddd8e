/** The dependents of a record when it is deleted: owned children, links, and references that are cleared. */
import { type AnyLink, type AnyNoun, specOf, type Value } from '@nomen/core'
import type { Model, StoredNoun } from '../model.ts'
import type { RowFilter } from '../plan.ts'
import { tableName } from '../stored-name.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, bareColumn, barePairKey, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

export interface DeleteInput {
  readonly key: Value
  readonly now: string
  readonly rowFilter?: RowFilter | undefined
}

/**
 * One statement of a delete. `lock` reads owned records that others may refer to, so that PostgreSQL can lock them. A
 * `count` must return 0, otherwise the delete is rejected; an optional second column is the number that the caller may see.
 * A `change` is run; `fromClause` selects the rows that it changes, and `batchQuery` changes at most `rowsPerBatch` of them.
 */
export type DeleteStep =
  | { readonly kind: 'lock'; readonly query: Sql }
  | { readonly kind: 'count'; readonly noun: string; readonly field: string; readonly query: Sql }
  | { readonly kind: 'change'; readonly query: Sql; readonly fromClause: Sql; readonly batchQuery: Sql }

/** All steps before the record itself is deleted: owned records from top to bottom, counts of references, changes. */
function deleteSteps(
  model: Model,
  stored: StoredNoun,
  visibility?: { readonly dialect: Dialect; readonly rowFilter: RowFilter },
): readonly DeleteStep[] {
  const countExpression = (referrer: AnyNoun, field: string) => {
    // A reference with a scope is not named, because not every caller may see it.
    if (specOf(referrer, field).scope !== undefined) return sql`count(*), 0`
    if (!visibility) return sql`count(*)`
    const { dialect, rowFilter } = visibility
    const isVisible = all(visibleWhere(dialect, rowFilter, referrer, tableName(referrer)))
    return sql`count(*), count(*) filter (where ${isVisible})`
  }
  const deleted = [...recordsToDelete(model, { stored, identities: sql`(${slot<DeleteInput>(({ key }) => key)})` })]
  const [requested] = deleted
  const owned = orderDeletes(deleted)
  return [
    ...deleted.flatMap(({ stored, rows }) => (rows && stored.referrers.length > 0 ? [lockStep(stored, rows)] : [])),
    ...deleted.flatMap((records) => [
      ...countSteps(records, [...owned, ...(requested ? [requested] : [])], countExpression),
    ]),
    ...deleted.flatMap((records) => [...clearSteps(records)]),
    ...owned.map(({ stored: { noun }, rows = sql`` }): DeleteStep => {
      return removeStep(noun, bareColumn(noun, noun.identity), rows)
    }),
  ]
}

/** Caches the steps of each noun. Steps with a row filter are built each time. */
export function cachedDeleteSteps(model: Model, dialect: Dialect) {
  const cache = new Map<StoredNoun, readonly DeleteStep[]>()
  return (stored: StoredNoun, rowFilter: RowFilter | undefined): readonly DeleteStep[] => {
    if (rowFilter) return deleteSteps(model, stored, { dialect, rowFilter })
    const steps = cache.get(stored) ?? deleteSteps(model, stored)
    cache.set(stored, steps)
    return steps
  }
}

/** Counts the rows that a delete removes or changes, at most `limit` per step. Undefined if there cannot be any. */
export function dependentsQuery(steps: readonly DeleteStep[], limit: number): Sql | undefined {
  const counts = steps.flatMap((step) =>
    step.kind === 'change' ? [sql`(select count(*) from (select 1 ${step.fromClause} limit ${sql.lit(limit)}))`] : [],
  )
  return counts.length === 0 ? undefined : sql`select ${sql.join(counts, sql` + `)}`
}

/** Records of one noun that will be deleted. */
interface DeletedRecords {
  readonly stored: StoredNoun
  /** Their identities, as a list or a subquery. */
  readonly identities: Sql
  /** Their from clause; absent for the requested record. */
  readonly rows?: Sql
}

/** A record, the records that it owns, those that they own, and so on. A noun has one owner, and so occurs once. */
function* recordsToDelete(
  model: Model,
  records: DeletedRecords,
  visitedNouns: readonly AnyNoun[] = [],
): Generator<DeletedRecords> {
  yield records
  const { noun, referrers } = records.stored
  for (const { noun: referrer, field, onDelete } of referrers) {
    if (onDelete !== 'delete' || referrer === noun || visitedNouns.includes(referrer)) continue
    const rows = sql`from ${table(referrer)} where ${bareColumn(referrer, field)} in ${records.identities}`
    const set = sql`(select ${bareColumn(referrer, referrer.identity)} ${rows})`
    yield* recordsToDelete(model, { stored: model.nouns.get(referrer.name) as StoredNoun, identities: set, rows }, [
      ...visitedNouns,
      noun,
    ])
  }
}

/** Orders owned records so that referrers are deleted before their targets. */
function orderDeletes([, ...owned]: readonly DeletedRecords[]): readonly DeletedRecords[] {
  const ordered = new Set<DeletedRecords>()
  const visit = (records: DeletedRecords, path: readonly DeletedRecords[]) => {
    for (const { noun, onDelete } of records.stored.referrers) {
      const referrer = owned.find(({ stored }) => stored.noun === noun)
      if (referrer && onDelete !== 'clear' && referrer !== records && !path.includes(referrer))
        visit(referrer, [...path, records])
    }
    ordered.add(records)
  }
  for (const records of owned) visit(records, [])
  return [...ordered]
}

function lockStep({ noun }: StoredNoun, rows: Sql): DeleteStep {
  return { kind: 'lock', query: sql`select ${bareColumn(noun, noun.identity)} ${rows}` }
}

/** Counts the references that prevent the delete: those from records that `order` does not delete earlier. */
function* countSteps(
  records: DeletedRecords,
  order: readonly DeletedRecords[],
  countExpression: (referrer: AnyNoun, field: string) => Sql,
): Generator<DeleteStep> {
  for (const { noun, field, onDelete } of records.stored.referrers) {
    if (onDelete !== 'restrict') continue
    const index = order.findIndex(({ stored }) => stored.noun === noun)
    const earlier = index <= order.indexOf(records) ? order[index] : undefined
    const others = earlier ? sql` and ${bareColumn(noun, noun.identity)} not in ${earlier.identities}` : sql``
    const referring = sql`from ${table(noun)} where ${bareColumn(noun, field)} in ${records.identities}`
    yield {
      kind: 'count',
      noun: noun.name,
      field,
      query: sql`select ${countExpression(noun, field)} ${referring}${others}`,
    }
  }
}

function* clearSteps({ stored: { noun, referrers, links }, identities: set }: DeletedRecords): Generator<DeleteStep> {
  for (const { noun: referrer, field, onDelete } of referrers)
    if (onDelete === 'clear') yield clearStep(referrer, field, set)
  for (const link of links) {
    const [first, second] = link.nouns
    const pair = sql`${barePairKey(link, first)}, ${barePairKey(link, second)}`
    yield removeStep(link, pair, sql`from ${table(link)} where ${barePairKey(link, noun)} in ${set}`)
  }
}

/** The maximum number of rows that one batch changes. */
export const rowsPerBatch = 2000

function removeStep(declaration: AnyNoun | AnyLink, key: Sql, rows: Sql): DeleteStep {
  const batchQuery = sql`delete from ${table(declaration)}
where (${key}) in (select ${key} ${rows} limit ${sql.lit(rowsPerBatch)})`
  return { kind: 'change', query: sql`delete ${rows}`, fromClause: rows, batchQuery }
}

/** Clearing a reference changes the record that has it. */
function clearStep(referrer: AnyNoun, field: string, deleted: Sql): DeleteStep {
  const sets = [sql`${bareColumn(referrer, field)} = null`, sql`"_version" = "_version" + 1`]
  for (const name of Object.keys(referrer.fields)) {
    if (referrer.fields[name].spec.managed === 'updated-at')
      sets.push(sql`${bareColumn(referrer, name)} = ${slot<DeleteInput>(({ now }) => now)}`)
  }
  const isReferring = sql`${bareColumn(referrer, field)} in ${deleted}`
  const update = sql`update ${table(referrer)} set ${sql.join(sets)}`
  const rows = sql`from ${table(referrer)} where ${isReferring}`
  const key = bareColumn(referrer, referrer.identity)
  const batchQuery = sql`${update} where ${key} in (select ${key} ${rows} limit ${sql.lit(rowsPerBatch)})`
  return { kind: 'change', query: sql`${update} where ${isReferring}`, fromClause: rows, batchQuery }
}
