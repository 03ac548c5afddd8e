/** Finds the records of callers by their user names, and remembers them for a moment. */
import { type AnyApi, isStorable, type Operation, operations, resource, type Value } from '@nomen/core'
import type { CallerNoun } from '../define/caller-noun.ts'
import { andThen } from '../foundation/maybe-promise.ts'
import { TtlCache } from '../foundation/ttl-cache.ts'
import type { Outcome } from '../store/outcome.ts'
import type { RecordStore } from '../store/store.ts'

/** How many callers stay cached at least, and for how long: another process may have changed their records. */
const maxCallers = 5000
const lifetimeMs = 2000

export class CallerRecords {
  readonly #store: RecordStore
  readonly #operation: Operation
  readonly #cache = new TtlCache<Value>(maxCallers, lifetimeMs)

  constructor(store: RecordStore, callers: CallerNoun) {
    this.#store = store
    this.#operation = lookupOf(callers)
  }

  /** The identity of a user's own record, null where there is none; at once where it is remembered. */
  find(user: string): Value | Promise<Value> {
    const known = this.#cache.get(user)
    if (known !== undefined) return known
    // What the database cannot hold is nobody's name.
    if (!isStorable(user)) return null
    const outcome = this.#store.run({
      kind: 'read',
      operation: this.#operation,
      ancestors: [],
      key: user,
      ...(this.#store.hasReplicas && { reader: { name: `user ${user}` } }),
    })
    return andThen(outcome, (done) => this.#remember(user, done))
  }

  /** To be called when records of callers have changed. */
  forget(): void {
    this.#cache.clear()
  }

  #remember(user: string, outcome: Outcome): Value {
    const record = outcome.kind === 'record' ? outcome.identity : null
    this.#cache.set(user, record)
    return record
  }
}

/** A lookup that no api offers, as the store reads it. */
function lookupOf({ noun, field }: CallerNoun): Operation {
  const shown = resource(noun, { offers: ['read'], by: [field], complete: [noun.identity, field] } as object)
  const api: AnyApi = {
    // No api of a service can bear this name.
    name: 'callers of the service',
    options: { versioning: 'per-noun', writes: 'nested', resources: [shown] },
  }
  return operations(api).find(({ kind }) => kind === 'lookup') as Operation
}
