/** The messages between a run and its load process. */
import type { BenchRequest } from '../dialect.ts'

export interface LoadOrder {
  readonly url: string
  readonly connections: number
  readonly requests: readonly BenchRequest[]
  readonly seconds: number
  /** Continues after the time until this many responses have come (default: 1), but at most for `overtime`. */
  readonly atLeast?: number
  /** Ends early after this many responses. */
  readonly atMost?: number
}

export interface LoadResult {
  readonly number: number
  readonly failures: number
  readonly seconds: number
  /** Milliseconds from sending a request to its complete response. */
  readonly p50: number
  readonly p99: number
}

/** The maximum extra time in seconds. Requests that are still pending then are not counted. */
export const overtime = 40
