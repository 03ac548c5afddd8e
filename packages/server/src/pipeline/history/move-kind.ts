/** The kinds `ENTERED` and `LEFT` of changes by which a record begins or ceases to match the filters of a list of changes. */
import type { Value } from '@nomen/core'
import type { Outcome } from '../../store/outcome.ts'
import type { BeforeOrAfterCondition, Condition, Values } from '../../store/plan.ts'

interface Entry {
  readonly kind?: string
  readonly before?: string | null
  readonly after?: string | null
}

/** Sets these kinds in the entries of a list. */
export function withMoveKinds(conditions: readonly Condition[] | undefined, outcome: Outcome): Outcome {
  const condition = conditions?.find((candidate) => candidate.kind === 'before-or-after')
  if (!condition || outcome.kind !== 'list') return outcome
  const entries = JSON.parse(outcome.json) as readonly Entry[]
  return { ...outcome, json: JSON.stringify(entries.map((entry) => withMoveKind(entry, condition))) }
}

/**
 * The record matches before the change or after it, otherwise the entry would not be listed. Fields that the change did not
 * touch have the same value in both states, so only the others decide.
 */
function withMoveKind(entry: Entry, condition: BeforeOrAfterCondition): Entry {
  if (entry.kind !== 'CHANGED' || !entry.before || !entry.after) return entry
  const [before, after] = [JSON.parse(entry.before) as Values, JSON.parse(entry.after) as Values]
  const [matchedBefore, matchesAfter] = [couldMatch(before, condition), couldMatch(after, condition)]
  if (matchedBefore === matchesAfter) return entry
  return { ...entry, kind: matchesAfter ? 'ENTERED' : 'LEFT' }
}

/** Whether the values are possible in a record that satisfies the conditions. */
function couldMatch(values: Values, { conditions }: BeforeOrAfterCondition): boolean {
  return conditions.every(({ fields, values: allowedValues }) =>
    fields.some((field) => !(field in values) || allowedValues.includes(values[field] as Value)),
  )
}
