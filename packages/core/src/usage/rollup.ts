/** Rollups: the daily counts of a service, and reading them for a report. */
import type { Caller, CallerKind } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { dayMs, Tally } from './tally.ts'

/** The requests of one caller to one operation on one day. */
export interface CallerDay {
  readonly method: string
  /** The path template; empty, like the method, for requests to other paths. */
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

/**
 * Reads the daily counts (rollups) of a service for a usage report.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * const reader = new RollupReader(endpoints)
 * reader.read('2026-11-15', [])
 * usageReport(endpoints, reader, 30).requests // 0
 * ```
 */
export class RollupReader {
  readonly tally: Tally
  readonly #endpoints: ReadonlyMap<string, number>
  readonly #numbers = new Map<string, number>()
  readonly #callers: Caller[] = []

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = new Map(endpoints.map(({ method, path }, index) => [`${method} ${path}`, index]))
    this.tally = new Tally(endpoints.length)
  }

  /** Reads the counts of a day such as `2026-11-15`. */
  read(day: string, rows: Iterable<CallerDay>): void {
    const number = Date.parse(day) / dayMs
    for (const row of rows) {
      const { requests, errors, bytes, first, last } = row
      // Operations that are no longer declared have no endpoint.
      const endpoint = this.#endpoints.get(`${row.method} ${row.path}`) ?? -1
      const caller = this.#number(row.kind, row.caller)
      this.tally.addDay({ endpoint, caller, day: number, requests, errors, bytes, first, last })
    }
  }

  /** The caller with this number. */
  caller(number: number): Caller {
    return this.#callers[number] as Caller
  }

  #number(kind: CallerKind, name: string): number {
    const key = `${kind} ${name}`
    const existing = this.#numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.#callers.push({ kind, name }) - 1
    this.#numbers.set(key, number)
    return number
  }
}
