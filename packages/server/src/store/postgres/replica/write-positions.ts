/** Remembers for each caller up to where in the log it has written, until the replicas have got there. */
import { beyond, later } from './log-position.ts'

/** Of so many callers it is known for each; where there are more, all wait for the latest write of any. */
const limit = 10_000

export class WritePositions {
  readonly #marks = new Map<string, bigint>()
  /** What everybody must be shown. */
  #floor = 0n

  /** Whether there is nobody whom a replica could keep from its own writes. */
  get isEmpty(): boolean {
    return this.#marks.size === 0
  }

  /** Notes how far a caller has written; `beyond` where that is not known yet. */
  note(name: string, position: bigint): void {
    if (position > (this.#marks.get(name) ?? 0n)) this.#marks.set(name, position)
    if (this.#marks.size <= limit) return
    for (const mark of this.#marks.values()) this.raise(mark)
    this.#marks.clear()
  }

  /** From now on, everybody is shown at least this. */
  raise(position: bigint): void {
    this.#floor = later(this.#floor, position)
  }

  /** How far a replica must be for this caller, who knows of a state beside its own writes. */
  neededBy(name: string, after = 0n): bigint {
    const own = this.#marks.get(name) ?? 0n
    return later(this.#floor, later(own, after))
  }

  get hasUnknown(): boolean {
    return this.#floor === beyond || [...this.#marks.values()].includes(beyond)
  }

  /** Whatever was not known lies before this position. */
  settle(position: bigint): void {
    if (this.#floor === beyond) this.#floor = position
    for (const [name, mark] of this.#marks) if (mark === beyond) this.#marks.set(name, position)
  }

  /** What every replica has by now need not be remembered. */
  forget(replayed: bigint): void {
    for (const [name, mark] of this.#marks) if (mark <= replayed) this.#marks.delete(name)
  }
}
