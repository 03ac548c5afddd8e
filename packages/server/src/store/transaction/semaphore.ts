/** A line for places of which there are few: first come, first served, and nobody waits for ever. */
import { StoreUnavailable } from '../error.ts'

interface Waiting {
  readonly enter: () => void
  readonly refuse: (error: Error) => void
}

export class Semaphore {
  readonly #what: string
  readonly #places: number
  #taken = 0
  #waiting: Waiting[] = []
  #isClosed = false
  #whenEmpty: (() => void) | undefined

  /** `what` says why, to those for whom there was no place in time. */
  constructor(places: number, what: string) {
    this.#places = places
    this.#what = what
  }

  /** Does the work when there is a place for it, which may take `patience` milliseconds. */
  async enter<Result>(work: () => Promise<Result>, patience: number): Promise<Result> {
    if (this.#isClosed) throw closed()
    if (this.#taken < this.#places) this.#taken++
    else await this.#wait(patience)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Lets nobody in any more, and waits for those who are in. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { refuse } of this.#waiting.splice(0)) refuse(closed())
    if (this.#taken === 0) return
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve
    })
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.enter()
    else this.#taken--
    if (this.#taken === 0) this.#whenEmpty?.()
  }

  #wait(patience: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        reject(new StoreUnavailable(`${this.#what} for more than ${patience} ms.`))
      }, patience)
      const settled =
        <Given extends unknown[]>(settle: (...given: Given) => void) =>
        (...given: Given) => {
          clearTimeout(timer)
          settle(...given)
        }
      const waiting: Waiting = { enter: settled(resolve), refuse: settled(reject) }
      this.#waiting.push(waiting)
    })
  }
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('The database is closed.')
}
