/** Reads the record of a write and locks it until the transaction ends. */
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan, LinkPlan } from '../../plan.ts'
import type { RecordInput } from '../../sql/record-query.ts'
import type { Run } from '../connect/database.ts'
import { outcomeOfRow } from '../read/row-outcome.ts'
import type { WriteContext } from './context.ts'
import { lock, readBelow } from './path-query.ts'

/** The record at the end of the path, or the level that is missing. */
export async function readLocked(context: WriteContext, plan: DeletePlan | LinkPlan, run: Run): Promise<Outcome> {
  const { operation, rowFilter } = plan
  const read = context.statement<RecordInput>(plan, 'read locked', () =>
    readBelow(operation, operation.shape, rowFilter, lock),
  )
  const [row] = await run(read, plan)
  return outcomeOfRow(operation, row)
}
