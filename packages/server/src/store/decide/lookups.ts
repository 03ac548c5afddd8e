/** The questions that a decision asks of a database. Each driver answers at once, or with a promise. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import type { MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { ChangePlan, CreatePlan, Values } from '../plan.ts'
import type { Counted, Target } from './refusal.ts'

export interface Lookups {
  /**
   * Whether the database refuses missing ancestors, missing targets and repeated keys when it writes. If so, they are
   * looked up only to find out which refusal comes first.
   */
  readonly isEnforced: boolean
  /** The outcome of the first request with the same Idempotency-Key. */
  repeated(plan: CreatePlan): MaybePromise<Outcome | undefined>
  /** The outcome if an ancestor of the path is missing, else the targets that are missing or not visible. */
  missing(plan: CreatePlan | ChangePlan, targets: readonly Target[]): MaybePromise<Outcome | readonly Target[]>
  /** How many records a record is linked with. */
  linked(plan: ChangePlan, link: AnyLink, noun: AnyNoun, identity: Value): MaybePromise<Counted>
}

/** A record as it is stored. */
export interface Current {
  readonly record: Values
  readonly identity: Value
  readonly version: number
}
