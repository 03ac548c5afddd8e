/** Writes the pairs of one batch of a link, within an open transaction. */
import { type AnyLink, type AnyNoun, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { RowChange } from '../../bulk/async-logic-row.ts'
import type { BulkRow, RowOutcome } from '../../bulk/bulk.ts'
import { isWithinTenant, rejectedRow } from '../../bulk/decision.ts'
import { fieldOf, nounOf, type Schema } from '../../migrate/schema/schema.ts'
import { tenantColumn } from '../../sql/bulk-query.ts'
import { column, slot, table } from '../../sql/fragment.ts'
import { type LinkInput, linkedQuery } from '../../sql/link-query.ts'
import { sql } from '../../sql/sql.ts'
import { columnName, pairColumn, tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { typeOf } from '../migrate/sql/table.ts'
import { identifier } from '../name.ts'
import { compile } from '../statement.ts'
import { identityOf } from './batch-lookup.ts'
import { recordset, recordsetJson } from './recordset.ts'

/** The tenant and the shared value of each existing record, by identity; null if the link requires none. */
type SideRecords = ReadonlyMap<Value, { readonly tenant: unknown; readonly shared: unknown }>

export class PairBatch {
  readonly #client: ClientBase
  readonly #link: AnyLink
  readonly #insertStatement: string

  constructor(client: ClientBase, link: AnyLink, schema: Schema) {
    this.#client = client
    this.#link = link
    const columns = link.nouns.map((noun) => ({
      name: pairColumn(link, noun),
      type: typeOf(fieldOf(nounOf(schema, tableName(noun)), columnName(noun, noun.identity))),
    }))
    const names = columns.map(({ name }) => identifier(name)).join(', ')
    this.#insertStatement = `insert into ${identifier(tableName(link))} (${names})
select ${names}
from ${recordset(columns)}
on conflict do nothing
returning ${names}`
  }

  /** The change of a pair before its rules are checked; or its outcome, if nothing needs to be written. */
  async plan(row: BulkRow): Promise<RowChange | RowOutcome> {
    const rejection = row.cannotInsert
      ? ({ kind: 'not-insertable' } as const)
      : this.#rejection(row, await this.#sides([row]))
    if (rejection) return rejection
    const [first, second] = this.#link.nouns
    const { text, bind } = compile<LinkInput>(linkedQuery(this.#link, first, second))
    const pair = { first: row.values[first.name] as Value, second: row.values[second.name] as Value }
    const { rowCount } = await this.#client.query({ text, values: bind(pair) })
    return rowCount === 0 ? { next: row.values } : { kind: 'unchanged', isDifferent: false }
  }

  async write(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    const valid = rows.filter(({ cannotInsert }) => !cannotInsert)
    if (valid.length === 0) return rows.map(() => ({ kind: 'not-insertable' }))
    const sides = await this.#sides(valid)
    const rejections = new Map(rows.map((row) => [row, this.#rejection(row, sides)]))
    const inserted = await this.#insert(rows.filter((row) => rejections.get(row) === undefined))
    return rows.map((row) => {
      const rejection = rejections.get(row)
      if (rejection) return rejection
      // Of equal pairs in a batch, the first one counts as new.
      return inserted.delete(this.#keyOf(row)) ? { kind: 'loaded' } : { kind: 'unchanged', isDifferent: false }
    })
  }

  #rejection(
    { values, cannotInsert }: BulkRow,
    [first, second]: readonly [SideRecords, SideRecords],
  ): RowOutcome | undefined {
    if (cannotInsert) return { kind: 'not-insertable' }
    const { nouns, sharing } = this.#link
    const [firstIdentity, secondIdentity] = nouns.map(({ name }) => values[name] as Value) as [Value, Value]
    const missing = nouns
      .map(({ name }) => ({ field: name, value: values[name] as Value }))
      .filter(({ value }, index) => !(index === 0 ? first : second).has(value))
    if (missing.length > 0) return rejectedRow({ reason: 'no-target', missing })
    const [firstRecord, secondRecord] = [first.get(firstIdentity), second.get(secondIdentity)]
    if (firstRecord?.tenant !== secondRecord?.tenant) return { kind: 'mismatch', shared: 'tenant' }
    return firstRecord?.shared === secondRecord?.shared ? undefined : { kind: 'mismatch', shared: `${sharing}` }
  }

  async #sides(rows: readonly BulkRow[]): Promise<readonly [SideRecords, SideRecords]> {
    const [first, second] = this.#link.nouns
    return [await this.#recordsOfSide(first, rows), await this.#recordsOfSide(second, rows)]
  }

  /** Existing records. If they must share a value, they are locked, so that the value cannot change. */
  async #recordsOfSide(noun: AnyNoun, rows: readonly BulkRow[]): Promise<SideRecords> {
    const { sharing } = this.#link
    const spec = specOf(noun, noun.identity)
    const key = column(noun, noun.identity)
    const list = slot<readonly Value[]>((identities) => dialect.listValue(spec, identities))
    const [shared, lock] = sharing === undefined ? [sql`null`, sql``] : [column(noun, sharing), sql` for share of t`]
    const tenant = isWithinTenant(this.#link) ? tenantColumn(noun) : sql`null`
    const { text, bind } = compile<readonly Value[]>(
      sql`select ${key}, ${tenant}, ${shared}
from ${table(noun)} as t
where ${dialect.isAnyOf(spec, key, list)}
order by ${key}${lock}`,
    )
    const identities = [...new Set(rows.map(({ values }) => values[noun.name] as Value))]
    const { rows: records } = await this.#client.query({ text, values: bind(identities), rowMode: 'array' })
    return new Map(
      records.map(([identity, tenant, shared]) => [identityOf(noun, identity) as Value, { tenant, shared }]),
    )
  }

  /** Inserts pairs, and returns the keys of those that did not exist. */
  async #insert(rows: readonly BulkRow[]): Promise<Set<string>> {
    if (rows.length === 0) return new Set()
    const pairOf = ({ values }: BulkRow) =>
      Object.fromEntries(this.#link.nouns.map((noun) => [pairColumn(this.#link, noun), values[noun.name] as Value]))
    const values = [recordsetJson(rows.map(pairOf))]
    const { rows: inserted } = await this.#client.query({ text: this.#insertStatement, values, rowMode: 'array' })
    return new Set(inserted.map((pair) => pair.join()))
  }

  #keyOf({ values }: BulkRow): string {
    return this.#link.nouns.map(({ name }) => values[name]).join()
  }
}
