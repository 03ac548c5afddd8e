/** What the load process is told, and what it answers. */
import type { BenchRequest } from '../dialect.ts'

export interface LoadOrder {
  readonly url: string
  readonly connections: number
  readonly requests: readonly BenchRequest[]
  readonly seconds: number
  /** Goes on past the time until so many are answered, 1 unless given, but for no more than `overtime`. */
  readonly atLeast?: number
  /** Ends before the time when so many are answered. */
  readonly atMost?: number
}

export interface LoadResult {
  readonly number: number
  readonly failures: number
  readonly seconds: number
  /** Milliseconds from sending a request to its whole answer. */
  readonly p50: number
  readonly p99: number
}

/** Seconds that a load may go on past its time. What is not answered then counts neither as answered nor as failed. */
export const overtime = 40
