/** Creates a record: one statement, and only where it is refused a look at why. */
import { brokenRule, notVisible, refused } from '../../decision.ts'
import type { Outcome } from '../../outcome.ts'
import type { CreatePlan } from '../../plan.ts'
import { isBrokenReference } from '../error.ts'
import { foundOutcome } from '../row.ts'
import type { WriteContext } from './context.ts'
import { type IdempotencyKeys, isKeyTaken, knownOutcome } from './idempotency-keys.ts'
import type { Keyed } from './idempotency-query.ts'
import { type Bound, createBelow, createOnce } from './query.ts'

/**
 * Where another request with the same Idempotency-Key is under way, the insert waits for it and then fails, on the key
 * or on another value that is unique. So the key is looked up before any refusal is answered.
 */
export async function create(context: WriteContext, keys: IdempotencyKeys, plan: CreatePlan): Promise<Outcome> {
  const keyed = isKeyed(plan) ? plan : undefined
  const inTheWay = async () =>
    (keyed && (await keys.find(keyed, context.database))) ?? (await context.obstacle(plan, plan.values))
  if (plan.sight) {
    // References and the record itself are judged by what the caller sees, and the server knows nothing of that.
    const early = (await inTheWay()) ?? hidden(plan)
    if (early) return early
  }
  const breach = brokenRule(plan.check, plan.values, undefined)
  if (breach) return (await inTheWay()) ?? refused(breach)
  try {
    const outcome = await (keyed ? insertOnce(context, keyed) : insert(context, plan))
    if (outcome.kind !== 'missing') return outcome
    // What was missing may have come since.
    return (await context.obstacle(plan, plan.values)) ?? (await create(context, keys, plan))
  } catch (error) {
    const refusal = context.refusedValues(context.stored(plan.operation), plan.values, error)
    if (!refusal && !isBrokenReference(error) && !isKeyTaken(error)) throw error
    const known = await inTheWay()
    if (known) return known
    if (refusal) return refused(refusal)
    // What stood in the way is gone by now.
    throw error
  }
}

function hidden({ operation, sight, values }: CreatePlan): Outcome | undefined {
  const refusal = notVisible(operation.shape.noun, sight, values, undefined)
  return refusal && refused(refusal)
}

function isKeyed(plan: CreatePlan): plan is CreatePlan & Keyed {
  return plan.idempotency !== undefined
}

async function insert(context: WriteContext, plan: CreatePlan): Promise<Outcome> {
  const { operation, values, sight } = plan
  const fields = Object.keys(values)
  const statement = context.statement<Bound>(plan, `create ${fields}`, () =>
    createBelow({ operation, stored: context.stored(operation), fields, sight }),
  )
  const [row] = await context.database.writeShort(statement, { ...plan, key: null })
  return foundOutcome(operation, row)
}

async function insertOnce(context: WriteContext, plan: CreatePlan & Keyed): Promise<Outcome> {
  const { operation, values, sight } = plan
  const fields = Object.keys(values)
  const statement = context.statement<Bound & Keyed>(plan, `once ${fields}`, () =>
    createOnce({ operation, stored: context.stored(operation), fields, sight }),
  )
  const [row = []] = await context.database.writeShort(statement, { ...plan, key: null })
  return knownOutcome(plan, row.slice(-4)) ?? foundOutcome(operation, row.slice(0, -4))
}
