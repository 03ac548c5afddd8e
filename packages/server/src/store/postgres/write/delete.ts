/** Deletes a record with the records that it owns, in one transaction that locks the record first. */
import type { Value } from '@nomen/core'
import { decideDelete } from '../../decide/delete.ts'
import type { Referrers } from '../../decide/rejection.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan, Values } from '../../plan.ts'
import type { DeleteInput, DeleteStep } from '../../sql/delete-steps.ts'
import { type RecordInput, storedShape } from '../../sql/record-query.ts'
import { sql } from '../../sql/sql.ts'
import { deleteQuery } from '../../sql/write-query.ts'
import type { Run } from '../connect/database.ts'
import { outcomeOfRow } from '../read/row-outcome.ts'
import type { WriteContext } from './context.ts'
import { originQuery } from './origin-query.ts'
import { readBelow } from './path-query.ts'
import { readLocked } from './read-locked.ts'

export function deleteRecord(context: WriteContext, plan: DeletePlan): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const { noun } = operation.shape
  const steps = context.shared.deleteSteps(context.stored(operation), rowFilter)
  const deleteStatement = context.statement<Value>(plan, 'delete', () => deleteQuery(noun))
  return context.database.transaction(async (run) => {
    const outcome = await readLocked(context, plan, run)
    if (outcome.kind !== 'record') return outcome
    const input: DeleteInput = { ...plan, key: outcome.identity }
    const runStep = (step: DeleteStep, index: number) =>
      run(
        context.statement<DeleteInput>(plan, `${index}`, () =>
          step.kind === 'lock' ? sql`${step.query} for update` : step.query,
        ),
        input,
      )
    const decision = await decideDelete(plan, outcome, () => lookupReferrers(steps, runStep))
    if (decision) return decision
    await passRecord(context, plan, run)
    await Promise.all([
      plan.origin &&
        run(
          context.statement<DeletePlan>(plan, 'origin', () => originQuery),
          plan,
        ),
      ...steps.map((step, index) => (step.kind === 'change' ? runStep(step, index) : undefined)),
      run(deleteStatement, outcome.identity),
    ])
    return outcome
  })
}

/**
 * While the record is locked, no new reference to it can be created. The same must hold for the records that it owns: a
 * cascading foreign key of another program would delete records that were never counted.
 */
async function lookupReferrers(
  steps: readonly DeleteStep[],
  runStep: (step: DeleteStep, index: number) => ReturnType<Run>,
): Promise<readonly Referrers[]> {
  const rows = await Promise.all(
    steps.map((step, index) => (step.kind === 'change' ? undefined : runStep(step, index))),
  )
  return steps.flatMap((step, index) => {
    if (step.kind !== 'count') return []
    const [count = 0, visible] = rows[index]?.[0]?.map(Number) ?? []
    return [{ noun: step.noun, field: step.field, count: [count, visible] }]
  })
}

/** Passes the whole record to the plan, also fields that the operation does not return. */
async function passRecord(context: WriteContext, plan: DeletePlan, run: Run): Promise<void> {
  if (!plan.onRecord) return
  const { operation, rowFilter } = plan
  const read = context.statement<RecordInput>(plan, 'stored', () =>
    readBelow(operation, storedShape(operation.shape.noun), rowFilter),
  )
  const [row] = await run(read, plan)
  const stored = outcomeOfRow(operation, row)
  if (stored.kind === 'record') plan.onRecord(JSON.parse(stored.json) as Values)
}
