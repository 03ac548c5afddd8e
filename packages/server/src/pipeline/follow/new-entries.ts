/** Notices new history entries of all processes, and wakes the requests that wait for them. */
import type { HistoryPosition, HistoryStore } from '../../store/store.ts'

/** Polling intervals: normally, while a transaction in flight delays entries, and after an error. */
const checkEveryMs = 40
const checkPendingMs = 10
const checkAfterFaultMs = 1000

/** How often expired waits are ended. */
const timeoutCheckEveryMs = 200

/** How many requests are woken in one turn of the event loop. */
const wakesPerTurn = 200

/** A request that waits for an entry after the ID. */
interface Waiter {
  readonly afterId: number
  /** By `performance.now()`. */
  readonly deadline: number
  readonly resolve: () => void
}

export class NewEntries {
  readonly #store: HistoryStore
  readonly #waiters = new Set<Waiter>()
  #position: HistoryPosition = { settled: 0, newest: 0 }
  #timer: NodeJS.Timeout | undefined
  /** The settled ID for which requests were woken last. */
  #wokenFor = 0
  /** When to look for expired waits, by `performance.now()`. */
  #nextTimeoutCheckMs = 0
  #isStopped = false

  constructor(store: HistoryStore) {
    this.#store = store
  }

  /** Whether waiting requests must come to an end. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** The highest settled ID that is known. */
  get settled(): number {
    return this.#position.settled
  }

  /** The highest ID that is known, settled or not. */
  get newest(): number {
    return this.#position.newest
  }

  /** Reads the current position. */
  async read(): Promise<HistoryPosition> {
    this.#position = await this.#store.historyPosition()
    return this.#position
  }

  /**
   * Waits for an entry after the ID. The wait also ends at its timeout, when it is canceled or stopped, and when all IDs are
   * lower, because the database was restored from a backup.
   */
  wait(afterId: number, timeoutMs: number): { readonly ended: Promise<void>; cancel(): void } {
    if (this.#isStopped || afterId < this.settled) return { ended: Promise.resolve(), cancel: () => {} }
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const waiter: Waiter = { afterId, deadline: performance.now() + timeoutMs, resolve }
    this.#waiters.add(waiter)
    this.#timer ??= setTimeout(this.#check, checkEveryMs).unref()
    const cancel = () => {
      this.#waiters.delete(waiter)
      resolve()
    }
    return { ended, cancel }
  }

  /** Ends all waits, now and later. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#wake([...this.#waiters])
  }

  readonly #check = async (): Promise<void> => {
    let waitMs = checkEveryMs
    try {
      const { settled, newest } = await this.read()
      if (settled < newest) waitMs = checkPendingMs
    } catch {
      // The requests themselves report that the database is unavailable.
      waitMs = checkAfterFaultMs
    }
    const now = performance.now()
    if (this.settled !== this.#wokenFor || now >= this.#nextTimeoutCheckMs) {
      this.#wokenFor = this.settled
      this.#nextTimeoutCheckMs = now + timeoutCheckEveryMs
      const isOver = ({ afterId, deadline }: Waiter) =>
        afterId < this.settled || afterId > this.newest || deadline <= now
      this.#wake([...this.#waiters].filter(isOver))
    }
    this.#timer = this.#waiters.size > 0 && !this.#isStopped ? setTimeout(this.#check, waitMs).unref() : undefined
  }

  /** Wakes some now and the others in later turns, so that other requests run in between. */
  #wake(waiters: readonly Waiter[]): void {
    for (const waiter of waiters) this.#waiters.delete(waiter)
    const wakeFrom = (start: number) => {
      for (const { resolve } of waiters.slice(start, start + wakesPerTurn)) resolve()
      if (start + wakesPerTurn < waiters.length) setImmediate(wakeFrom, start + wakesPerTurn)
    }
    wakeFrom(0)
  }
}
