/** The third stage of the pipeline: runs the plan on the store, and notifies hooks of the change. */
import type { Operation } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import { isAuthor } from '../define/caller/caller-noun.ts'
import { andThen, type MaybePromise } from '../foundation/maybe-promise.ts'
import { timestamp } from '../foundation/timestamp.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Plan } from '../store/plan.ts'
import type { RecordStore } from '../store/store.ts'
import type { ChangeNotifier } from './hook/hooks.ts'
import type { PlanFor } from './plan.ts'
import type { ParsedRequest, RawRequest } from './read/parsed-request.ts'
import { hasAsyncLogic, writeInTransaction } from './write-in-transaction.ts'

/** Plans a request and runs the plan. */
export type RunRequest = (request: ParsedRequest, caller: Caller) => MaybePromise<Outcome>

/** Composes planning and running for one operation at start. */
export function requestRunner(
  operation: Operation,
  planFor: PlanFor,
  store: RecordStore,
  notify: ChangeNotifier | undefined,
): RunRequest {
  const send = ({ raw }: ParsedRequest, plan: Plan) =>
    hasAsyncLogic(plan) ? writeInTransaction(plan, store, raw) : runPlan(plan, store, raw)
  if (operation.method === 'GET') return (request, caller) => send(request, planFor(request, { now: '', caller }))
  const write: RunRequest = (request, caller) => {
    const plan = planFor(request, { now: timestamp(), caller })
    if (!notify) return send(request, plan)
    const { requestId, transaction, trace } = request.raw
    return notify(plan, { caller, requestId, transaction, trace }, (observedPlan) => send(request, observedPlan))
  }
  return (request, caller) => {
    const outcome = write(request, caller)
    if (caller.record === null) return outcome
    return andThen(outcome, (writeOutcome) =>
      isAuthorGone(operation, writeOutcome) ? write(request, { ...caller, record: null }) : writeOutcome,
    )
  }
}

/** Runs a plan, in the transaction of the request if there is one. */
export function runPlan(plan: Plan, store: RecordStore, { trace, transaction }: RawRequest): MaybePromise<Outcome> {
  const target = transaction ?? store
  return trace ? trace.store(plan, (tracedPlan) => target.run(tracedPlan)) : target.run(plan)
}

/** Whether a write was rejected because the record of its caller was just deleted. The write is repeated without an author. */
function isAuthorGone({ shape: { noun } }: Operation, outcome: Outcome): boolean {
  if (outcome.kind !== 'rejected' || outcome.rejection.reason !== 'no-target') return false
  return outcome.rejection.missing.some(({ field }) => isAuthor(noun, field))
}
