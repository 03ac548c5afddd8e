/** FIFO semaphore with a timeout. */
import { StoreUnavailable } from '../fault/error.ts'

interface Waiter {
  readonly enter: () => void
  readonly reject: (error: Error) => void
}

export class Semaphore {
  readonly #reason: string
  readonly #size: number
  #usedSlots = 0
  #waiters: Waiter[] = []
  #isClosed = false
  #onEmpty: (() => void) | undefined

  /** `reason` is the beginning of the error message after a timeout. */
  constructor(size: number, reason: string) {
    this.#size = size
    this.#reason = reason
  }

  /** Runs the work when a slot is free; waits at most `timeoutMs` for it. */
  async enter<Result>(work: () => Promise<Result>, timeoutMs: number): Promise<Result> {
    if (this.#isClosed) throw closedError()
    if (this.#usedSlots < this.#size) this.#usedSlots++
    else await this.#wait(timeoutMs)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Accepts no more work, and waits for running work. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiters.splice(0)) reject(closedError())
    if (this.#usedSlots === 0) return
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve
    })
  }

  #leave(): void {
    const next = this.#waiters.shift()
    if (next) next.enter()
    else this.#usedSlots--
    if (this.#usedSlots === 0) this.#onEmpty?.()
  }

  #wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((entry) => entry !== waiter)
        reject(new StoreUnavailable(`${this.#reason} for more than ${timeoutMs} ms.`))
      }, timeoutMs)
      const withoutTimer =
        <Args extends unknown[]>(settle: (...args: Args) => void) =>
        (...args: Args) => {
          clearTimeout(timer)
          settle(...args)
        }
      const waiter: Waiter = { enter: withoutTimer(resolve), reject: withoutTimer(reject) }
      this.#waiters.push(waiter)
    })
  }
}

function closedError(): StoreUnavailable {
  return new StoreUnavailable('The database is closed.')
}
