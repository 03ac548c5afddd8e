/** Outcomes: what a store answers to a plan, and why it refuses one. */
import type { Value } from '@nomen/core'

/** What is wrong with a record, and at which field. */
export interface Breach {
  readonly field?: string
  /** What happened, with the real value. */
  readonly detail: string
  /** What to do. */
  readonly hint?: string
}

export type Outcome = (Found | { readonly kind: 'refused'; readonly refusal: Refusal }) & {
  /** A reader that names it sees this write, and all before it. Only if the store has replicas. */
  readonly position?: string
}

export interface RecordOutcome {
  readonly kind: 'record'
  readonly json: string
  readonly identity: Value
  readonly version: number
  readonly isReplay?: true
}

type Found =
  | RecordOutcome
  | { readonly kind: 'list'; readonly json: string; readonly numberOfRecords: number }
  /** The record at this level of the path does not exist, or is not related to those above it. */
  | { readonly kind: 'missing'; readonly level: number }

/** Why a write was refused. Nothing has changed then. */
export type Refusal =
  | { readonly reason: 'changed' }
  | { readonly reason: 'not-linked' }
  | { readonly reason: 'taken'; readonly taken: readonly { readonly field: string; readonly value: Value }[] }
  | { readonly reason: 'no-target'; readonly missing: readonly { readonly field: string; readonly value: Value }[] }
  | { readonly reason: 'transition'; readonly field: string; readonly from: Value; readonly to: Value }
  | { readonly reason: 'rule'; readonly breach: Breach }
  /** The caller would not see the record as it is to be, because of these fields. */
  | { readonly reason: 'out-of-sight'; readonly fields: readonly string[] }
  /** `count` is the number of records that the caller sees. */
  | { readonly reason: 'referenced'; readonly noun: string; readonly field: string; readonly count: number }
  | { readonly reason: 'not-shared'; readonly field: string; readonly noun: string; readonly count: number }
  | { readonly reason: 'key-reused' }
