/** Labels of references: shown only to callers who may read the records that they name. */
import { isCovered, type Operation } from '@nomen/core'
import { anyone } from '../define/caller.ts'
import type { PlanFor } from './plan-for.ts'

/**
 * Specialises the planning of one operation at start. `scopes` are all that operations of the service take: a noun that no
 * operation reads has no scope, and its labels are part of the records that show them.
 */
export function scopedLabels(planFor: PlanFor, { shape }: Operation, scopes: ReadonlySet<string>): PlanFor {
  const nouns = new Set<string>(shape.properties.flatMap(({ label }) => label?.noun.name ?? []))
  // The scope of the operation allows to read its own noun.
  nouns.delete(shape.noun.name)
  const labels = [...nouns].map((noun) => ({ noun, scope: `${noun}:read` })).filter(({ scope }) => scopes.has(scope))
  if (labels.length === 0) return planFor
  return (ask, context) => {
    const plan = planFor(ask, context)
    if (plan.kind !== 'list' || context.caller === anyone) return plan
    const hidden = labels.filter(({ scope }) => !isCovered(scope, context.caller.scopes))
    return hidden.length === 0 ? plan : { ...plan, unlabelled: hidden.map(({ noun }) => noun) }
  }
}
