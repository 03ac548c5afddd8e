/** Labels of references: shown only to callers who may read the records that they name. */
import { isCovered, type Operation } from '@nomen/core'
import { anyone } from '../define/caller.ts'
import type { PlanStage } from './plan.ts'

/**
 * Undefined if the operation shows no labels that need a scope of their own. `scopes` are those of all operations of the
 * service: a noun that no operation reads has no scope, and its labels are part of the records that show them.
 */
export function applyLabelScopes({ shape }: Operation, scopes: ReadonlySet<string>): PlanStage | undefined {
  const nouns = new Set<string>(shape.properties.flatMap(({ label }) => label?.noun.name ?? []))
  // The scope of the operation allows to read its own noun.
  nouns.delete(shape.noun.name)
  const labels = [...nouns].map((noun) => ({ noun, scope: `${noun}:read` })).filter(({ scope }) => scopes.has(scope))
  if (labels.length === 0) return undefined
  return (plan, _ask, { caller }) => {
    if (plan.kind !== 'list' || caller === anyone) return plan
    const hidden = labels.filter(({ scope }) => !isCovered(scope, caller.scopes))
    return hidden.length === 0 ? plan : { ...plan, unlabelled: hidden.map(({ noun }) => noun) }
  }
}
