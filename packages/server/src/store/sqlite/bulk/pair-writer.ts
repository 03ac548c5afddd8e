/** Writes single pairs of a link in a bulk load, inside a transaction that is open. */
import type { DatabaseSync } from 'node:sqlite'
import type { AnyLink, Value } from '@nomen/core'
import type { BulkRow, RowOutcome } from '../../bulk/bulk.ts'
import { faultOf } from '../../fault.ts'
import { existsQuery, type LinkInput, linkQuery, sharesQuery } from '../../sql/record-query.ts'
import { prepare, type Statement } from '../statement.ts'

export class SqlitePairWriter {
  readonly #link: AnyLink
  readonly #insert: Statement<LinkInput>
  readonly #shares: Statement<LinkInput> | undefined
  readonly #exist: readonly Statement<Value>[]

  constructor(database: DatabaseSync, link: AnyLink) {
    const [near, far] = link.nouns
    this.#link = link
    this.#insert = prepare(database, linkQuery(link, near, far))
    this.#shares = link.sharing === undefined ? undefined : prepare(database, sharesQuery(near, far, link.sharing))
    this.#exist = link.nouns.map((noun) => prepare<Value>(database, existsQuery(noun)))
  }

  write({ values, isBarred }: BulkRow): RowOutcome {
    if (isBarred) return { kind: 'barred' }
    const { nouns, sharing } = this.#link
    const [near, far] = nouns.map(({ name }) => values[name] as Value) as [Value, Value]
    const isShared = !this.#shares || this.#shares.first({ near, far }) !== undefined
    try {
      if (isShared)
        return this.#insert.run({ near, far }) === 1 ? { kind: 'loaded' } : { kind: 'there', isDifferent: false }
    } catch (error) {
      if (faultOf(error) !== 'no-target') throw error
    }
    const missing = nouns
      .map(({ name }, at) => ({ field: name, value: values[name] as Value, query: this.#exist[at] }))
      .filter(({ value, query }) => query?.first(value) === undefined)
      .map(({ field, value }) => ({ field, value }))
    if (missing.length > 0) return { kind: 'refused', refusal: { reason: 'no-target', missing } }
    return { kind: 'apart', shared: `${sharing}` }
  }
}
