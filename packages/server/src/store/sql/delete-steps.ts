/** What goes with a record when it is deleted: its own children and links, and references that are cleared. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
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
 * One statement of a delete. What it `own`s and others may come to point at is read first, for a database in which others
 * write meanwhile to hold it. A `count` must give 0, else the delete is refused; where not everything is seen, its second
 * column is how many of those counted are. A `change` is run; `rows` are those that it changes, and `some` changes a part of them.
 */
export type DeleteStep =
  | { readonly kind: 'own'; readonly query: Sql }
  | { readonly kind: 'count'; readonly noun: string; readonly field: string; readonly query: Sql }
  | { readonly kind: 'change'; readonly query: Sql; readonly rows: Sql; readonly some: Sql }

/** All steps before the record itself is deleted: what is owned from above to below, the refusals, the changes. */
function deleteSteps(
  model: Model,
  stored: StoredNoun,
  visibility?: { readonly dialect: Dialect; readonly rowFilter: RowFilter },
): readonly DeleteStep[] {
  const counted = (referrer: AnyNoun) => {
    if (!visibility) return sql`count(*)`
    const { dialect, rowFilter } = visibility
    const isVisible = all(visibleWhere(dialect, rowFilter, referrer, tableName(referrer)))
    return sql`count(*), count(*) filter (where ${isVisible})`
  }
  const doomed = [...doomedWith(model, { stored, set: sql`(${slot<DeleteInput>(({ key }) => key)})` })]
  const owned = inOrder(doomed)
  return [
    ...doomed.flatMap(({ stored, rows }) => (rows && stored.referrers.length > 0 ? [ownStep(stored, rows)] : [])),
    ...doomed.flatMap((one) => [...countSteps(one, [...owned, ...doomed.slice(0, 1)], counted)]),
    ...doomed.flatMap((one) => [...clearSteps(one)]),
    ...owned.map(({ stored: { noun }, rows = sql`` }): DeleteStep => {
      return removal(noun, bareColumn(noun, noun.identity), rows)
    }),
  ]
}

/** Builds the steps once for each noun. Those that depend on the records that a caller sees are built each time. */
export function cachedDeleteSteps(model: Model, dialect: Dialect) {
  const cache = new Map<StoredNoun, readonly DeleteStep[]>()
  return (stored: StoredNoun, rowFilter: RowFilter | undefined): readonly DeleteStep[] => {
    if (rowFilter) return deleteSteps(model, stored, { dialect, rowFilter })
    const steps = cache.get(stored) ?? deleteSteps(model, stored)
    cache.set(stored, steps)
    return steps
  }
}

/** How many rows go or change with a record; of each kind no more than the limit are counted. Undefined where none can. */
export function dependentsQuery(steps: readonly DeleteStep[], limit: number): Sql | undefined {
  const counts = steps.flatMap((step) =>
    step.kind === 'change' ? [sql`(select count(*) from (select 1 ${step.rows} limit ${sql.lit(limit)}))`] : [],
  )
  return counts.length === 0 ? undefined : sql`select ${sql.join(counts, sql` + `)}`
}

/** Records of one noun that are about to be deleted. */
interface Doomed {
  readonly stored: StoredNoun
  /** Their identities, as a list or a subquery. */
  readonly set: Sql
  /** Where they stand; absent for the one record that was asked for. */
  readonly rows?: Sql
}

/** A record and what it owns, what that owns, and so on. A noun has one owner, and so comes once. */
function* doomedWith(model: Model, one: Doomed, above: readonly AnyNoun[] = []): Generator<Doomed> {
  yield one
  const { noun, referrers } = one.stored
  for (const { noun: referrer, field, onDelete } of referrers) {
    if (onDelete !== 'delete' || referrer === noun || above.includes(referrer)) continue
    const rows = sql`from ${table(referrer)} where ${bareColumn(referrer, field)} in ${one.set}`
    const set = sql`(select ${bareColumn(referrer, referrer.identity)} ${rows})`
    yield* doomedWith(model, { stored: model.nouns.get(referrer.name) as StoredNoun, set, rows }, [...above, noun])
  }
}

/** What is owned, each noun before those that it points at: a database lets go of nothing that is still pointed at. */
function inOrder([, ...owned]: readonly Doomed[]): readonly Doomed[] {
  const ordered = new Set<Doomed>()
  const visit = (one: Doomed, behind: readonly Doomed[]) => {
    for (const { noun, onDelete } of one.stored.referrers) {
      const referrer = owned.find(({ stored }) => stored.noun === noun)
      if (referrer && onDelete !== 'clear' && referrer !== one && !behind.includes(referrer))
        visit(referrer, [...behind, one])
    }
    ordered.add(one)
  }
  for (const one of owned) visit(one, [])
  return [...ordered]
}

function ownStep({ noun }: StoredNoun, rows: Sql): DeleteStep {
  return { kind: 'own', query: sql`select ${bareColumn(noun, noun.identity)} ${rows}` }
}

/** What points at records that are deleted, and is not deleted with them or before: `order` is that of the deletes. */
function* countSteps(
  one: Doomed,
  order: readonly Doomed[],
  counted: (referrer: AnyNoun) => Sql,
): Generator<DeleteStep> {
  for (const { noun, field, onDelete } of one.stored.referrers) {
    if (onDelete !== 'refuse') continue
    const at = order.findIndex(({ stored }) => stored.noun === noun)
    const gone = at <= order.indexOf(one) ? order[at] : undefined
    const others = gone ? sql` and ${bareColumn(noun, noun.identity)} not in ${gone.set}` : sql``
    const pointing = sql`from ${table(noun)} where ${bareColumn(noun, field)} in ${one.set}`
    yield { kind: 'count', noun: noun.name, field, query: sql`select ${counted(noun)} ${pointing}${others}` }
  }
}

function* clearSteps({ stored: { noun, referrers, links }, set }: Doomed): Generator<DeleteStep> {
  for (const { noun: referrer, field, onDelete } of referrers)
    if (onDelete === 'clear') yield clearStep(referrer, field, set)
  for (const link of links) {
    const [near, far] = link.nouns
    const pair = sql`${barePairKey(link, near)}, ${barePairKey(link, far)}`
    yield removal(link, pair, sql`from ${table(link)} where ${barePairKey(link, noun)} in ${set}`)
  }
}

/** How many rows are changed where only some are. */
export const someRows = 2000

function removal(of: AnyNoun | AnyLink, key: Sql, rows: Sql): DeleteStep {
  const some = sql`delete from ${table(of)} where (${key}) in (select ${key} ${rows} limit ${sql.lit(someRows)})`
  return { kind: 'change', query: sql`delete ${rows}`, rows, some }
}

/** Clearing a reference is a change of the record that held it. */
function clearStep(referrer: AnyNoun, field: string, doomed: Sql): DeleteStep {
  const sets = [sql`${bareColumn(referrer, field)} = null`, sql`"_version" = "_version" + 1`]
  for (const name of Object.keys(referrer.fields)) {
    if (referrer.fields[name].spec.managed === 'updated-at')
      sets.push(sql`${bareColumn(referrer, name)} = ${slot<DeleteInput>(({ now }) => now)}`)
  }
  const isPointing = sql`${bareColumn(referrer, field)} in ${doomed}`
  const update = sql`update ${table(referrer)} set ${sql.join(sets)}`
  const rows = sql`from ${table(referrer)} where ${isPointing}`
  const key = bareColumn(referrer, referrer.identity)
  const some = sql`${update} where ${key} in (select ${key} ${rows} limit ${sql.lit(someRows)})`
  return { kind: 'change', query: sql`${update} where ${isPointing}`, rows, some }
}
