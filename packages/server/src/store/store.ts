/** The interfaces of a store, by who uses them. */
import type { Value } from '@nomen/core'
import type { MetricRegistry } from '../observe/metrics/registry.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, Reader } from './plan.ts'
import type { BucketStore, RateLimit } from './rate-limit.ts'
import type { UsageStore } from './usage.ts'

/** The default limit on the text of a list, in bytes. */
export const defaultListBytes = 8 * 1024 * 1024

/** Several plans in one transaction. No other request sees anything of them before all are done. */
export interface Transaction {
  /** As that of a store, beginning with what the transaction wrote before. */
  run(plan: Plan): Outcome | Promise<Outcome>
  /** Calls the listener once: true if all is durable, false if nothing was done. */
  atEnd(listener: (isDone: boolean) => void): void
}

export interface TransactionOptions {
  /** How long it may take, in milliseconds. */
  readonly limit: number
  /** Absent if the store reads from no copies. */
  readonly reader?: Reader | undefined
}

export type TransactionWork<Result> = (transaction: Transaction) => Promise<Result>

/** Reads and writes records: for the pipeline. */
export interface RecordStore {
  /** Whether it reads from copies, and must know for whom. */
  readonly hasReplicas?: boolean
  /** A read may give its outcome at once; a write gives it when it is durable. */
  run(plan: Plan): Outcome | Promise<Outcome>
  /**
   * Runs all plans of the work in one transaction. Rejects with the error of the work, and then nothing is done. If other
   * writes are in the way, the work may be run again. The mark is that of an outcome.
   */
  transaction<Result>(
    work: TransactionWork<Result>,
    options: TransactionOptions,
  ): Promise<{ readonly result: Result; readonly position?: string | undefined }>
}

/** Rows of one noun, or pairs of one link. */
export type LoadPart =
  | { readonly noun: string; readonly rows: Iterable<Readonly<Record<string, unknown>>> }
  | { readonly link: readonly [string, string]; readonly rows: Iterable<readonly [Value, Value]> }

/** Takes whole rows as they are, all or none: for sample data. Both loads give the number of rows. */
export interface SampleStore {
  load(parts: Iterable<LoadPart>): Promise<number>
  /** Loads only if no noun has records, also if other processes start at the same time. */
  loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number>
  /** Whether no noun has records. */
  isEmpty(): Promise<boolean>
}

/** How busy the database is: for load shedding. */
export interface StoreLoad {
  /** A request has come straight from its connection: nothing older is read for it. Absent if nothing older is ever read. */
  arrive?(): void
  /** Age of the oldest request that waits for a connection, to read or to write, in milliseconds. */
  wait(isWrite: boolean): number
  /** How long the writes that wait will keep the process busy, in milliseconds. */
  readonly backlog: number
}

/** Health and metrics: for monitoring. */
export interface MonitoredStore {
  /** Rejects if the database does not respond; gives what it cannot do, if there is something. */
  check(): Promise<string | undefined>
  /** The folder of the database, if it is on this machine. */
  readonly folder?: string
  /** Adds the metrics of the database. */
  measure(registry: MetricRegistry): void
}

/** Counts requests for all processes that share the database: for the rate limit. */
export interface RateLimitStore {
  /** Absent if the database cannot. */
  openBank?(limit: RateLimit): Promise<BucketStore>
}

/** All of it: where the service is assembled. */
export interface Store extends RecordStore, SampleStore, StoreLoad, MonitoredStore, RateLimitStore {
  /** Counts of the requests by operation and caller. */
  readonly usage: UsageStore
  close(): Promise<void>
}
