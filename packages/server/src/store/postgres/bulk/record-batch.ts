/** Writes the rows of a noun that belong to one batch, inside a transaction that is open. */
import type { ClientBase } from 'pg'
import type { BulkRow, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import type { NounSchema } from '../../migrate/schema.ts'
import type { StoredNoun } from '../../model.ts'
import { tableName } from '../../stored-name.ts'
import { columnsOf } from '../migrate/table.ts'
import { identifier } from '../name.ts'
import { ChangeRows } from './change-rows.ts'
import { BatchConflict } from './conflict.ts'
import { Identities } from './identities.ts'
import { Look } from './lookup.ts'
import { columnValues, recordsetText, tableset } from './recordset.ts'
import { sortBatch } from './sort-batch.ts'

export class RecordBatch {
  readonly #client: ClientBase
  readonly #stored: StoredNoun
  readonly #look: Look
  readonly #identities: Identities
  readonly #changes: ChangeRows
  readonly #insertText: string

  constructor(client: ClientBase, stored: StoredNoun, schema: NounSchema, rules: WriteRules) {
    this.#client = client
    this.#stored = stored
    this.#look = new Look(stored, schema)
    this.#identities = new Identities(client, stored.noun)
    this.#changes = new ChangeRows(client, stored, schema, rules)
    // The version of a new record is the database's own.
    const columns = columnsOf(schema).filter(({ name }) => name !== '_version')
    const names = columns.map(({ name }) => identifier(name)).join(', ')
    this.#insertText = `insert into ${identifier(tableName(stored.noun))} (${names}) overriding system value
select ${names}
from ${tableset(tableName(stored.noun))}
on conflict do nothing`
  }

  /** Gives what became of the first rows: of all, or of those before one that depends on another of them. */
  async write(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    if (rows.length === 0) return []
    const sorted = sortBatch(this.#stored.noun, rows, await this.#look.at(this.#client, rows))
    await this.#insert(sorted.flatMap((one) => (one.kind === 'new' ? [one.row] : [])))
    const met = await this.#changes.meet(sorted.filter((one) => one.kind === 'met'))
    return sorted.map((one) => {
      if (one.kind === 'settled') return one.outcome
      return one.kind === 'new' ? { kind: 'loaded' } : (met.get(one) as RowOutcome)
    })
  }

  async #insert(rows: readonly BulkRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = await this.#identities.give(rows.map((row) => row.values))
    const text = recordsetText(values.map((one) => columnValues(this.#stored, one)))
    const { rowCount } = await this.#client.query(this.#insertText, [text])
    if (rowCount !== rows.length) throw new BatchConflict('Another writer has taken a value of this batch.')
  }
}
