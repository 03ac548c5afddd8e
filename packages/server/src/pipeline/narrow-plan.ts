/** Narrows a plan to what its caller sees. */
import { type AnyNoun, specOf } from '@nomen/core'
import type { Condition, ListPlan, RowFilter } from '../store/plan.ts'
import type { PlanFor } from './plan-for.ts'
import type { SightOf } from './row-filter.ts'

/** The same planning where every caller sees everything. */
export function narrowing(planFor: PlanFor, sightOf: SightOf | undefined): PlanFor {
  if (!sightOf) return planFor
  return (ask, context) => {
    const plan = planFor(ask, context)
    const sight = sightOf(context.caller)
    if (!sight) return plan
    return plan.kind === 'list' ? narrowList(plan, sight) : { ...plan, sight }
  }
}

/**
 * In a list, what its records must satisfy to be seen is a filter like others, so that it is counted and looked up like
 * others. Without a filter of the client's own there is nothing to include: all that is seen is there.
 */
function narrowList(plan: ListPlan, sight: RowFilter): ListPlan {
  const { noun } = plan.operation.shape
  const own = sight[noun.name] ?? []
  const conditions = own.reduce((all, one) => joined(noun, all, one), plan.conditions)
  return { ...plan, sight, conditions, include: plan.conditions.length === 0 ? [] : plan.include }
}

/** Adds a condition; two on one field become one where values are told apart by nothing but themselves. */
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
