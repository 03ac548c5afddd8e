/** Writes whose assignments or rules read other records, in one transaction with the write. */
import { rejectionOutcome } from '../store/decide/rejection.ts'
import type { Breach, Outcome } from '../store/outcome.ts'
import type { AsyncLogic, ChangePlan, CreatePlan, LinkPlan, Plan, Values } from '../store/plan.ts'
import type { RecordStore, Transaction } from '../store/store.ts'
import type { RequestTrace } from './request-trace.ts'

/** The time limit of the transaction. */
const limitMs = 5000

export type AsyncLogicPlan = (CreatePlan | ChangePlan | LinkPlan) & { readonly asyncLogic: AsyncLogic }

export function hasAsyncLogic(plan: Plan): plan is AsyncLogicPlan {
  return 'asyncLogic' in plan && plan.asyncLogic !== undefined
}

/** Opens a transaction, unless the write is part of one. */
export async function writeInTransaction(
  plan: AsyncLogicPlan,
  store: RecordStore,
  { transaction, trace }: { readonly transaction?: Transaction | undefined; readonly trace?: RequestTrace | undefined },
): Promise<Outcome> {
  if (transaction) return checkAndWrite(tracedRun(transaction, trace), plan)
  const write = (transactionTrace: RequestTrace | undefined) =>
    store.transaction((newTransaction) => checkAndWrite(tracedRun(newTransaction, transactionTrace), plan), {
      limitMs,
      reader: plan.reader,
    })
  const { result, position } = await (trace ? trace.transaction(write) : write(undefined))
  return position === undefined ? result : { ...result, position }
}

type Run = (plan: Plan) => Outcome | Promise<Outcome>

function tracedRun(transaction: Transaction, trace: RequestTrace | undefined): Run {
  return (plan) => (trace ? trace.store(plan, (tracedPlan) => transaction.run(tracedPlan)) : transaction.run(plan))
}

const pendingBreach: Breach = { detail: 'The rules have not been checked.' }

/**
 * Runs the plan twice in the transaction. First with a check that always rejects: the check gets the previous and the new
 * record, and the store reports rejections that come before rules. If the rules allow the record, the second run writes it.
 */
async function checkAndWrite(run: Run, plan: AsyncLogicPlan): Promise<Outcome> {
  let record: { readonly next: Values; readonly previous: Values | undefined } | undefined
  const check = (next: Values, previous: Values | undefined) => {
    record = { next, previous }
    return pendingBreach
  }
  const outcome = await run({ ...plan, check })
  const isPending =
    outcome.kind === 'rejected' && outcome.rejection.reason === 'rule' && outcome.rejection.breach === pendingBreach
  if (!isPending || !record) return outcome
  const result = await plan.asyncLogic(record.next, record.previous, run)
  if ('breach' in result) return rejectionOutcome({ reason: 'rule', breach: result.breach })
  if (!('values' in plan)) return run(plan)
  // The rules have seen the assigned values of the first run, so they are not assigned again.
  const values = { ...plan.values, ...result.values }
  return run(plan.kind === 'create' ? { ...plan, values } : { ...plan, assign: undefined, values })
}
