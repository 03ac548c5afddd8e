/** The order of changes: those of one record, as they were committed, whenever their outcomes come back. */
import type { Value } from '@nomen/core'

/** A write that was sent to the store. */
export interface Write {
  /** The identity of its record; undefined for one that is being created. */
  readonly key: Value | undefined
}

export interface Changed {
  readonly identity: Value
  /** Higher than that of every change of the record before. */
  readonly version: number
  readonly tell: () => void
}

interface Held extends Changed {
  /** Writes that may have changed the record before. */
  readonly pending: Set<Write>
}

/**
 * Over several connections, a later change of a record may be known before an earlier one. So a change is held until all
 * writes are back that were under way when it came: whatever is sent later gets a higher version.
 */
export class ChangeOrder {
  readonly #underWay = new Set<Write>()
  readonly #held = new Map<Value, Held[]>()

  begin(key: Value | undefined): Write {
    const write = { key }
    this.#underWay.add(write)
    return write
  }

  /** `changed` is absent where nothing has changed. */
  end(write: Write, changed?: Changed): void {
    this.#underWay.delete(write)
    if (changed) this.#hold(changed)
    for (const [identity, held] of this.#held) {
      for (const { pending } of held) pending.delete(write)
      while (held[0]?.pending.size === 0) held.shift()?.tell()
      if (held.length === 0) this.#held.delete(identity)
    }
  }

  #hold(changed: Changed): void {
    const { identity, version } = changed
    const pending = new Set<Write>()
    for (const write of this.#underWay) {
      if (write.key === undefined || write.key === identity) pending.add(write)
    }
    const held = this.#held.get(identity) ?? []
    const next = held.findIndex((one) => one.version > version)
    held.splice(next === -1 ? held.length : next, 0, { ...changed, pending })
    this.#held.set(identity, held)
  }
}
