/** Finds the records of callers by their user names, and caches them for a short time. */
import { isStorable, type Operation, resource, tenantField, type Value } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import type { CallerNoun } from '../define/caller/caller-noun.ts'
import { type TenantOptions, tenantIn } from '../define/caller/tenant.ts'
import { andThen } from '../foundation/maybe-promise.ts'
import { TtlCache } from '../foundation/ttl-cache.ts'
import { unofferedOperations } from '../logic/record-reads.ts'
import type { Outcome } from '../store/outcome.ts'
import type { RowFilter } from '../store/plan.ts'
import type { RecordStore } from '../store/store.ts'

/** The minimum number of cached callers, and for how long. The time is short, because other processes may change the records. */
const maxCallers = 5000
const lifetimeMs = 2000

export class CallerRecords {
  readonly #store: RecordStore
  readonly #operation: Operation
  readonly #cache = new TtlCache<Value>(maxCallers, lifetimeMs)

  readonly #tenant: { readonly field: string; readonly claim: string } | undefined

  constructor(store: RecordStore, callers: CallerNoun, tenant?: TenantOptions) {
    const field = tenantField(callers.noun)
    this.#tenant = tenant && field !== undefined ? { field, claim: tenant.claim } : undefined
    this.#store = store
    this.#operation = lookupOf(callers)
  }

  /** The identity of the user's own record, or null. It is returned synchronously if it is cached. */
  find(user: string, claims: Caller['claims']): Value | Promise<Value> {
    const tenant = this.#tenant && tenantIn(this.#tenant.claim, claims)
    if (this.#tenant && tenant === undefined) return null
    // Users of different tenants may have the same name.
    const key = tenant === undefined ? user : JSON.stringify([tenant, user])
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    // No record can have a name that the database cannot store.
    if (!isStorable(user)) return null
    const outcome = this.#store.run({
      kind: 'read',
      operation: this.#operation,
      ancestors: [],
      key: user,
      ...(this.#tenant && { rowFilter: this.#rowFilter(this.#tenant.field, tenant ?? null) }),
      ...(this.#store.hasReplicas && { reader: { name: `user ${user}` } }),
    })
    return andThen(outcome, (readOutcome) => this.#remember(key, readOutcome))
  }

  /** Clears the cache. Call it when records of callers have changed. */
  invalidate(): void {
    this.#cache.clear()
  }

  #rowFilter(field: string, tenant: Value): RowFilter {
    return { [this.#operation.shape.noun.name]: [{ kind: 'equal', fields: [field], values: [tenant] }] }
  }

  #remember(key: string, outcome: Outcome): Value {
    const record = outcome.kind === 'record' ? outcome.identity : null
    this.#cache.set(key, record)
    return record
  }
}

/** A lookup operation that no api offers. */
function lookupOf({ noun, field }: CallerNoun): Operation {
  const options = { offers: ['read'], by: [field], complete: [noun.identity, field] } as object
  const table = unofferedOperations('callers of the service', resource(noun, options))
  return table.find(({ kind }) => kind === 'lookup') as Operation
}
