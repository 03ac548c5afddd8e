/** Reads totals and page offsets of lists from the tallies on PostgreSQL. */

import type { StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { entryCounting, hasEntryCounts, isFarPage } from '../../sql/entry-count/entry-count.ts'
import { slot } from '../../sql/fragment.ts'
import type { CountParts } from '../../sql/list/options.ts'
import { directionOf, type ListInput, recordsToSkip } from '../../sql/list/page.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { tallyKeys } from '../../tally.ts'
import { arrayText, postgresDialect } from '../dialect.ts'
import { deltaTable, pageStartFunction, tallyTable } from './name.ts'

/** Smaller offsets are skipped by a scan rather than looked up in the tallies. */
export const minOffset = 1000

interface CountForm {
  readonly form: string
  /** Whether the start of the page is looked up. */
  readonly isFar: boolean
  /** Whether tallies count the records. */
  readonly isTallied: boolean
  build(): CountParts | undefined
}

/** The key of a list's form, and the counting parts of its statement. */
export function countFormOf(stored: StoredNoun, plan: ListPlan): CountForm {
  if (hasEntryCounts(plan)) return entryCountForm(plan)
  const keys = tallyKeys(plan, stored.tallies)?.length ?? 0
  const isFar = keys > 0 && directionOf(plan) !== undefined && recordsToSkip(plan) >= minOffset
  return {
    form: `${keys}${isFar ? 'far' : ''}`,
    isFar,
    isTallied: keys > 0,
    build: () => countParts(stored, plan, keys, isFar),
  }
}

/** The start of a far page may be many entries before it, so `isFar` is false: the planner gets no limit. */
function entryCountForm(plan: ListPlan): CountForm {
  const isFar = isFarPage(plan, minOffset)
  return {
    form: `counts${isFar ? 'far' : ''}`,
    isFar: false,
    isTallied: false,
    build: () => entryCounting(postgresDialect, plan, { hasDeltas: true, isFar }),
  }
}

function countParts(stored: StoredNoun, plan: ListPlan, keys: number, isFar: boolean): CountParts | undefined {
  if (keys === 0) return undefined
  const name = tableName(stored.noun)
  const keyArray = slot<ListInput>((input) => arrayText(tallyKeys(input, stored.tallies) ?? []))
  const isKey =
    keys === 1
      ? sql`"key" = ${slot<ListInput>((input) => tallyKeys(input, stored.tallies)?.[0])}`
      : sql`"key" = any(${keyArray}::text[])`
  const sum = (source: Sql) => sql`coalesce((select sum("records") from ${source}), 0)`
  const counts = sql`${sql.table(tallyTable(name))} where ${isKey} and "level" = 2`
  const deltas = sql`${sql.table(deltaTable(name))} where ${isKey}`
  const startFunction = sql.table(pageStartFunction(name))
  const before = slot<ListInput>(recordsToSkip)
  const isBackward = sql.lit(directionOf(plan) === 'backward')
  return {
    total: sql`(${sum(counts)} + ${sum(deltas)})::bigint`,
    ...(keys > 1 && { alternatives: keys }),
    ...(isFar && {
      pageStart: {
        source: sql`select "start", "rest"
from ${startFunction}(${keyArray}::text[], ${before}::bigint, ${isBackward})`,
        start: sql`(select "start" from _place)`,
        skip: sql`(select "rest" from _place)`,
      },
    }),
  }
}
