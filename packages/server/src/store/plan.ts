/** Plans: the reads and writes that the pipeline gives to a store, without SQL and without HTTP. */
import type { AnyLink, AnyNoun, Operation, Page, Value } from '@nomen/core'
import type { Breach, Outcome } from './outcome.ts'

/** Values by stored field name. */
export interface Values {
  readonly [field: string]: Value
}

export type Condition =
  /** Any of the fields has any of the values. */
  | { readonly kind: 'equal'; readonly fields: readonly string[]; readonly values: readonly Value[] }
  /** Any of the fields is at least `from` and less than `to`. */
  | { readonly kind: 'range'; readonly fields: readonly string[]; readonly from?: Value; readonly to?: Value }
  /** Any of the fields contains any of the terms, ignoring case, and accents if the field declares it. */
  | { readonly kind: 'search'; readonly fields: readonly string[]; readonly terms: readonly string[] }
  /** For history entries: the change touched a field of the record that is in `names`. The entry has these names in its own field `fields`. */
  | { readonly kind: 'changed-field'; readonly fields: readonly ['fields']; readonly names: readonly string[] }
  | ReferenceCondition
  | RelatedCondition
  | CurrentRecordCondition
  | BeforeOrAfterCondition
  | AnyCondition

/** All conditions of at least one of the alternatives are satisfied. */
export interface AnyCondition {
  readonly kind: 'any'
  /** Always empty: the fields are in the alternatives. */
  readonly fields: readonly []
  readonly alternatives: readonly (readonly Condition[])[]
}

/** The field refers to a record that satisfies all conditions. With `allowsNull`, it may also be null. */
export interface ReferenceCondition {
  readonly kind: 'reference'
  readonly fields: readonly string[]
  readonly noun: AnyNoun
  readonly conditions: readonly Condition[]
  readonly allowsNull: boolean
}

/**
 * As in SQL: `<field> in (select <select> from <noun> where <conditions>)`, for an identity or a reference. With `link`, the field
 * is the identity, and the record is linked with at least one record of `noun` that satisfies `conditions`. The database
 * evaluates the subquery first, so that it can use the index of the field.
 */
export interface RelatedCondition {
  readonly kind: 'related'
  readonly fields: readonly [string]
  readonly noun: AnyNoun
  readonly select: string
  readonly conditions: readonly Condition[]
  readonly link?: AnyLink
}

/**
 * For history entries of records of one noun or link: the record must satisfy all conditions. Other entries always match.
 * A deleted record is checked by its last values. Its last values can be compared only if every condition is of kind `equal`, has no
 * null, and is on texts, emails, GUIDs, choices, integers, identities or references. Otherwise, its entries do not match.
 */
export interface CurrentRecordCondition {
  readonly kind: 'current-record'
  /** The field of the entry that names the record, such as `user/7`. */
  readonly fields: readonly ['record' | 'linked']
  /** The name of the noun or link in the entry. */
  readonly entryNoun: string
  readonly noun: AnyNoun
  readonly conditions: readonly Condition[]
}

/** For history entries of records of one noun: the record satisfies all conditions before the change, or all of them after it. */
export interface BeforeOrAfterCondition {
  readonly kind: 'before-or-after'
  readonly fields: readonly ['record']
  readonly noun: AnyNoun
  readonly conditions: readonly Extract<Condition, { kind: 'equal' }>[]
  /** Present if the plan reads only entries in this range of IDs: at least `from` and less than `to`. */
  readonly range?: { readonly from: number; readonly to: number }
}

/** The fields of the record itself that a condition depends on. */
export function ownFields(condition: Condition): readonly string[] {
  return condition.kind === 'any' ? condition.alternatives.flat().flatMap(ownFields) : condition.fields
}

/**
 * The row-level visibility of a caller, by noun: only records that satisfy all conditions of their noun are visible. The caller
 * gets the same responses as if the others did not exist, with three exceptions:
 *
 * - A write gets 409 if an invisible record already has the unique value that it sets.
 * - An invisible record can block a delete, or the change of a value that linked records share.
 * - A reference to an invisible record is shown as its ID instead of its label.
 */
export interface RowFilter {
  readonly [noun: string]: readonly Condition[]
}

export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

/** The caller of a read, and how current its data must be: replicas may lag behind. */
export interface Reader {
  /** Identifies the caller: each caller reads its own writes. */
  readonly name: string
  /**
   * A position in the write-ahead log of PostgreSQL, which the caller has received with a response of any process (X-Read-After).
   * The read sees at least the state at this position. A position beyond the end of the log is ignored.
   */
  readonly position?: string
  /** Whether the caller must read the latest data, which a replica may not have. */
  readonly isCurrent?: true
}

interface PlanBase {
  readonly operation: Operation
  /** Absent if the store has no replicas. */
  readonly reader?: Reader
  /** The identities in the path before the last noun. */
  readonly ancestors: readonly Value[]
  /** Absent for a caller that sees everything. */
  readonly rowFilter?: RowFilter
}

export interface ListPlan extends PlanBase {
  readonly kind: 'list'
  readonly conditions: readonly Condition[]
  /** Identities of records that are in the list even if the conditions exclude them. */
  readonly include: readonly Value[]
  readonly order: readonly Order[]
  /** Absent for a plain array. */
  readonly page?: Page
  /** False for a page whose total is not needed: its `numberOfRecords` is 0. */
  readonly isCounted?: false
  /** Names of nouns that the caller may not read: references to them are shown as identities, not as labels. */
  readonly unlabelled?: readonly string[]
}

export interface ReadPlan extends PlanBase {
  readonly kind: 'read'
  /** The identity, or the value of the lookup's field. */
  readonly key: Value
}

/** Whether If-Match and If-None-Match of the request allow the change of a record at this version. */
export type MeetsPreconditions = (identity: Value, version: number) => boolean

/** Checks a record that is about to be written. `previous` is absent for a new one. */
export type Check = (next: Values, previous: Values | undefined) => Breach | undefined

/** The values that the service sets itself in a record that is about to be written. `previous` is absent for a new one. */
export type Assign = (next: Values, previous: Values | undefined) => Values

/** Assignments and rules that read other records, so they must run in the transaction of the write. */
export type AsyncLogic = (
  next: Values,
  previous: Values | undefined,
  run: (plan: ListPlan | ReadPlan) => Outcome | Promise<Outcome>,
) => Promise<{ readonly values: Values } | { readonly breach: Breach }>

/** Who makes a change, for its history entry. */
export interface Origin {
  readonly user?: string | undefined
  readonly application?: string | undefined
  /** The ID of the request. */
  readonly request?: string | undefined
}

/** The origins of records that are written without a request. */
export const loadOrigin: Origin = { application: 'nomen load' }
export const sampleOrigin: Origin = { application: 'sample' }

interface WritePlanBase extends PlanBase {
  /** The time of the write; empty for an erasure, which writes no times. */
  readonly now: string
  /** Absent if the service records no history, and for writes of its own, such as an erasure or the state of a webhook. */
  readonly origin?: Origin
}

export interface CreatePlan extends WritePlanBase {
  readonly kind: 'create'
  readonly values: Values
  /** Present if a record is restored: its version. Then `values` include the identity. */
  readonly version?: number
  readonly check: Check | undefined
  /** For the pipeline, which opens the transaction; a store ignores it. */
  readonly asyncLogic?: AsyncLogic
  /** The Idempotency-Key, and a fingerprint of the request that distinguishes a retry from another request. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string }
}

export interface ChangePlan extends WritePlanBase {
  readonly kind: 'change'
  readonly key: Value
  /** If empty, the record is only read. */
  readonly values: Values
  readonly meetsPreconditions: MeetsPreconditions | undefined
  /** Called before `check` and before every other check of the values. */
  readonly assign?: Assign | undefined
  readonly check: Check | undefined
  /** For the pipeline, which opens the transaction; a store ignores it. */
  readonly asyncLogic?: AsyncLogic
}

export interface DeletePlan extends WritePlanBase {
  readonly kind: 'delete'
  readonly key: Value
  readonly meetsPreconditions: MeetsPreconditions | undefined
  /** Called with the record as it was before the delete. */
  readonly onRecord?: (record: Values) => void
}

export interface LinkPlan extends WritePlanBase {
  readonly kind: 'link' | 'unlink'
  readonly key: Value
  /** Checked if the record is linked. */
  readonly meetsPreconditions: MeetsPreconditions | undefined
  /**
   * Whether the request has If-Match. Only an existing link can match it, so a `link` of records that are not linked yet is
   * rejected. For an `unlink`, it has no effect.
   */
  readonly mustBeLinked: boolean
  /** Called if the link is to be added or removed. Its argument has the two identities, with the names of the nouns as keys. */
  readonly check: Check | undefined
  /** For the pipeline, which opens the transaction; a store ignores it. */
  readonly asyncLogic?: AsyncLogic
}

/** One step of an erasure of history. The transaction runs further steps until an outcome has no `next`. */
export interface ErasePlan extends WritePlanBase {
  readonly kind: 'erase'
  /** The ID of the ERASED entry of the record, which the transaction has created before the first step. */
  readonly key: number
  /** The `next` of the previous step. The first step has none. */
  readonly from?: number
}

export type WritePlan = CreatePlan | ChangePlan | DeletePlan | LinkPlan | ErasePlan

export type Plan = ListPlan | ReadPlan | WritePlan

export function isRead(plan: Plan): plan is ListPlan | ReadPlan {
  return plan.kind === 'list' || plan.kind === 'read'
}
