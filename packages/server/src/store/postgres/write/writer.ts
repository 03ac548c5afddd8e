/** Writes on PostgreSQL, right whoever else writes at the same moment, from this process or another. */
import { refused } from '../../decision.ts'
import { StoreUnavailable } from '../../error.ts'
import type { Model } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { WrittenPlan } from '../../plan.ts'
import type { PostgresDatabase, Statements } from '../connect/database.ts'
import { brokenKey, demandOf, isBrokenReference } from '../error.ts'
import { change } from './change.ts'
import { WriteContext } from './context.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { IdempotencyKeys, isKeyTaken } from './idempotency-keys.ts'
import { link, unlink } from './link.ts'

/** Whether what others did meanwhile has stood in the way of a write, beside what always may. */
export function isInTheWay(error: unknown): boolean {
  return isBrokenReference(error) || isKeyTaken(error)
}

/**
 * Refuses what the database demands that no declaration knows: a trigger of others, or a foreign key that stood in the way each
 * time. Throws whatever else it is.
 */
function demanded(error: unknown, lasting: unknown): Outcome {
  const demand = brokenKey(lasting) ?? demandOf(error)
  if (demand === undefined) throw error
  const hint = 'See what the tables themselves demand of their rows.'
  return refused({ reason: 'rule', breach: { detail: `The database refuses this: ${demand}.`, hint } })
}

export class PostgresWriter {
  readonly #database: PostgresDatabase
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys

  constructor(database: PostgresDatabase, model: Model) {
    this.#database = database
    this.#context = new WriteContext(database, model)
    this.#keys = new IdempotencyKeys(database)
  }

  close(): void {
    this.#keys.close()
  }

  /** What has been undone because of others, and has no reason left to fail, is done again. */
  async write(plan: WrittenPlan): Promise<Outcome> {
    try {
      return await this.#database.persist(() => this.#once(this.#context, plan), isInTheWay)
    } catch (error) {
      return demanded(error, error instanceof StoreUnavailable ? error.cause : undefined)
    }
  }

  /**
   * A write within a transaction of several. What others stand in the way of is thrown, for whoever begins that anew; `isAgain`
   * where it was, and what stands in the way is there to stay.
   */
  async writeIn(statements: Statements, plan: WrittenPlan, isAgain: boolean): Promise<Outcome> {
    try {
      return await this.#once(this.#context.on(statements), plan)
    } catch (error) {
      return demanded(error, isAgain ? error : undefined)
    }
  }

  #once(context: WriteContext, plan: WrittenPlan): Promise<Outcome> {
    switch (plan.kind) {
      case 'create':
        return create(context, this.#keys, plan)
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
}
