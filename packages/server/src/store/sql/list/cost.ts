/** Estimates the cost of a list before it runs, from the number of records and the comparisons of each. */
import type { Condition, ListPlan } from '../../plan.ts'
import { directionOf } from './page.ts'

/** The cost of each step, in nanoseconds: to go to the next record, and to compare one field with one value. */
const stepNs = 60
const comparisonNs = 40

/** To search one term in one field. */
const searchNs = 90

/** To look up the target of a reference, and to sort a record without an index. */
const lookupNs = 500
const sortNs = 300

/**
 * The estimated time of a list that reads this many records. The constants are for short strings on a machine of the year
 * 2020; they only distinguish microseconds, milliseconds and seconds.
 */
export function estimatedMs(plan: ListPlan, records: number): number {
  const { order, conditions, include } = plan
  const sorted = directionOf(plan) === undefined ? sortNs + order.length * comparisonNs : 0
  const perRecord = stepNs + conditionsNs(conditions) + sorted
  // Records are read twice: to count them, and to find those of the page.
  return (records * perRecord * 2 + include.length * lookupNs) / 1e6
}

function conditionsNs(conditions: readonly Condition[]): number {
  return conditions.reduce((total, condition) => total + conditionNs(condition), 0)
}

function conditionNs(condition: Condition): number {
  const { fields } = condition
  switch (condition.kind) {
    case 'equal':
      return fields.length * comparisonNs * (1 + Math.log2(1 + condition.values.length) / 4)
    case 'range':
      return fields.length * comparisonNs * 2
    case 'search':
      return fields.length * condition.terms.length * searchNs
    case 'changed-field':
      return fields.length * condition.names.length * searchNs
    case 'reference':
    case 'current-record':
      return fields.length * (lookupNs + conditionsNs(condition.conditions))
    case 'before-or-after':
      return condition.conditions.length * lookupNs * 4
    case 'related':
      return lookupNs + conditionsNs(condition.conditions)
    case 'any':
      return condition.alternatives.reduce((total, conditions) => total + conditionsNs(conditions), 0)
  }
}
