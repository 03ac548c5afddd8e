/** The third stage of the pipeline: the plan is sent to the store, and hooks learn of what it changed. */
import type { Operation } from '@nomen/core'
import type { Caller } from '../define/caller.ts'
import { isAuthor } from '../define/caller-noun.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'
import { timestamp } from '../foundation/timestamp.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Plan } from '../store/plan.ts'
import type { RecordStore } from '../store/store.ts'
import type { ChangeNotifier } from './hook/hooks.ts'
import type { PlanFor } from './plan.ts'
import type { Ask } from './read/ask.ts'

type Run = (ask: Ask, caller: Caller) => MaybePromise<Outcome>

/** Composes planning and running for one operation at start. */
export function runStages(
  operation: Operation,
  planFor: PlanFor,
  store: Pick<RecordStore, 'run'>,
  notify: ChangeNotifier | undefined,
): Run {
  const send = ({ raw: { watch, transaction } }: Ask, plan: Plan) => {
    const target = transaction ?? store
    return watch ? watch.store(plan, (traced) => target.run(traced)) : target.run(plan)
  }
  if (operation.method === 'GET') return (ask, caller) => send(ask, planFor(ask, { now: '', caller }))
  const write: Run = (ask, caller) => {
    const plan = planFor(ask, { now: timestamp(), caller })
    if (!notify) return send(ask, plan)
    const { requestId, transaction, watch } = ask.raw
    return notify(plan, { caller, requestId, transaction, watch }, (observed) => send(ask, observed))
  }
  return (ask, caller) => {
    const outcome = write(ask, caller)
    if (caller.record === null) return outcome
    return andThen(outcome, (done) => (isAuthorGone(operation, done) ? write(ask, { ...caller, record: null }) : done))
  }
}

/** Whether a write was refused because the record of its caller was deleted a moment ago. It is repeated without an author. */
function isAuthorGone({ shape: { noun } }: Operation, outcome: Outcome): boolean {
  if (outcome.kind !== 'refused' || outcome.refusal.reason !== 'no-target') return false
  return outcome.refusal.missing.some(({ field }) => isAuthor(noun, field))
}
