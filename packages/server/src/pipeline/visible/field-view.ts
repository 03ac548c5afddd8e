/** Fields with a scope: callers without the scope get a pipeline of the operation without these fields. */
import { fieldScopes, type Operation, withoutFields } from '@nomen/core'
import { hasScope } from '../../define/caller/caller.ts'
import type { Outcome, RecordOutcome } from '../../store/outcome.ts'
import type { Values } from '../../store/plan.ts'
import type { Serve } from '../finish.ts'

/**
 * Selects a pipeline by the fields that the caller may see. It creates the pipeline of a view, an operation without hidden
 * fields, at its first use. There are few views: one for each set of missing scopes.
 */
export function pipelineByVisibleFields(operation: Operation, pipelineOf: (view: Operation) => Serve): Serve {
  const scopes = fieldScopes(operation)
  const fullPipeline = pipelineOf(operation)
  if (scopes.length === 0) return fullPipeline
  const views = new Map<string, Serve>([['', fullPipeline]])
  return (raw, caller) => {
    const missingScopes = scopes.filter((scope) => !hasScope(caller, scope))
    const key = missingScopes.join(' ')
    const pipeline = views.get(key) ?? pipelineOf(withoutFields(operation, missingScopes))
    views.set(key, pipeline)
    return pipeline(raw, caller)
  }
}

/** Removes hidden fields from a response stored under an Idempotency-Key, because the user may have had more scopes then. */
export function withoutHiddenFields({ hidden = [] }: Operation, outcome: Outcome): Outcome {
  if (hidden.length === 0 || outcome.kind !== 'record' || !outcome.isReplay) return outcome
  return withoutProperties(outcome, (name) => hidden.includes(name))
}

export function withoutProperties(outcome: RecordOutcome, isRemoved: (name: string) => boolean): RecordOutcome {
  const entries = Object.entries(JSON.parse(outcome.json) as Values)
  return { ...outcome, json: JSON.stringify(Object.fromEntries(entries.filter(([name]) => !isRemoved(name)))) }
}
