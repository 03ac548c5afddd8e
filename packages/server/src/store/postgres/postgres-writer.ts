/** Writes on PostgreSQL, right whoever else writes at the same moment, from this process or another. */
import type { Model } from '../model.ts'
import type { Outcome, Plan } from '../plan.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { isBrokenReference } from './postgres-error.ts'
import { change } from './write/change.ts'
import { create } from './write/create.ts'
import { remove } from './write/delete.ts'
import { IdempotencyKeys, isKeyTaken } from './write/idempotency-keys.ts'
import { link, unlink } from './write/link.ts'
import { WriteContext } from './write/write-context.ts'

type Written = Extract<Plan, { readonly now: string }>

export class PostgresWriter {
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys

  constructor(database: PostgresDatabase, model: Model) {
    this.#context = new WriteContext(database, model)
    this.#keys = new IdempotencyKeys(database)
  }

  /** What has been undone because of others, and has no reason left to fail, is done again. */
  write(plan: Written): Promise<Outcome> {
    return this.#context.database.persist(
      () => this.#once(plan),
      (error) => isBrokenReference(error) || isKeyTaken(error),
    )
  }

  #once(plan: Written): Promise<Outcome> {
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
