/** Reads the tallies of one noun on SQLite: totals and page starts of lists. */
import type { DatabaseSync } from 'node:sqlite'
import type { StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import type { CountParts } from '../../sql/list/options.ts'
import { directionOf, type ListInput, recordsToSkip } from '../../sql/list/page.ts'
import { quotedName, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { tallyKeys, topLevel, totalKey } from '../../tally.ts'
import { tallyTable } from '../migrate/tally.ts'

/** Smaller offsets are skipped by a scan rather than looked up in the tallies. */
export const minOffset = 512

export class TallyReader {
  readonly #stored: StoredNoun
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync, stored: StoredNoun) {
    this.#stored = stored
    this.#database = database
  }

  /** How many tally rows count the records of a plan: several for several values of a filter, none without a matching tally. */
  numberOfKeys(plan: ListPlan): number {
    return tallyKeys(plan, this.#stored.tallies)?.length ?? 0
  }

  /** The parts of a statement that count and find the page by the tallies, for plans with this number of keys. */
  countParts(plan: ListPlan, numberOfKeys: number): CountParts | undefined {
    if (numberOfKeys === 0) return undefined
    const { noun, tallies } = this.#stored
    const table = tallyTable(tableName(noun))
    const keysIn = (input: ListInput) => tallyKeys(input, tallies) ?? []
    const keyList = slot<ListInput>((input) => JSON.stringify(keysIn(input)))
    const isKey =
      numberOfKeys === 1
        ? sql`"key" = ${slot<ListInput>((input) => keysIn(input)[0])}`
        : sql`"key" in (select value from json_each(${keyList}))`
    const isGuid = noun.fields[noun.identity].spec.guid === true
    const isBackward = directionOf(plan) === 'backward'
    const input = [
      sql.lit(table),
      sql.lit(Number(isGuid)),
      keyList,
      slot<ListInput>(recordsToSkip),
      sql.lit(Number(isBackward)),
    ]
    return {
      total: sql`(
  select coalesce(sum("records"), 0)
  from ${sql.table(table)}
  where ${isKey} and "level" = ${sql.lit(topLevel)}
)`,
      ...(numberOfKeys > 1 && { alternatives: numberOfKeys }),
      ...(isFarByTally(plan, numberOfKeys) && {
        pageStart: {
          source: sql`select page_start(${sql.join(input)}) as place`,
          start: sql`(select place ->> 0 from _place)`,
          skip: sql`coalesce((select place ->> 1 from _place), 0)`,
        },
      }),
    }
  }

  /** The number of all records; without tallies, the highest identity, which is at least as high. */
  count(): number {
    const { noun, tallies } = this.#stored
    const table = tableName(noun)
    const query =
      tallies.length === 0
        ? `select max(${quotedName(noun.identity)}) as "number" from ${quotedName(table)}`
        : `select sum("records") as "number"
from ${quotedName(tallyTable(table))}
where "key" = '${totalKey}' and "level" = ${topLevel}`
    return Number(this.#database.prepare(query).get()?.number ?? 0)
  }
}

/** Whether the tallies find the start of the page. */
export function isFarByTally(plan: ListPlan, numberOfKeys: number): boolean {
  return numberOfKeys > 0 && directionOf(plan) !== undefined && recordsToSkip(plan) >= minOffset
}
