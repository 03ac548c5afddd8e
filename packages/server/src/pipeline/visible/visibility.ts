/** Visibility: limits a plan to the records that the caller can see. */
import { type AnyNoun, specOf } from '@nomen/core'
import type { Condition, ListPlan, RowFilter } from '../../store/plan.ts'
import type { PlanStep } from '../plan.ts'
import type { RowFilterOf } from './row-filter.ts'

/** Undefined if every caller sees every record. */
export function visibilityStep(rowFilterOf: RowFilterOf | undefined): PlanStep | undefined {
  if (!rowFilterOf) return undefined
  return (plan, _request, { caller }) => {
    const rowFilter = rowFilterOf(caller)
    if (!rowFilter) return plan
    return plan.kind === 'list' ? narrowList(plan, rowFilter) : { ...plan, rowFilter }
  }
}

/**
 * In a list, visibility becomes a filter, so that totals and indexes work as for other filters. Without a filter of the
 * client, `include` has no effect, because the list already has every visible record.
 */
function narrowList(plan: ListPlan, rowFilter: RowFilter): ListPlan {
  const { noun } = plan.operation.shape
  const nounConditions = rowFilter[noun.name] ?? []
  const conditions = nounConditions.reduce((all, condition) => addCondition(noun, all, condition), plan.conditions)
  return { ...plan, rowFilter, conditions, include: plan.conditions.length === 0 ? [] : plan.include }
}

/** Adds a condition. Two conditions on one field become one if equal values always have the same form. */
function addCondition(noun: AnyNoun, conditions: readonly Condition[], newCondition: Condition): readonly Condition[] {
  const index = conditions.findIndex((condition) => isOfSameField(noun, condition, newCondition))
  const existing = conditions[index]
  if (existing?.kind !== 'equal' || newCondition.kind !== 'equal') return [...conditions, newCondition]
  const values = existing.values.filter((value) => newCondition.values.includes(value))
  return conditions.with(index, { ...existing, values })
}

const exactKinds = ['choice', 'boolean', 'integer', 'identity', 'reference']

function isOfSameField(noun: AnyNoun, condition: Condition, newCondition: Condition): boolean {
  const [field] = newCondition.fields
  if (
    condition.kind !== 'equal' ||
    newCondition.kind !== 'equal' ||
    condition.fields.length !== 1 ||
    field === undefined
  )
    return false
  const { kind, guid } = specOf(noun, field)
  return condition.fields[0] === field && exactKinds.includes(kind) && !guid
}
