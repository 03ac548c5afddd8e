/** The context of rules and assignments: the caller, the time, and reads of other records. */
import type { AnyNoun, IdentityOf, RecordOf } from '@nomen/core'
import type { Caller } from './caller/caller.ts'
import type { ConditionFor } from './condition.ts'

/** The context of a rule or an assignment: the caller, the time, and reads of other records. */
export interface WriteContext {
  /** The caller of the request. */
  readonly caller: Caller
  /** The time of the write, as an ISO 8601 timestamp. */
  readonly now: string
  /**
   * Reads records in the transaction of the write, as they are before it. Visibility does not apply; with tenants, it reads
   * records of the written record's tenant. Only `async` functions can use it.
   *
   * @example
   * await read(loan).count({ member: 7, status: 'OPEN' })
   */
  readonly read: ReadRecords
}

/**
 * Reads records of a noun in the transaction of a write.
 *
 * @example
 * const open = await read(loan).count({ member: 7, status: 'OPEN' })
 */
export type ReadRecords = <N extends AnyNoun>(noun: N) => RecordReads<N>

/**
 * Reads of one noun. A condition is an object of fields that must all match, or an array of such objects, one of which must
 * match, as for custom filters.
 */
export interface RecordReads<N extends AnyNoun> {
  /**
   * Counts the records that match.
   *
   * @example
   * await read(loan).count({ member: 7, due: before(now) })
   */
  count<const Where extends boolean | object = true>(where?: Where & ConditionFor<N, Where>): Promise<number>
  /**
   * Reads the records that match, with all stored fields. Without a `limit`, it rejects if more than 1000 records match.
   *
   * @example
   * await read(invoice).list({ year: 2026 }, { sort: '-number', limit: 1 })
   */
  list<const Where extends boolean | object = true>(
    where?: Where & ConditionFor<N, Where>,
    options?: ListOptions<N>,
  ): Promise<readonly RecordOf<N>[]>
  /**
   * Reads one record; undefined if it does not exist.
   *
   * @example
   * await read(member).get(7)
   */
  get(identity: IdentityOf<N>): Promise<RecordOf<N> | undefined>
}

/** Order and maximum number of the records that `list` reads. */
export interface ListOptions<N> {
  /**
   * The field to sort by; a leading `-` sorts in descending order.
   *
   * @example
   * sort: '-number'
   *
   * @default the identity
   */
  readonly sort?: (keyof RecordOf<N> & string) | `-${keyof RecordOf<N> & string}`
  /**
   * Maximum number of records, from 1 to 1000.
   *
   * @default 1000, and an error if more records match
   */
  readonly limit?: number
}
