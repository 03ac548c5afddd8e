/** The rollup: requests that a service has counted itself, day by day, and reading them for a report. */
import type { Caller, CallerKind } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { dayLength, Tally } from './tally.ts'

/** What one caller did with one operation on one day. */
export interface CallerDay {
  readonly method: string
  /** The template of the path; empty, like the method, for requests that were for no operation. */
  readonly path: string
  readonly kind: CallerKind
  readonly caller: string
  readonly requests: number
  readonly errors: number
  readonly bytes: number
  /** In milliseconds since the epoch. */
  readonly first: number
  readonly last: number
}

export class RollupReader {
  readonly tally: Tally
  readonly #endpoints: ReadonlyMap<string, number>
  readonly #numbers = new Map<string, number>()
  readonly #callers: Caller[] = []

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = new Map(endpoints.map(({ method, path }, index) => [`${method} ${path}`, index]))
    this.tally = new Tally(endpoints.length)
  }

  /** Reads what is known of a day such as `2026-11-15`. */
  read(day: string, rows: Iterable<CallerDay>): void {
    const number = Date.parse(day) / dayLength
    for (const row of rows) {
      const { requests, errors, bytes, first, last } = row
      // What is not declared any more is no endpoint.
      const endpoint = this.#endpoints.get(`${row.method} ${row.path}`) ?? -1
      const caller = this.#number(row.kind, row.caller)
      this.tally.addDay({ endpoint, caller, day: number, requests, errors, bytes, first, last })
    }
  }

  /** Who the number of a caller stands for. */
  caller(number: number): Caller {
    return this.#callers[number] as Caller
  }

  #number(kind: CallerKind, name: string): number {
    const key = `${kind} ${name}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#callers.push({ kind, name }) - 1
    this.#numbers.set(key, number)
    return number
  }
}
