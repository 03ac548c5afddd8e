/** Plans: what the pipeline asks of a store, without SQL and without HTTP. */
import type { AnyNoun, Operation, Page, Value } from '@nomen/core'
import type { Breach } from './outcome.ts'

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

/** The field points at a record that satisfies all conditions; or it is null, if that counts as well. */
export interface PointsCondition {
  readonly kind: 'points'
  readonly fields: readonly string[]
  readonly noun: AnyNoun
  readonly conditions: readonly Condition[]
  readonly isNullFitting: boolean
}

/**
 * The records that a caller sees, by the names of nouns: of each noun that is named, only records that satisfy all its
 * conditions. To the caller, all others do not exist.
 */
export interface RowFilter {
  readonly [noun: string]: readonly Condition[]
}

export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

/** The caller of a read, and how current its data must be: a store that reads from replicas may be behind. */
export interface Reader {
  /** Tells callers apart: each reads its own writes. */
  readonly name: string
  /** The mark of an outcome that the caller knows, from any process. A mark that no store has given says nothing. */
  readonly after?: string
  /** Whether it must read the latest data, which a replica may not have. */
  readonly isCurrent?: true
}

interface Planned {
  readonly operation: Operation
  /** Absent if the store has no replicas. */
  readonly reader?: Reader
  /** The identities in the path before the last noun. */
  readonly ancestors: readonly Value[]
  /** Absent for a caller that sees everything. */
  readonly rowFilter?: RowFilter
}

export interface ListPlan extends Planned {
  readonly kind: 'list'
  readonly conditions: readonly Condition[]
  /** Identities of records that are in the list whatever the conditions. */
  readonly include: readonly Value[]
  readonly order: readonly Order[]
  /** Absent for a plain array. */
  readonly page?: Page
  /** Names of nouns that the caller may not read: references to them are shown as identities, not as labels. */
  readonly unlabelled?: readonly string[]
}

export interface ReadPlan extends Planned {
  readonly kind: 'read'
  /** The identity, or the value of the lookup's field. */
  readonly key: Value
}

/** Whether the client expects the record at its current version. */
export type Match = (identity: Value, version: number) => boolean

/** Checks a record that is about to be written. `previous` is absent for a new one. */
export type Check = (next: Values, previous: Values | undefined) => Breach | undefined

interface WritePlan extends Planned {
  readonly now: string
}

export interface CreatePlan extends WritePlan {
  readonly kind: 'create'
  readonly values: Values
  readonly check: Check | undefined
  /** The Idempotency-Key, and a fingerprint of the request that tells a repetition from another request. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string }
}

export interface ChangePlan extends WritePlan {
  readonly kind: 'change'
  readonly key: Value
  /** If there are none, the record is only read. */
  readonly values: Values
  readonly match: Match | undefined
  readonly check: Check | undefined
}

export interface DeletePlan extends WritePlan {
  readonly kind: 'delete'
  readonly key: Value
  readonly match: Match | undefined
  /** Called with the record as it is stored, before it is deleted. */
  readonly seeing?: (record: Values) => void
}

export interface LinkPlan extends WritePlan {
  readonly kind: 'link' | 'unlink'
  readonly key: Value
  /** Checked if the record is linked. */
  readonly match: Match | undefined
  /** Whether the write is refused if the record is not linked. */
  readonly mustBeLinked: boolean
}

export type WrittenPlan = CreatePlan | ChangePlan | DeletePlan | LinkPlan

export type Plan = ListPlan | ReadPlan | WrittenPlan

export function isRead(plan: Plan): plan is ListPlan | ReadPlan {
  return plan.kind === 'list' || plan.kind === 'read'
}
