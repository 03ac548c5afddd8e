/** Changes a record: reads it, decides, and writes if it still has the same version. */
import { decideChange, withAssigned } from '../../decide/change.ts'
import type { CurrentRecord } from '../../decide/decision-reads.ts'
import {
  canSkipRead,
  changedFields,
  linksWithChangedField,
  missingRecordOutcome,
  preconditionRejection,
  rejectionOutcome,
} from '../../decide/rejection.ts'
import { outcomeIfMissing } from '../../decide/rejection-order.ts'
import type { Outcome } from '../../outcome.ts'
import type { ChangePlan, Values } from '../../plan.ts'
import { type RecordInput, storedShape } from '../../sql/record-query.ts'
import type { Run } from '../connect/database.ts'
import { outcomeOfRow } from '../read/row-outcome.ts'
import type { WriteContext } from './context.ts'
import { PostgresDecisionReads } from './decision-reads.ts'
import { lock, readBelow, type WriteParameters } from './path-query.ts'
import { updateAtVersion, updateBelow } from './update-query.ts'

export async function changeRecord(context: WriteContext, plan: ChangePlan): Promise<Outcome> {
  if (Object.keys(plan.values).length === 0) return readUnchanged(context, plan)
  const isDirect = canSkipRead(context.stored(plan.operation), plan)
  return (
    (isDirect ? await updateDirectly(context, plan) : undefined) ??
    (await changeAfterRead(context, plan, false)) ??
    (await changeAfterRead(context, plan, true)) ??
    missingRecordOutcome(plan.operation)
  )
}

/** The unchanged record, if the request has no values. */
async function readUnchanged(context: WriteContext, plan: ChangePlan): Promise<Outcome> {
  const { operation, rowFilter, meetsPreconditions } = plan
  const read = context.statement<RecordInput>(plan, 'unchanged', () => readBelow(operation, operation.shape, rowFilter))
  const [row] = await context.database.readShort(read, plan)
  const outcome = outcomeOfRow(operation, row)
  return (outcome.kind === 'record' && rejectionOutcome(preconditionRejection(meetsPreconditions, outcome))) || outcome
}

/** One round trip. Undefined if the database rejects it: a change that reads the record finds the reason. */
async function updateDirectly(context: WriteContext, plan: ChangePlan): Promise<Outcome | undefined> {
  const { operation, values } = plan
  const fields = Object.keys(values)
  const update = context.statement<WriteParameters>(plan, `direct ${fields}`, () =>
    updateBelow(operation, context.stored(operation), fields),
  )
  try {
    const [row] = await context.database.writeShort(update, plan)
    return outcomeOfRow(operation, row)
  } catch (error) {
    if (context.isRejection(plan, values, error)) return undefined
    throw error
  }
}

/**
 * Without a lock: two round trips. Undefined if another request has changed the record in between, or if links depend on
 * the change, because they must be counted while the record is locked. With a lock: one transaction.
 */
async function changeAfterRead(
  context: WriteContext,
  requestedPlan: ChangePlan,
  isLocked: boolean,
): Promise<Outcome | undefined> {
  const { database } = context
  const { operation } = requestedPlan
  const stored = context.stored(operation)
  let previous: Values = {}
  let plan = requestedPlan
  const attempt = async (read: Run, write: Run): Promise<Outcome | undefined> => {
    const current = await readCurrent(context, plan, read, isLocked)
    if ('kind' in current) return current
    previous = current.record
    plan = withAssigned(requestedPlan, previous)
    const { values } = plan
    if (!isLocked && linksWithChangedField(stored, { ...previous, ...values }, previous).length > 0) return undefined
    const decision = await decideChange(new PostgresDecisionReads(context, read), stored, plan, current)
    if (decision) return decision
    const fields = changedFields(values, previous)
    // The same statement for all callers, because the visibility was checked before.
    const update = context.statement<WriteParameters>({ operation }, `version ${fields}`, () =>
      updateAtVersion(operation, stored, fields),
    )
    const [row] = await write(update, { ...plan, version: current.version })
    return row && outcomeOfRow(operation, row)
  }
  try {
    if (isLocked) return await database.transaction((run) => attempt(run, run))
    return await attempt(database.readShort, database.writeShort)
  } catch (error) {
    const reads = new PostgresDecisionReads(context)
    return context.explain(plan, { ...previous, ...plan.values }, error, () => outcomeIfMissing(reads, plan, previous))
  }
}

async function readCurrent(
  context: WriteContext,
  plan: ChangePlan,
  run: Run,
  isLocked: boolean,
): Promise<CurrentRecord | Outcome> {
  const { operation, rowFilter } = plan
  const statement = context.statement<RecordInput>(plan, isLocked ? 'locked' : 'stored', () =>
    readBelow(operation, storedShape(operation.shape.noun), rowFilter, isLocked ? lock : undefined),
  )
  const [row] = await run(statement, plan)
  const outcome = outcomeOfRow(operation, row)
  if (outcome.kind !== 'record') return outcome
  return { record: JSON.parse(outcome.json) as Values, identity: outcome.identity, version: outcome.version }
}
