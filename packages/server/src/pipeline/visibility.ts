/** Visibility: narrows a plan to the records that its caller may see. */
import { type AnyNoun, specOf } from '@nomen/core'
import type { Condition, ListPlan, RowFilter } from '../store/plan.ts'
import type { PlanStage } from './plan.ts'
import type { RowFilterOf } from './row-filter.ts'

/** Undefined if every caller sees every record. */
export function applyVisibility(rowFilterOf: RowFilterOf | undefined): PlanStage | undefined {
  if (!rowFilterOf) return undefined
  return (plan, _ask, { caller }) => {
    const rowFilter = rowFilterOf(caller)
    if (!rowFilter) return plan
    return plan.kind === 'list' ? narrowList(plan, rowFilter) : { ...plan, rowFilter }
  }
}

/**
 * In a list, visibility is a filter like any other, so that totals and indexes work as for filters. Without a filter of the
 * client there is nothing to include: every visible record is in the list already.
 */
function narrowList(plan: ListPlan, rowFilter: RowFilter): ListPlan {
  const { noun } = plan.operation.shape
  const own = rowFilter[noun.name] ?? []
  const conditions = own.reduce((all, one) => joined(noun, all, one), plan.conditions)
  return { ...plan, rowFilter, conditions, include: plan.conditions.length === 0 ? [] : plan.include }
}

/** Adds a condition; two conditions on one field become one if its values have a single form. */
function joined(noun: AnyNoun, conditions: readonly Condition[], added: Condition): readonly Condition[] {
  const at = conditions.findIndex((one) => isOfSameField(noun, one, added))
  const same = conditions[at]
  if (same?.kind !== 'equal' || added.kind !== 'equal') return [...conditions, added]
  const values = same.values.filter((value) => added.values.includes(value))
  return conditions.with(at, { ...same, values })
}

const exactKinds = ['choice', 'boolean', 'integer', 'identity', 'reference']

function isOfSameField(noun: AnyNoun, one: Condition, other: Condition): boolean {
  const [field = ''] = other.fields
  const { kind, guid } = specOf(noun, field)
  const isSole = one.kind === 'equal' && other.kind === 'equal' && one.fields.length === 1
  return isSole && one.fields[0] === field && exactKinds.includes(kind) && !guid
}
