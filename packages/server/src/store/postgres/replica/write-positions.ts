/** Remembers the log position of each caller's last write, until the replicas have replayed it. */
import { laterOf, unknownPosition } from './log-position.ts'

/** How many callers are tracked individually. With more, all of them wait for the latest write. */
const maxCallers = 10_000

export class WritePositions {
  readonly #positions = new Map<string, bigint>()
  #floor = 0n

  /** The minimum position for all callers. */
  get floor(): bigint {
    return this.#floor
  }

  /** Whether no caller waits for the replay of its own writes. */
  get isEmpty(): boolean {
    return this.#positions.size === 0
  }

  /** Records the position of a caller's write; `unknownPosition` if it is not known yet. */
  record(name: string, position: bigint): void {
    if (position > (this.#positions.get(name) ?? 0n)) this.#positions.set(name, position)
    if (this.#positions.size <= maxCallers) return
    for (const recorded of this.#positions.values()) this.raise(recorded)
    this.#positions.clear()
  }

  /** From now on, all callers read at least this position. */
  raise(position: bigint): void {
    this.#floor = laterOf(this.#floor, position)
  }

  /** The position that a replica must have reached for this caller, including `after`. */
  neededBy(name: string, after = 0n): bigint {
    const recorded = this.#positions.get(name) ?? 0n
    return laterOf(this.#floor, laterOf(recorded, after))
  }

  get hasUnknown(): boolean {
    return this.#floor === unknownPosition || [...this.#positions.values()].includes(unknownPosition)
  }

  /** Replaces unknown positions by this later one. */
  settle(position: bigint): void {
    if (this.#floor === unknownPosition) this.#floor = position
    for (const [name, recorded] of this.#positions)
      if (recorded === unknownPosition) this.#positions.set(name, position)
  }

  /** Forgets positions that every replica has replayed. */
  forget(replayed: bigint): void {
    for (const [name, recorded] of this.#positions) if (recorded <= replayed) this.#positions.delete(name)
  }
}
