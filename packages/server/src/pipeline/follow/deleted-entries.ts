/** Finds out whether entries after a position were deleted because of their age: a follower from there would miss them. */
import type { Model } from '../../store/model.ts'
import type { ListPlan } from '../../store/plan.ts'
import { lastDeletedIn, limitedHistories } from '../../store/sql/history/retention.ts'
import { entriesOf, equalCondition, type Read } from '../history/entry-reads.ts'

/** Returns the highest ID of the entries that were deleted because of their age; 0 if there is none. */
export type ReadLastDeleted = (plan: ListPlan, read: Read) => Promise<number>

/** The function for the lists of a service. Read it after the entries: it then includes those that were deleted in between. */
export function lastDeletedReader(model: Model): ReadLastDeleted {
  const limited = limitedHistories(model).map(({ noun }) => noun)
  return async (plan, read) => {
    const nouns = limited.filter((noun) => mayList(plan, noun))
    let last = 0
    if (nouns.length === 0) return last
    // The STARTED entry of a noun has the ID.
    const conditions = [equalCondition('record', ...nouns), equalCondition('kind', 'STARTED')]
    for await (const { before } of entriesOf(read, conditions, false)) last = Math.max(last, lastDeletedIn(before))
    return last
  }
}

/** Whether the filters by noun include one. */
function mayList({ conditions }: ListPlan, noun: string): boolean {
  return conditions.every(
    (condition) =>
      condition.kind !== 'equal' ||
      condition.fields.join() !== 'noun' ||
      condition.values.some((name) => name === noun),
  )
}
