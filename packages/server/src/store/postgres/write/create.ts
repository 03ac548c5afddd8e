/** Creates a record with one statement. Only if the database rejects it, another one finds the reason. */
import { decideCreate, earlierOutcome } from '../../decide/create.ts'
import { Conflict } from '../../fault/error.ts'
import type { Outcome } from '../../outcome.ts'
import type { CreatePlan } from '../../plan.ts'
import { type IdempotencyInput, readOutcome } from '../../sql/own-tables/idempotency-keys.ts'
import { postgresOwnTables } from '../own-tables.ts'
import { outcomeOfRow } from '../read/row-outcome.ts'
import type { WriteContext } from './context.ts'
import { createBelow, createOnce } from './create-query.ts'
import { PostgresDecisionReads } from './decision-reads.ts'
import type { WriteParameters } from './path-query.ts'

/**
 * If another request with the same Idempotency-Key is in progress, the insert waits for it and then fails, on the key or
 * on another unique value. So the key is looked up before a rejection is returned.
 */
export async function createRecord(context: WriteContext, plan: CreatePlan): Promise<Outcome> {
  const reads = new PostgresDecisionReads(context)
  const decision = await decideCreate(reads, plan)
  if (decision) return decision
  const findEarlierOutcome = () => earlierOutcome(reads, plan)
  try {
    const outcome = await insert(context, plan)
    if (outcome.kind !== 'missing') return outcome
  } catch (error) {
    return context.explain(plan, plan.values, error, findEarlierOutcome)
  }
  const missing = await findEarlierOutcome()
  if (missing) return missing
  throw new Conflict('A missing record was created in the meantime.')
}

async function insert(context: WriteContext, plan: CreatePlan): Promise<Outcome> {
  const { operation, values, rowFilter, idempotency, now, version } = plan
  const fields = Object.keys(values)
  const isRestored = version !== undefined
  const insertSpec = { operation, stored: context.stored(operation), fields, rowFilter, isRestored }
  const input = { ...plan, key: null }
  if (!idempotency) {
    const statement = context.statement<WriteParameters>(plan, `${isRestored ? 'restore' : 'create'} ${fields}`, () =>
      createBelow(insertSpec),
    )
    const [row] = await context.database.writeShort(statement, input)
    return outcomeOfRow(operation, row)
  }
  const keyInput: IdempotencyInput = { idempotency, now }
  const statement = context.statement<WriteParameters & IdempotencyInput>(plan, `once ${fields}`, () =>
    createOnce(insertSpec),
  )
  const [row = []] = await context.database.writeShort(statement, { ...input, ...keyInput })
  return readOutcome(postgresOwnTables, keyInput, row.slice(-4)) ?? outcomeOfRow(operation, row.slice(0, -4))
}
