/** Writes on PostgreSQL, right whoever else writes at the same moment, from this process or another. */
import { refused } from '../decision.ts'
import type { Model } from '../model.ts'
import { type Outcome, StoreUnavailable, type WrittenPlan } from '../plan.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { brokenKey, demandOf, isBrokenReference } from './postgres-error.ts'
import { change } from './write/change.ts'
import { create } from './write/create.ts'
import { remove } from './write/delete.ts'
import { IdempotencyKeys, isKeyTaken } from './write/idempotency-keys.ts'
import { link, unlink } from './write/link.ts'
import { WriteContext } from './write/write-context.ts'

/** What the database demands that no declaration knows: a trigger of others, or a foreign key that stood in the way each time. */
function lastingDemand(error: unknown): string | undefined {
  return (error instanceof StoreUnavailable ? brokenKey(error.cause) : undefined) ?? demandOf(error)
}

export class PostgresWriter {
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys

  constructor(database: PostgresDatabase, model: Model) {
    this.#context = new WriteContext(database, model)
    this.#keys = new IdempotencyKeys(database)
  }

  /** What has been undone because of others, and has no reason left to fail, is done again. */
  async write(plan: WrittenPlan): Promise<Outcome> {
    try {
      return await this.#context.database.persist(
        () => this.#once(plan),
        (error) => isBrokenReference(error) || isKeyTaken(error),
      )
    } catch (error) {
      const demand = lastingDemand(error)
      if (demand === undefined) throw error
      const hint = 'See what the tables themselves demand of their rows.'
      return refused({ reason: 'rule', breach: { detail: `The database refuses this: ${demand}.`, hint } })
    }
  }

  #once(plan: WrittenPlan): Promise<Outcome> {
    switch (plan.kind) {
      case 'create':
        return create(this.#context, this.#keys, plan)
      case 'change':
        return change(this.#context, plan)
      case 'delete':
        return remove(this.#context, plan)
      case 'link':
        return link(this.#context, plan)
      case 'unlink':
        return unlink(this.#context, plan)
    }
  }
}
