/** The messages between a run and its load process. */
import type { BenchRequest } from '../dialect.ts'
import type { ConnectionUse } from '../request-kind.ts'

export interface LoadOrder {
  readonly url: string
  readonly connections: number
  /** Ignored with a rate. */
  readonly connection?: ConnectionUse | undefined
  readonly requests: readonly BenchRequest[]
  readonly seconds: number
  /** Requests per second, sent at fixed times. By default, each connection sends its next request after a response. */
  readonly rate?: number
  /** Continues after the time until this many responses have come (default: 1), but at most for `overtime`. */
  readonly atLeast?: number
  /** Ends early after this many responses. */
  readonly atMost?: number
}

export interface LoadResult {
  readonly number: number
  readonly failures: number
  readonly seconds: number
  /** Milliseconds from sending a request to its complete response; with a rate, from the time at which it was due. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

/** The maximum extra time in seconds. Requests that are still pending then are not counted. */
export const overtime = 40
