/** What the tallies on PostgreSQL tell of a list: its total, and where one of its pages begins. */

import type { StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import { type Counting, directionOf, type ListInput, passedOver } from '../../sql/list-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { tallyKeys } from '../../tally.ts'
import { deltaTable, placeFunction, tallyTable } from './name.ts'

/** How many records are rather passed over than looked up in the tallies. */
export const minOffset = 1000

interface CountingForm {
  readonly form: string
  /** Whether the page's beginning is looked up. */
  readonly isFar: boolean
  /** Whether tallies count the records. */
  readonly isTallied: boolean
  build(): Counting | undefined
}

/** Tells plans apart that need different statements, and builds what these have in common. */
export function countingOf(stored: StoredNoun, plan: ListPlan): CountingForm {
  const keys = tallyKeys(plan, stored.tallies)?.length ?? 0
  const isFar = keys > 0 && directionOf(plan) !== undefined && passedOver(plan) >= minOffset
  return {
    form: `${keys}${isFar ? 'far' : ''}`,
    isFar,
    isTallied: keys > 0,
    build: () => counting(stored, plan, keys, isFar),
  }
}

function counting(stored: StoredNoun, plan: ListPlan, keys: number, isFar: boolean): Counting | undefined {
  if (keys === 0) return undefined
  const name = tableName(stored.noun)
  const given = slot<ListInput>((one) => `{${(tallyKeys(one, stored.tallies) ?? []).map(arrayItem).join()}}`)
  const isKey =
    keys === 1
      ? sql`"key" = ${slot<ListInput>((one) => tallyKeys(one, stored.tallies)?.[0])}`
      : sql`"key" = any(${given}::text[])`
  const sum = (of: Sql) => sql`coalesce((select sum("records") from ${of}), 0)`
  const counts = sql`${sql.table(tallyTable(name))} where ${isKey} and "level" = 2`
  const deltas = sql`${sql.table(deltaTable(name))} where ${isKey}`
  const place = sql.table(placeFunction(name))
  const before = slot<ListInput>(passedOver)
  const isBackward = sql.lit(directionOf(plan) === 'backward')
  return {
    total: sql`(${sum(counts)} + ${sum(deltas)})::bigint`,
    ...(keys > 1 && { alternatives: keys }),
    ...(isFar && {
      place: {
        source: sql`select "start", "rest" from ${place}(${given}::text[], ${before}::bigint, ${isBackward})`,
        start: sql`(select "start" from _place)`,
        rest: sql`(select "rest" from _place)`,
      },
    }),
  }
}

/** An item of an array as PostgreSQL reads it. */
function arrayItem(key: string): string {
  return `"${key.replace(/[\\"]/g, '\\$&')}"`
}
