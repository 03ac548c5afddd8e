/** Outcomes: the results of plans, and the reasons why a write is rejected. */
import type { Value } from '@nomen/core'

/** A violated rule of a record, and its field. */
export interface Breach {
  readonly field?: string
  /** The violation, with the actual value. */
  readonly detail: string
  /** Advice for the client. */
  readonly hint?: string
}

export type Outcome = (ReadOutcome | ErasedOutcome | { readonly kind: 'rejected'; readonly rejection: Rejection }) & {
  /** The position of this write. A reader that sends it sees this write and all earlier ones. Only with replicas. */
  readonly position?: string
}

/** One step of an erasure. */
export interface ErasedOutcome {
  readonly kind: 'erased'
  /** The ID from which the next step continues; absent if everything is erased. */
  readonly next?: number
}

export interface RecordOutcome {
  readonly kind: 'record'
  readonly json: string
  readonly identity: Value
  readonly version: number
  readonly isReplay?: true
  /** Distinguishes responses of one version: a hash of the fields that change while the record stays the same. */
  readonly variant?: string
}

export interface ListOutcome {
  readonly kind: 'list'
  readonly json: string
  readonly numberOfRecords: number
  /** Present if the client follows changes: the ID after which to continue. */
  readonly next?: number
}

type ReadOutcome =
  | RecordOutcome
  | ListOutcome
  /** The record at this level of the path does not exist, or is not related to those above it. */
  | { readonly kind: 'missing'; readonly level: number }

/** A reference to a record that does not exist. */
export interface MissingTarget {
  readonly field: string
  readonly value: Value
  /** The tenant of the record, if it exists but belongs to another tenant. Only a bulk load, which has no tenant, reveals it. */
  readonly tenant?: Value
}

/** Why a write was rejected. Nothing was changed. */
export type Rejection =
  | { readonly reason: 'precondition' }
  | { readonly reason: 'not-linked' }
  | { readonly reason: 'taken'; readonly taken: readonly { readonly field: string; readonly value: Value }[] }
  | { readonly reason: 'no-target'; readonly missing: readonly MissingTarget[] }
  | { readonly reason: 'transition'; readonly field: string; readonly from: Value; readonly to: Value }
  | { readonly reason: 'rule'; readonly breach: Breach }
  /** The caller could not see the record after the write, because of these fields. */
  | { readonly reason: 'out-of-sight'; readonly fields: readonly string[] }
  /** `count` is the number of records that the caller sees. */
  | { readonly reason: 'referenced'; readonly noun: string; readonly field: string; readonly count: number }
  | { readonly reason: 'shared-value'; readonly field: string; readonly noun: string; readonly count: number }
  | { readonly reason: 'key-reused' }
