/** How a list statement counts, starts its page, leads the planner, and checks its time limit. */
import type { Sql } from '../sql.ts'

/** Parts of a statement that avoid counting the matching records one by one. */
export interface CountParts {
  /** The total. */
  readonly total: Sql | CountingQuery
  /** The number of values of the only filter, each to be looked up separately; absent if there is at most one. */
  readonly alternatives?: number
  /**
   * The start of the page; without it, records are skipped from the first one. `source` is the table `_place`, which the others
   * read: the identity from which records are read, and how many of these to skip.
   */
  readonly pageStart?: { readonly source: Sql | CountingQuery; readonly start: Sql; readonly skip: Sql }
}

/** A query that counts some of the matching records: `countWhere` counts those that also satisfy the conditions. */
export type CountingQuery = (countWhere: (conditions: readonly Sql[]) => Sql) => Sql

/** How to read a list. */
export interface ListOptions {
  readonly counting?: CountParts | undefined
  readonly hints?: PlannerHints | undefined
  readonly guard?: Guard | undefined
  /** Without a page start: many records are skipped, from the nearer end, and only those of the page are read from the table. */
  readonly isDeep?: boolean
}

/** Conditions that are always true, evaluated during the scan, so that a statement can be stopped. */
export interface Guard {
  /** Evaluated for records that are read, by their identity; absent if these are few. */
  readonly check?: (identity: Sql) => Sql
  /** Evaluated for records of the page, each before it is written. */
  readonly show: (identity: Sql) => Sql
  /** Evaluated for every record `t` before its strings are searched. */
  readonly shortTexts: readonly Sql[]
}

/** Planner hints, for a database that plans statements before it knows their values. */
export interface PlannerHints {
  /** The number of records on the page. */
  readonly size: number
  /** The maximum number of records before the page. */
  readonly maxOffset: number
  /** The only filtered field, whose index has the list in its order. */
  readonly drivingField?: string
}
