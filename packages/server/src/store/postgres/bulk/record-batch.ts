/** Writes the rows of one batch of a noun, within an open transaction. */
import type { AnyNoun } from '@nomen/core'
import type { ClientBase } from 'pg'
import { groupByAbsent } from '../../bulk/absent-field.ts'
import type { RowChange } from '../../bulk/async-logic-row.ts'
import type { BulkRow, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import type { StoredNoun } from '../../model.ts'
import { tableName } from '../../stored-name.ts'
import { identifier } from '../name.ts'
import { BatchConflict } from './batch-conflict.ts'
import { BatchLookup } from './batch-lookup.ts'
import { ExistingRecords } from './existing-records.ts'
import { Identities } from './identities.ts'
import { columnValues, insertedColumns, recordsetJson, tableRecordset } from './recordset.ts'
import { sortBatch } from './sort-batch.ts'

export class RecordBatch {
  readonly #client: ClientBase
  readonly #stored: StoredNoun
  readonly #lookup: BatchLookup
  readonly #identities: Identities
  readonly #existing: ExistingRecords
  readonly #schema: NounSchema
  readonly #insertStatements = new Map<string, string>()

  constructor(client: ClientBase, stored: StoredNoun, schema: NounSchema, rules: WriteRules) {
    this.#client = client
    this.#stored = stored
    this.#lookup = new BatchLookup(stored, schema)
    this.#identities = new Identities(client, stored.noun)
    this.#existing = new ExistingRecords(client, stored, schema, rules)
    this.#schema = schema
  }

  /** Returns the outcomes of all rows, or of those before the first row that depends on another row of the batch. */
  async write(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    if (rows.length === 0) return []
    const sorted = sortBatch(this.#stored.noun, rows, await this.#lookup.find(this.#client, rows))
    await this.#insert(sorted.flatMap((entry) => (entry.kind === 'new' ? [entry.row] : [])))
    const outcomes = await this.#existing.apply(sorted.filter((entry) => entry.kind === 'existing'))
    return sorted.map((entry) => {
      if (entry.kind === 'decided') return entry.outcome
      return entry.kind === 'new' ? { kind: 'loaded' } : (outcomes.get(entry) as RowOutcome)
    })
  }

  /** The change of a row before its rules are checked; or its outcome, if nothing needs to be written. */
  async plan(row: BulkRow): Promise<RowChange | RowOutcome> {
    const [sorted] = sortBatch(this.#stored.noun, [row], await this.#lookup.find(this.#client, [row]))
    if (sorted?.kind === 'existing') return this.#existing.plan(sorted)
    return sorted?.kind === 'decided' ? sorted.outcome : { next: row.values }
  }

  async #insert(rows: readonly BulkRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = await this.#identities.assign(rows.map((row) => row.values))
    for (const group of groupByAbsent(this.#stored.noun, values)) {
      const json = recordsetJson(group.rows.map((row) => columnValues(this.#stored, row)))
      const { rowCount } = await this.#client.query(this.#insertStatement(group.absent), [json])
      if (rowCount !== group.rows.length) throw new BatchConflict('Another writer has taken a value of this batch.')
    }
  }

  /** The columns of absent fields take their defaults. */
  #insertStatement(absent: readonly string[]): string {
    const key = absent.join()
    const statement = this.#insertStatements.get(key) ?? insertStatement(this.#stored.noun, this.#schema, absent)
    this.#insertStatements.set(key, statement)
    return statement
  }
}

function insertStatement(noun: AnyNoun, schema: NounSchema, absent: readonly string[]): string {
  const table = tableName(noun)
  const names = insertedColumns(noun, schema, absent)
    .map(({ name }) => identifier(name))
    .join(', ')
  return `insert into ${identifier(table)} (${names}) overriding system value
select ${names}
from ${tableRecordset(table)}
on conflict do nothing`
}
