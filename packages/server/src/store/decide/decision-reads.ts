/** The reads that decisions about writes need. Each driver implements them, synchronously or not. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import type { MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { ChangePlan, Condition, CreatePlan, Values } from '../plan.ts'
import type { RecordCount, Target } from './rejection.ts'

export interface DecisionReads {
  /**
   * Whether to leave missing records in the path, missing referenced records and repeated keys to constraints of the database. Then
   * they are read only to find which rejection comes first.
   */
  readonly reliesOnConstraints: boolean
  /** The outcome of the first request with the same Idempotency-Key. */
  findRepeated(plan: CreatePlan): MaybePromise<Outcome | undefined>
  /** The outcome if an ancestor of the path is missing; otherwise the targets that are missing or not visible. */
  findMissing(plan: CreatePlan | ChangePlan, targets: readonly Target[]): MaybePromise<Outcome | readonly Target[]>
  /** The conditions that the record would not satisfy after the write. */
  findUnsatisfied(plan: CreatePlan | ChangePlan, conditions: readonly Condition[]): MaybePromise<readonly Condition[]>
  /** The number of records that are linked with a record. */
  countLinked(plan: ChangePlan, link: AnyLink, noun: AnyNoun, identity: Value): MaybePromise<RecordCount>
}

/** A stored record. */
export interface CurrentRecord {
  readonly record: Values
  readonly identity: Value
  readonly version: number
}
