/** Fields with a scope: callers without the scope get a pipeline of the operation without these fields. */
import { fieldScopes, type Operation, withoutFields } from '@nomen/core'
import { type Caller, hasScope } from '../../define/caller/caller.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Values } from '../../store/plan.ts'

type Serve<Raw, Result> = (raw: Raw, caller: Caller) => Result

/** Creates the pipeline of a view at its first use. There are few views: one for each set of missing scopes. */
export function viewPipelines<Raw, Result>(
  operation: Operation,
  pipelineOf: (view: Operation) => Serve<Raw, Result>,
): Serve<Raw, Result> {
  const scopes = fieldScopes(operation)
  const fullPipeline = pipelineOf(operation)
  if (scopes.length === 0) return fullPipeline
  const views = new Map<string, Serve<Raw, Result>>([['', fullPipeline]])
  return (raw, caller) => {
    const missingScopes = scopes.filter((scope) => !hasScope(caller, scope))
    const key = missingScopes.join(' ')
    const pipeline = views.get(key) ?? pipelineOf(withoutFields(operation, missingScopes))
    views.set(key, pipeline)
    return pipeline(raw, caller)
  }
}

/** Removes hidden fields from a response stored under an Idempotency-Key, because the user may have had more scopes then. */
export function withoutHidden({ hidden = [] }: Operation, outcome: Outcome): Outcome {
  if (hidden.length === 0 || outcome.kind !== 'record' || !outcome.isReplay) return outcome
  const entries = Object.entries(JSON.parse(outcome.json) as Values)
  return { ...outcome, json: JSON.stringify(Object.fromEntries(entries.filter(([name]) => !hidden.includes(name)))) }
}
