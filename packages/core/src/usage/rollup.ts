/** The rollup: requests that a service has counted itself, day by day, and reading them for a report. */
import type { Caller, CallerKind } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { dayLength, Tally } from './tally.ts'

/** What one caller did with one operation on one day, with answers of one class. */
export interface UsageRow {
  /** UTC: `2026-11-15`. */
  readonly day: string
  readonly method: string
  /** The template of the path; empty, like the method, for requests that were for no operation. */
  readonly path: string
  readonly kind: CallerKind
  readonly caller: string
  /** The first digit of the status. */
  readonly status: number
  readonly requests: number
  readonly bytes: number
  /** ISO, in whole seconds: `2026-11-15T03:29:00Z`. */
  readonly first: string
  readonly last: string
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

  read({ day, method, path, kind, caller: name, status, requests, bytes, first, last }: UsageRow): void {
    this.tally.addDay({
      // What is not declared any more is no endpoint.
      endpoint: this.#endpoints.get(`${method} ${path}`) ?? -1,
      caller: this.#number(kind, name),
      day: Date.parse(day) / dayLength,
      requests,
      errors: status >= 4 ? requests : 0,
      bytes,
      first: Date.parse(first),
      last: Date.parse(last),
    })
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
