/** Erases the history of a record and of the records that it owns, and leaves an entry that says so. */
import { change, type Operation } from '@nomen/core'
import { timestamp } from '../../foundation/timestamp.ts'
import { readOperations } from '../../logic/record-reads.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { CreatePlan, ErasePlan, Origin, ReadPlan } from '../../store/plan.ts'
import type { RecordStore, Transaction } from '../../store/store.ts'
import type { PlanFor } from '../plan.ts'
import type { RunRequest } from '../run.ts'
import { originOf } from './entries.ts'
import { recordName, wasVisibleWhenDeleted } from './entry-reads.ts'
import { turnYielder } from './turn-yielder.ts'

/** The time limit of the transaction. */
const limitMs = 30_000

const { read: readOperation } = readOperations(change)
const createOperation: Operation = { ...readOperation, kind: 'create', method: 'POST' }
const eraseOperation: Operation = { ...readOperation, kind: 'erase', method: 'POST' }

/** Returns the function that runs the operation: an erasure for `erase`, otherwise `run`. */
export function withErasure(
  operation: Operation,
  { planFor, store }: { readonly planFor: PlanFor; readonly store: RecordStore },
  run: RunRequest,
): RunRequest {
  if (operation.kind !== 'erase') return run
  return async (request, caller) => {
    const { transaction } = request.raw
    const plan = planFor(request, { now: '', caller }) as ReadPlan
    const work = (transaction: Transaction) => erase(transaction, plan, originOf(request.raw, caller))
    if (transaction) return work(transaction)
    const { result, position } = await store.transaction(work, { limitMs, reader: plan.reader })
    return position === undefined ? result : { ...result, position }
  }
}

/** The record must exist, or must have existed and be visible to the caller. */
async function erase(transaction: Transaction, plan: ReadPlan, origin: Origin): Promise<Outcome> {
  const { operation, key } = plan
  const { noun } = operation.shape
  const current = await transaction.run(plan)
  const name = recordName(noun, current.kind === 'record' ? current.identity : key)
  if (current.kind !== 'record' && !(await wasVisibleWhenDeleted(plan, name, (readPlan) => transaction.run(readPlan))))
    return { kind: 'missing', level: operation.levels.length - 1 }
  const entryOutcome = await transaction.run(erasureEntryPlan(noun.name, name, origin))
  if (entryOutcome.kind !== 'record')
    throw new Error(`The history of ${name} cannot be erased: "${entryOutcome.kind}".`)
  const yieldTurn = turnYielder()
  const erasePlan: ErasePlan = {
    kind: 'erase',
    operation: eraseOperation,
    ancestors: [],
    key: Number(entryOutcome.identity),
    now: '',
  }
  let outcome = await transaction.run(erasePlan)
  while (outcome.kind === 'erased' && outcome.next !== undefined) {
    await yieldTurn()
    outcome = await transaction.run({ ...erasePlan, from: outcome.next })
  }
  return outcome
}

function erasureEntryPlan(noun: string, record: string, origin: Origin): CreatePlan {
  const now = timestamp()
  const { user = null, application = null, request = null } = origin
  const emptyValues = { linked: null, fields: null, before: null, after: null, transaction: null }
  return {
    kind: 'create',
    operation: createOperation,
    ancestors: [],
    now,
    values: { ...emptyValues, time: now, noun, record, kind: 'ERASED', user, application, request },
    check: undefined,
  }
}
