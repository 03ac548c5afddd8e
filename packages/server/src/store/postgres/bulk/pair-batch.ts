/** Writes the pairs of a link that belong to one batch, inside a transaction that is open. */
import { type AnyLink, type AnyNoun, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { BulkRow, RowOutcome } from '../../bulk/bulk.ts'
import { refusedRow } from '../../bulk/decision.ts'
import { fieldOf, nounOf, type Schema } from '../../migrate/schema.ts'
import { column, slot, table } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'
import { columnName, pairColumn, tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { typeOf } from '../migrate/table.ts'
import { identifier } from '../name.ts'
import { compile } from '../statement.ts'
import { identityOf } from './lookup.ts'
import { recordset, recordsetText } from './recordset.ts'

/** What linked records share, by their identities; null where the link demands nothing. */
type Shared = ReadonlyMap<Value, unknown>

export class PairBatch {
  readonly #client: ClientBase
  readonly #link: AnyLink
  readonly #insertText: string

  constructor(client: ClientBase, link: AnyLink, schema: Schema) {
    this.#client = client
    this.#link = link
    const columns = link.nouns.map((noun) => ({
      name: pairColumn(link, noun),
      type: typeOf(fieldOf(nounOf(schema, tableName(noun)), columnName(noun, noun.identity))),
    }))
    const names = columns.map(({ name }) => identifier(name)).join(', ')
    this.#insertText = `insert into ${identifier(tableName(link))} (${names})
select ${names}
from ${recordset(columns)}
on conflict do nothing
returning ${names}`
  }

  async write(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    const whole = rows.filter(({ isBarred }) => !isBarred)
    if (whole.length === 0) return rows.map(() => ({ kind: 'barred' }))
    const [near, far] = this.#link.nouns
    const sides: [Shared, Shared] = [await this.#shared(near, whole), await this.#shared(far, whole)]
    const faults = new Map(rows.map((row) => [row, this.#fault(row, sides)]))
    const fresh = await this.#insert(rows.filter((row) => faults.get(row) === undefined))
    return rows.map((row) => {
      const fault = faults.get(row)
      if (fault) return fault
      // Of equal pairs, the first is the new one.
      return fresh.delete(this.#keyOf(row)) ? { kind: 'loaded' } : { kind: 'there', isDifferent: false }
    })
  }

  #fault({ values, isBarred }: BulkRow, [near, far]: readonly [Shared, Shared]): RowOutcome | undefined {
    if (isBarred) return { kind: 'barred' }
    const { nouns, sharing } = this.#link
    const [one, other] = nouns.map(({ name }) => values[name] as Value) as [Value, Value]
    const missing = nouns
      .map(({ name }) => ({ field: name, value: values[name] as Value }))
      .filter(({ value }, at) => !(at === 0 ? near : far).has(value))
    if (missing.length > 0) return refusedRow({ reason: 'no-target', missing })
    const isShared = sharing === undefined || near.get(one) === far.get(other)
    return isShared ? undefined : { kind: 'apart', shared: sharing }
  }

  /** Records that are there. Where they must share something, they are held, so that they go on sharing it. */
  async #shared(noun: AnyNoun, rows: readonly BulkRow[]): Promise<Shared> {
    const { sharing } = this.#link
    const spec = specOf(noun, noun.identity)
    const key = column(noun, noun.identity)
    const list = slot<readonly Value[]>((identities) => dialect.listValue(spec, identities))
    const [shared, held] = sharing === undefined ? [sql`null`, sql``] : [column(noun, sharing), sql` for share of t`]
    const { text, bind } = compile<readonly Value[]>(
      sql`select ${key}, ${shared}
from ${table(noun)} as t
where ${dialect.isAnyOf(spec, key, list)}
order by ${key}${held}`,
    )
    const identities = [...new Set(rows.map(({ values }) => values[noun.name] as Value))]
    const { rows: found } = await this.#client.query({ text, values: bind(identities), rowMode: 'array' })
    return new Map(found.map(([identity, value]) => [identityOf(noun, identity) as Value, value]))
  }

  /** Gives the keys of the pairs that were not there. */
  async #insert(rows: readonly BulkRow[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set()
    const pairOf = ({ values }: BulkRow) =>
      Object.fromEntries(this.#link.nouns.map((noun) => [pairColumn(this.#link, noun), values[noun.name] as Value]))
    const values = [recordsetText(rows.map(pairOf))]
    const { rows: made } = await this.#client.query({ text: this.#insertText, values, rowMode: 'array' })
    return new Set(made.map((pair) => pair.join()))
  }

  #keyOf({ values }: BulkRow): string {
    return this.#link.nouns.map(({ name }) => values[name]).join()
  }
}
