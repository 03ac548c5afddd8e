/** Writes on PostgreSQL, correct with any number of writers at the same time, in this process or in others. */
import { refused } from '../../decide/refusal.ts'
import { StoreUnavailable } from '../../error.ts'
import type { Model } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { WrittenPlan } from '../../plan.ts'
import { retry } from '../../retry.ts'
import type { PostgresDatabase, Writes } from '../connect/database.ts'
import { brokenKey, demandOf } from '../error.ts'
import { change } from './change.ts'
import { WriteContext } from './context.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { IdempotencyKeys, isKeyTaken } from './idempotency-keys.ts'
import { link, unlink } from './link.ts'

export class PostgresWriter {
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys

  constructor(database: PostgresDatabase, model: Model) {
    this.#keys = new IdempotencyKeys(database)
    this.#context = WriteContext.of(database.once, model, this.#keys)
  }

  close(): void {
    this.#keys.close()
  }

  async write(plan: WrittenPlan): Promise<Outcome> {
    try {
      return await retry(() => writeOnce(this.#context, plan), { isConflict: isKeyTaken })
    } catch (error) {
      return demanded(error, error instanceof StoreUnavailable ? error.cause : undefined)
    }
  }

  /**
   * A write within a transaction of several plans. Throws if other writes are in the way, so that the whole transaction is
   * retried. If a foreign key fails again in a retry (`isAgain`), the write is refused.
   */
  async writeIn(statements: Writes, plan: WrittenPlan, isAgain: boolean): Promise<Outcome> {
    try {
      return await writeOnce(new WriteContext(statements, this.#context.shared), plan)
    } catch (error) {
      return demanded(error, isAgain ? error : undefined)
    }
  }
}

function writeOnce(context: WriteContext, plan: WrittenPlan): Promise<Outcome> {
  switch (plan.kind) {
    case 'create':
      return create(context, plan)
    case 'change':
      return change(context, plan)
    case 'delete':
      return remove(context, plan)
    case 'link':
      return link(context, plan)
    case 'unlink':
      return unlink(context, plan)
  }
}

/**
 * The refusal of a write for a reason that no declaration names: a trigger of another program, or a foreign key that failed
 * each time (`lasting`). Throws every other error.
 */
function demanded(error: unknown, lasting: unknown): Outcome {
  const demand = brokenKey(lasting) ?? demandOf(error)
  if (demand === undefined) throw error
  const hint = 'See what the tables themselves demand of their rows.'
  return refused({ reason: 'rule', breach: { detail: `The database refuses this: ${demand}.`, hint } })
}
