/** Plans and outcomes: what the request line asks of a store and what the store answers. No SQL and no HTTP in either. */
import type { AnyNoun, Operation, Page, Value } from '@nomen/core'
import type { MetricRegistry } from '../observe/metrics/registry.ts'
import type { BucketStore, RateLimit } from './rate-limit.ts'
import type { UsageStore } from './usage.ts'

/** Values by stored field name. */
export interface Values {
  readonly [field: string]: Value
}

export type Condition =
  /** Any of the fields has any of the values. */
  | { readonly kind: 'equal'; readonly fields: readonly string[]; readonly values: readonly Value[] }
  /** Any of the fields lies at or above `from`, and below `to`. */
  | { readonly kind: 'range'; readonly fields: readonly string[]; readonly from?: Value; readonly to?: Value }
  /** Any of the fields contains any of the texts, without regard to case. */
  | { readonly kind: 'search'; readonly fields: readonly string[]; readonly texts: readonly string[] }
  | PointsCondition
  | AnyCondition

/** All conditions of at least one of the alternatives are satisfied. */
export interface AnyCondition {
  readonly kind: 'any'
  /** None of its own. */
  readonly fields: readonly []
  readonly alternatives: readonly (readonly Condition[])[]
}

/** The field points at a record that satisfies all conditions; or it is null, where that counts as well. */
export interface PointsCondition {
  readonly kind: 'points'
  readonly fields: readonly string[]
  readonly noun: AnyNoun
  readonly conditions: readonly Condition[]
  readonly isNullFitting: boolean
}

/**
 * What a caller sees, by the names of nouns: of each that is named, only records that satisfy all its conditions. Records
 * that are not seen are as good as not there.
 */
export interface RowFilter {
  readonly [noun: string]: readonly Condition[]
}

export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

/** Who asks, and what that caller must be shown: a store that reads from copies of the records may be behind elsewhere. */
export interface Reader {
  /** Tells callers apart: what one has written, the same one reads. */
  readonly name: string
  /** The mark of an outcome that the caller knows of, from whichever process. One that no store has given says nothing. */
  readonly after?: string
  /** Whether it must be shown what is there now, which no copy need have. */
  readonly isCurrent?: true
}

interface Planned {
  readonly operation: Operation
  /** Absent where the store reads from no copies. */
  readonly reader?: Reader
  /** The identities in the path before the last noun. */
  readonly ancestors: readonly Value[]
  /** Absent for a caller that sees everything. */
  readonly sight?: RowFilter
}

export interface ListPlan extends Planned {
  readonly kind: 'list'
  readonly conditions: readonly Condition[]
  /** Identities of records that are in the list whatever the conditions. */
  readonly include: readonly Value[]
  readonly order: readonly Order[]
  /** Absent for a plain array. */
  readonly page?: Page
  /** Names of nouns that the caller may not read: references to their records are shown as identities, not as labels. */
  readonly unlabelled?: readonly string[]
}

export interface ReadPlan extends Planned {
  readonly kind: 'read'
  /** The identity, or the value of the lookup's field. */
  readonly key: Value
}

/** Whether the record as it is now is one that the client expects. */
export type Match = (identity: Value, version: number) => boolean

/** What is wrong with a record, and at which field. */
export interface Breach {
  readonly field?: string
  /** What happened, with the real value. */
  readonly detail: string
  /** What to do. */
  readonly hint?: string
}

/** Judges a record that is about to be written. `previous` is absent for a new one. */
export type Check = (next: Values, previous: Values | undefined) => Breach | undefined

interface WritePlan extends Planned {
  readonly now: string
}

export interface CreatePlan extends WritePlan {
  readonly kind: 'create'
  readonly values: Values
  readonly check: Check | undefined
  /** A key under which the answer is kept, and what the request said, so that a repetition can be told. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string }
}

export interface ChangePlan extends WritePlan {
  readonly kind: 'change'
  readonly key: Value
  /** None: the record is only read. */
  readonly values: Values
  readonly match: Match | undefined
  readonly check: Check | undefined
}

export interface DeletePlan extends WritePlan {
  readonly kind: 'delete'
  readonly key: Value
  readonly match: Match | undefined
  /** Shown the record as it is stored, before it goes; absent where nobody wants to see it. */
  readonly seeing?: (record: Values) => void
}

export interface LinkPlan extends WritePlan {
  readonly kind: 'link' | 'unlink'
  readonly key: Value
  /** Asked of a record that is linked. */
  readonly match: Match | undefined
  /** Whether a link that is not there is none that the client expects. */
  readonly mustBeLinked: boolean
}

export type WrittenPlan = CreatePlan | ChangePlan | DeletePlan | LinkPlan

export type Plan = ListPlan | ReadPlan | WrittenPlan

export function isRead(plan: Plan): plan is ListPlan | ReadPlan {
  return plan.kind === 'list' || plan.kind === 'read'
}

export type Outcome = (Found | { readonly kind: 'refused'; readonly refusal: Refusal }) & {
  /** What a reader names to be shown this write, and all that came before it. Only where the store reads from copies. */
  readonly mark?: string
}

type Found =
  | {
      readonly kind: 'record'
      readonly json: string
      readonly identity: Value
      readonly version: number
      readonly isReplay?: true
    }
  | { readonly kind: 'list'; readonly json: string; readonly numberOfRecords: number }
  /** There is no such record at this level of the path, or it is not related to those above it. */
  | { readonly kind: 'missing'; readonly level: number }

/** Why a write was not done. Nothing has changed then. */
export type Refusal =
  | { readonly reason: 'changed' }
  | { readonly reason: 'not-linked' }
  | { readonly reason: 'taken'; readonly taken: readonly { readonly field: string; readonly value: Value }[] }
  | { readonly reason: 'no-target'; readonly missing: readonly { readonly field: string; readonly value: Value }[] }
  | { readonly reason: 'transition'; readonly field: string; readonly from: Value; readonly to: Value }
  | { readonly reason: 'rule'; readonly breach: Breach }
  /** The caller would not see the record as it is to be, because of these fields. */
  | { readonly reason: 'out-of-sight'; readonly fields: readonly string[] }
  /** `count` is the number of those that the caller sees; none where it sees none of them. */
  | { readonly reason: 'referenced'; readonly noun: string; readonly field: string; readonly count: number }
  | { readonly reason: 'not-shared'; readonly field: string; readonly noun: string; readonly count: number }
  | { readonly reason: 'key-reused' }

/** Thrown by a store that is closed, or cannot be reached now. Nothing has changed then. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Thrown where the way to the database broke while a write was under way: it may have been done, or not. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** Thrown where a list takes longer than the store allows. */
export class QueryTimeout extends Error {
  override readonly name = 'TooExpensive'
}

/** Thrown where more lists that take long are asked for than the store reads at once. Others go on meanwhile. */
export class TooManyLists extends Error {
  override readonly name = 'TooManyLists'
}

/** How long the text of a list may be where nothing else is said, in bytes. */
export const usualListBytes = 8 * 1024 * 1024

/** Thrown where the records of a list are more text than one response may have. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number, options?: ErrorOptions) {
    super(`A list came to more than ${maxBytes} bytes.`, options)
    this.maxBytes = maxBytes
  }
}

/** Thrown where what was to be done as one took longer than it may. Nothing has changed then. */
export class TransactionTimeout extends Error {
  override readonly name = 'Overdue'
  readonly limit: number

  /** In milliseconds. */
  constructor(limit: number) {
    super(`The transaction took longer than ${limit} ms and was rolled back.`)
    this.limit = limit
  }
}

/** Several plans that are done as one. Nobody else sees anything of them before all are. */
export interface Transaction {
  /** As that of a store, beginning with what was written in it before. */
  run(plan: Plan): Outcome | Promise<Outcome>
  /** The listener is told once whether all is durable, or nothing was done. */
  atEnd(listener: (isDone: boolean) => void): void
}

export interface TogetherOptions {
  /** How long it may take, in milliseconds. */
  readonly limit: number
  /** Absent where the store reads from no copies. */
  readonly reader?: Reader | undefined
}

export type TransactionWork<Result> = (transaction: Transaction) => Promise<Result>

/** Where records are kept. */
export interface Store {
  /** Whether it reads from copies, and must know for whom. */
  readonly hasCopies?: boolean
  /** What it keeps of who calls what. */
  readonly usage: UsageStore
  /** A read may answer at once; a write answers when it is durable. */
  run(plan: Plan): Outcome | Promise<Outcome>
  /**
   * Does all plans of the work as one. Rejects with what the work throws, and then nothing is done. Where other writes stand in
   * its way it may be begun again. The mark is that of an outcome.
   */
  transaction<Result>(
    work: TransactionWork<Result>,
    options: TogetherOptions,
  ): Promise<{ readonly result: Result; readonly mark?: string | undefined }>
  /** Inserts whole rows as they stand, for sample data and bulk loads. All or nothing. Gives their number. */
  load(parts: Iterable<LoadPart>): Promise<number>
  /** Loads only where no record of any noun is there, whoever else is starting at the same time. */
  loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number>
  /** Whether no record of any noun is there. */
  isEmpty(): Promise<boolean>
  /** Rejects where the database does not answer; gives what it cannot do, where there is something. */
  check(): Promise<string | undefined>
  /** A request has come straight from its connection: nothing older than that is read for it. Absent where nothing older is. */
  arrive?(): void
  /** For how long the one has waited who has waited longest to be let to the database, to read or to write, in milliseconds. */
  wait(isWrite: boolean): number
  /** How long the process will be busy with writes that were asked for and not begun, in milliseconds. */
  readonly backlog: number
  /** The folder that it is kept in, where that is on this machine. */
  readonly folder?: string
  /** Opens buckets of requests that all processes of the database share; absent where it cannot. */
  openBank?(limit: RateLimit): Promise<BucketStore>
  /** Adds what is known of it to the metrics. */
  measure(registry: MetricRegistry): void
  close(): Promise<void>
}

/** Rows of one noun, or pairs of one link. */
export type LoadPart =
  | { readonly noun: string; readonly rows: Iterable<Readonly<Record<string, unknown>>> }
  | { readonly link: readonly [string, string]; readonly rows: Iterable<readonly [Value, Value]> }
