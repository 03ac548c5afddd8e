/** Estimates the cost of a list before it runs, from the number of records and the comparisons of each. */
import type { Condition, ListPlan } from '../../plan.ts'
import { directionOf } from './page.ts'

/** To step to the next record, and to compare one field with one value, in nanoseconds. */
const stepCost = 60
const comparisonCost = 40

/** To search one term in one field. */
const searchCost = 90

/** To look up the target of a reference, and to sort a record without an index. */
const lookupCost = 500
const sortCost = 300

/**
 * The estimated time of a list that reads this many records. The constants are for short strings on a machine of the year
 * 2020; they only distinguish microseconds, milliseconds and seconds.
 */
export function estimatedMs(plan: ListPlan, records: number): number {
  const { order, conditions, include } = plan
  const sorted = directionOf(plan) === undefined ? sortCost + order.length * comparisonCost : 0
  const perRecord = stepCost + sum(conditions) + sorted
  // Records are read twice: to count them, and to find those of the page.
  return (records * perRecord * 2 + include.length * lookupCost) / 1e6
}

function sum(conditions: readonly Condition[]): number {
  return conditions.reduce((total, condition) => total + conditionCost(condition), 0)
}

function conditionCost(condition: Condition): number {
  const { fields } = condition
  switch (condition.kind) {
    case 'equal':
      return fields.length * comparisonCost * (1 + Math.log2(1 + condition.values.length) / 4)
    case 'range':
      return fields.length * comparisonCost * 2
    case 'search':
      return fields.length * condition.terms.length * searchCost
    case 'changed-field':
      return fields.length * condition.names.length * searchCost
    case 'reference':
    case 'recorded':
      return fields.length * (lookupCost + sum(condition.conditions))
    case 'state':
      return condition.conditions.length * lookupCost * 4
    case 'related':
      return lookupCost + sum(condition.conditions)
    case 'any':
      return condition.alternatives.reduce((total, conditions) => total + sum(conditions), 0)
  }
}
