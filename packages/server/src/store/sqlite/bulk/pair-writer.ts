/** Writes single pairs of a link in a bulk load, within an open transaction. */
import type { DatabaseSync } from 'node:sqlite'
import type { AnyLink, Value } from '@nomen/core'
import type { RowChange } from '../../bulk/async-logic-row.ts'
import type { BulkRow, RowOutcome } from '../../bulk/bulk.ts'
import { isWithinTenant } from '../../bulk/decision.ts'
import { faultOf } from '../../fault/fault.ts'
import { tenantQuery } from '../../sql/bulk-query.ts'
import { type LinkInput, linkedQuery, linkQuery, sharesQuery } from '../../sql/link-query.ts'
import { existsQuery } from '../../sql/record-query.ts'
import { prepare, type Statement } from '../statement.ts'

export class SqlitePairWriter {
  readonly #link: AnyLink
  readonly #insertStatement: Statement<LinkInput>
  readonly #linkedStatement: Statement<LinkInput>
  readonly #sharesStatement: Statement<LinkInput> | undefined
  readonly #existsStatements: readonly Statement<Value>[]
  /** The tenants of both records; undefined if all tenants share one of the nouns. */
  readonly #tenantStatements: readonly [Statement<Value>, Statement<Value>] | undefined

  constructor(database: DatabaseSync, link: AnyLink) {
    const [first, second] = link.nouns
    this.#link = link
    this.#insertStatement = prepare(database, linkQuery(link, first, second))
    this.#linkedStatement = prepare(database, linkedQuery(link, first, second))
    this.#sharesStatement =
      link.sharing === undefined ? undefined : prepare(database, sharesQuery(first, second, link.sharing))
    this.#tenantStatements = isWithinTenant(link)
      ? [prepare(database, tenantQuery(first)), prepare(database, tenantQuery(second))]
      : undefined
    this.#existsStatements = link.nouns.map((noun) => prepare<Value>(database, existsQuery(noun)))
  }

  /** The change of a pair before its rules are checked; or its outcome, if nothing needs to be written. */
  plan(row: BulkRow): RowChange | RowOutcome {
    if (row.cannotInsert) return { kind: 'not-insertable' }
    const pair = this.#pairOf(row)
    const rejection = this.#rejection(row, this.#isShared(pair))
    if (rejection) return rejection
    return this.#linkedStatement.first(pair) ? { kind: 'unchanged', isDifferent: false } : { next: row.values }
  }

  write(row: BulkRow): RowOutcome {
    if (row.cannotInsert) return { kind: 'not-insertable' }
    const pair = this.#pairOf(row)
    const isShared = this.#isShared(pair)
    if (this.#hasOtherTenant(pair)) return { kind: 'mismatch', shared: 'tenant' }
    try {
      if (isShared)
        return this.#insertStatement.run(pair) === 1 ? { kind: 'loaded' } : { kind: 'unchanged', isDifferent: false }
    } catch (error) {
      const rejection = faultOf(error) === 'no-target' ? this.#rejection(row, isShared) : undefined
      if (!rejection) throw error
      return rejection
    }
    return this.#rejection(row, isShared) as RowOutcome
  }

  #pairOf({ values }: BulkRow): LinkInput {
    const [first, second] = this.#link.nouns.map(({ name }) => values[name] as Value) as [Value, Value]
    return { first, second }
  }

  #isShared(pair: LinkInput): boolean {
    return !this.#sharesStatement || this.#sharesStatement.first(pair) !== undefined
  }

  /** Whether the records exist and have different tenants. */
  #hasOtherTenant({ first, second }: LinkInput): boolean {
    if (!this.#tenantStatements) return false
    const [firstRow, secondRow] = [this.#tenantStatements[0].first(first), this.#tenantStatements[1].first(second)]
    return firstRow !== undefined && secondRow !== undefined && firstRow[0] !== secondRow[0]
  }

  /** Why the two records cannot be linked: one does not exist, or they do not share a tenant or a value. */
  #rejection(row: BulkRow, isShared: boolean): RowOutcome | undefined {
    const { values } = row
    const { nouns, sharing } = this.#link
    const missing = nouns
      .map(({ name }, index) => ({ field: name, value: values[name] as Value, query: this.#existsStatements[index] }))
      .filter(({ value, query }) => query?.first(value) === undefined)
      .map(({ field, value }) => ({ field, value }))
    if (missing.length > 0) return { kind: 'rejected', rejection: { reason: 'no-target', missing } }
    if (this.#hasOtherTenant(this.#pairOf(row))) return { kind: 'mismatch', shared: 'tenant' }
    return isShared ? undefined : { kind: 'mismatch', shared: `${sharing}` }
  }
}
