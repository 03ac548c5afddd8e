/** The interfaces of a store, one for each part of the service that uses it. */
import type { Value } from '@nomen/core'
import type { MetricRegistry } from '../observe/metrics/registry.ts'
import type { ConsumerStore } from './consumer.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, Reader } from './plan.ts'
import type { BucketStore, RateLimit } from './rate-limit.ts'
import type { UsageStore } from './usage.ts'

/** The default limit on the size of a list, in bytes. */
export const defaultListBytes = 8 * 1024 * 1024

/** Called with faults of background work. */
export type StoreFaultListener = (message: string, error: unknown) => void

/** Several plans in one transaction. Other requests see nothing of it before it commits. */
export interface Transaction {
  /** Like `run` of a store. It sees the earlier writes of the transaction. */
  run(plan: Plan): Outcome | Promise<Outcome>
  /** Calls the listener once: true after the commit, false after a rollback. */
  atEnd(listener: (isCommitted: boolean) => void): void
}

export interface TransactionOptions {
  /** The time limit, in milliseconds. */
  readonly limitMs: number
  /** Absent if the store has no read replicas. */
  readonly reader?: Reader | undefined
}

export type TransactionWork<Result> = (transaction: Transaction) => Promise<Result>

/** Reads and writes records: for the pipeline. */
export interface RecordStore {
  /** Whether it reads from replicas, and so needs the caller of each read. */
  readonly hasReplicas?: boolean
  /** A read may return its outcome synchronously; a write returns it when it is durable. */
  run(plan: Plan): Outcome | Promise<Outcome>
  /**
   * Runs all plans of the work in one transaction. If the work fails, everything is rolled back, and the promise rejects
   * with its error. If other writes interfere, the work may run again. `position` is that of an outcome.
   */
  transaction<Result>(
    work: TransactionWork<Result>,
    options: TransactionOptions,
  ): Promise<{ readonly result: Result; readonly position?: string | undefined }>
}

/** How far the history can be followed. */
export interface HistoryPosition {
  /** The highest ID up to which no further entry can appear: a follower that has read up to it has missed none. */
  readonly settled: number
  /** The last allocated ID, which may belong to a transaction in flight. */
  readonly newest: number
}

/** For followers of changes. */
export interface HistoryStore {
  /** Call it only if the service records a history. */
  historyPosition(): Promise<HistoryPosition>
}

/** Rows of one noun, or pairs of one link. */
export type LoadPart =
  | { readonly noun: string; readonly rows: Iterable<Readonly<Record<string, unknown>>> }
  | { readonly link: readonly [string, string]; readonly rows: Iterable<readonly [Value, Value]> }

/** Inserts whole rows unchanged, all or none: for sample data. */
export interface SampleStore {
  /** Returns the number of rows. Loads only if no noun has records, even if other processes start at the same time. */
  loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number>
  /** Whether no noun has records. */
  isEmpty(): Promise<boolean>
}

/** How busy the database is: for load shedding. */
export interface StoreLoad {
  /** Called when a request arrives: it must not read older data. Absent if older data is never read. */
  onRequest?(): void
  /** Age of the oldest request that waits for a connection, to read or to write, in milliseconds. */
  waitMs(isWrite: boolean): number
  /** How long the waiting writes will keep the process busy, in milliseconds. */
  readonly backlogMs: number
}

/** A restriction of the database. */
export interface StoreIssue {
  readonly detail: string
  /** Whether records can be read. */
  readonly isReadable: boolean
}

/** Health and metrics: for monitoring. */
export interface MonitoredStore {
  /** Rejects if the database does not respond; returns its current restriction, if there is one. */
  check(): Promise<StoreIssue | undefined>
  /** Changes with every migration, by any process. */
  schemaVersion(): Promise<string>
  /** The folder of the database, if it is on this machine. */
  readonly folder?: string
  /** Adds the metrics of the database. */
  measure(registry: MetricRegistry): void
}

/** Counts requests for all processes that share the database: for the rate limit. */
export interface RateLimitStore {
  /** Absent if the database does not support it. */
  openBuckets?(limit: RateLimit): BucketStore
}

/** The whole interface, for the assembly of a service. */
export interface Store extends RecordStore, HistoryStore, SampleStore, StoreLoad, MonitoredStore, RateLimitStore {
  /** Counts of the requests by operation and caller. */
  readonly usage: UsageStore
  /** The progress of webhooks and durable hooks. */
  readonly consumers: ConsumerStore
  close(): Promise<void>
}
