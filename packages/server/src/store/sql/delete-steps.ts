/** What goes with a record when it is deleted: its own children and links, and references that are cleared. */
import type { AnyNoun, Value } from '@nomen/core'
import type { Model, StoredNoun } from '../model.ts'
import type { Sight } from '../plan.ts'
import { tableName } from '../stored-name.ts'
import type { Dialect } from './dialect.ts'
import { inSight } from './filter.ts'
import { all, bareColumn, barePairKey, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

export interface DeleteInput {
  readonly key: Value
  readonly now: string
  readonly sight?: Sight | undefined
}

/**
 * One statement of a delete. What it `own`s and others may come to point at is read first, for a database in which others
 * write meanwhile to hold it. A `count` must give 0, else the delete is refused; where not everything is seen, its second
 * column is how many of those counted are. A `change` is run.
 */
export type DeleteStep =
  | { readonly kind: 'own'; readonly query: Sql }
  | { readonly kind: 'count'; readonly noun: string; readonly field: string; readonly query: Sql }
  | { readonly kind: 'change'; readonly query: Sql }

/** All steps before the record itself is deleted: what is owned from above to below, then the refusals. */
export function deleteSteps(
  model: Model,
  stored: StoredNoun,
  seeing?: { readonly dialect: Dialect; readonly sight: Sight },
): readonly DeleteStep[] {
  const counted = (referrer: AnyNoun) =>
    seeing
      ? sql`count(*), count(*) filter (where ${all(inSight(seeing.dialect, seeing.sight, referrer, tableName(referrer)))})`
      : sql`count(*)`
  const steps = [...stepsFor(model, stored, sql`(${slot<DeleteInput>(({ key }) => key)})`, [stored.noun], counted)]
  const of = (one: DeleteStep['kind']) => steps.filter(({ kind }) => kind === one)
  return [...of('own'), ...of('count'), ...of('change')]
}

/** `doomed` is the set of identities about to be deleted, as a list or a subquery. */
function* stepsFor(
  model: Model,
  { noun, referrers, links }: StoredNoun,
  doomed: Sql,
  above: readonly AnyNoun[],
  counted: (referrer: AnyNoun) => Sql,
): Generator<DeleteStep> {
  for (const { noun: referrer, field, onDelete } of referrers) {
    const pointing = sql`from ${table(referrer)} where ${bareColumn(referrer, field)} in ${doomed}`
    if (onDelete === 'refuse') {
      // A record that points at itself does not stand in its own way.
      const others = referrer === noun ? sql` and ${bareColumn(noun, noun.identity)} not in ${doomed}` : sql``
      yield { kind: 'count', noun: referrer.name, field, query: sql`select ${counted(referrer)} ${pointing}${others}` }
    } else if (onDelete === 'clear') {
      yield { kind: 'change', query: clearQuery(referrer, field, doomed) }
    } else if (!above.includes(referrer)) {
      const owned = model.nouns.get(referrer.name) as StoredNoun
      const query = sql`select ${bareColumn(referrer, referrer.identity)} ${pointing}`
      if (owned.referrers.length > 0) yield { kind: 'own', query }
      yield* stepsFor(model, owned, sql`(${query})`, [...above, referrer], counted)
      yield { kind: 'change', query: sql`delete ${pointing}` }
    }
  }
  for (const link of links) {
    yield { kind: 'change', query: sql`delete from ${table(link)} where ${barePairKey(link, noun)} in ${doomed}` }
  }
}

/** Clearing a reference is a change of the record that held it. */
function clearQuery(referrer: AnyNoun, field: string, doomed: Sql): Sql {
  const sets = [sql`${bareColumn(referrer, field)} = null`, sql`"_version" = "_version" + 1`]
  for (const name of Object.keys(referrer.fields)) {
    if (referrer.fields[name].spec.managed === 'updated-at')
      sets.push(sql`${bareColumn(referrer, name)} = ${slot<DeleteInput>(({ now }) => now)}`)
  }
  return sql`update ${table(referrer)} set ${sql.join(sets)} where ${bareColumn(referrer, field)} in ${doomed}`
}
