/** Brings the changes of each record into the order of their commits, in whatever order their outcomes arrive. */
import type { Value } from '@nomen/core'

/** A write that was sent to the store. */
export interface Write {
  /** The identity of the record; undefined for a create. */
  readonly key: Value | undefined
}

export interface CommittedChange {
  readonly identity: Value
  /** Higher than the version of every earlier change of the record. */
  readonly version: number
  readonly notify: () => void
}

interface DeferredChange extends CommittedChange {
  /** Writes that may have changed the record earlier. */
  readonly pending: Set<Write>
}

/**
 * With several connections, the outcome of a later change may arrive before that of an earlier one. So a change is deferred until
 * all writes have ended that were running when it arrived. Writes that start later get higher versions.
 */
export class ChangeOrder {
  readonly #running = new Set<Write>()
  readonly #deferred = new Map<Value, DeferredChange[]>()

  begin(key: Value | undefined): Write {
    const write = { key }
    this.#running.add(write)
    return write
  }

  /** Ends a write; `changed` is absent if it has changed nothing. */
  end(write: Write, changed?: CommittedChange): void {
    this.#running.delete(write)
    if (changed) this.#defer(changed)
    for (const [identity, changes] of this.#deferred) {
      for (const { pending } of changes) pending.delete(write)
      while (changes[0]?.pending.size === 0) changes.shift()?.notify()
      if (changes.length === 0) this.#deferred.delete(identity)
    }
  }

  #defer(changed: CommittedChange): void {
    const { identity, version } = changed
    const pending = new Set<Write>()
    for (const write of this.#running) {
      if (write.key === undefined || write.key === identity) pending.add(write)
    }
    const changes = this.#deferred.get(identity) ?? []
    const laterIndex = changes.findIndex((change) => change.version > version)
    changes.splice(laterIndex === -1 ? changes.length : laterIndex, 0, { ...changed, pending })
    this.#deferred.set(identity, changes)
  }
}
