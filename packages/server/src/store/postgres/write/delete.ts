/** Deletes a record with the records that it owns, in one transaction that locks the record with its first statement. */
import { decideDelete } from '../../decide/delete.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan, Values } from '../../plan.ts'
import { type RecordInput, storedShape } from '../../sql/record-query.ts'
import type { Run } from '../connect/database.ts'
import { foundOutcome } from '../row.ts'
import type { WriteContext } from './context.ts'
import { deleteStatements } from './delete-statements.ts'
import { PostgresLookups } from './lookups.ts'
import { lock, readBelow } from './query.ts'

export function remove(context: WriteContext, plan: DeletePlan): Promise<Outcome> {
  const { operation, sight } = plan
  return context.database.transaction(async (run) => {
    const read = context.statement<RecordInput>(plan, 'held', () => readBelow(operation, operation.shape, sight, lock))
    const [row] = await run(read, plan)
    const shown = foundOutcome(operation, row)
    if (shown.kind !== 'record') return shown
    const decision = await decideDelete(new PostgresLookups(context, run), plan, shown)
    if (decision) return decision
    await showRecord(context, plan, run)
    const { changes, removal } = deleteStatements(context, plan)
    const input = { ...plan, key: shown.identity }
    await Promise.all([...changes.map((statement) => run(statement, input)), run(removal, shown.identity)])
    return shown
  })
}

/** Shows all of the record to the plan, whatever the operation shows of it. */
async function showRecord(context: WriteContext, plan: DeletePlan, run: Run): Promise<void> {
  if (!plan.seeing) return
  const { operation, sight } = plan
  const read = context.statement<RecordInput>(plan, 'stored', () =>
    readBelow(operation, storedShape(operation.shape.noun), sight),
  )
  const [row] = await run(read, plan)
  const stored = foundOutcome(operation, row)
  if (stored.kind === 'record') plan.seeing(JSON.parse(stored.json) as Values)
}
