/** Writes the rows of one batch of a noun, within an open transaction. */
import type { ClientBase } from 'pg'
import { groupByAbsent, type RowGroup } from '../../bulk/absent-field.ts'
import type { RowChange } from '../../bulk/async-logic-row.ts'
import type { BulkRow, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import { tenantReferences } from '../../bulk/decision.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { takenColumns } from '../write/conflict-columns.ts'
import { BatchConflict, DroppedRow } from './batch-conflict.ts'
import { BatchLookup } from './batch-lookup.ts'
import { copyRecords } from './copy-records.ts'
import { ExistingRecords } from './existing-records.ts'
import { Identities } from './identities.ts'
import { sortBatch } from './sort-batch.ts'

/** The maximum number of batches that are looked up after a batch that was expected to be new, but was not. */
const maxLookupsAfterConflict = 64

export class RecordBatch {
  readonly #client: ClientBase
  readonly #stored: StoredNoun
  readonly #lookup: BatchLookup
  readonly #identities: Identities
  readonly #existing: ExistingRecords
  readonly #schema: NounSchema
  /** Whether the database rejects every row that the lookup finds a fault with. */
  readonly #isConstrained: boolean
  /** How many batches of new records come before the next one without a lookup. */
  #remainingLookups = 1
  #lookupsAfterConflict = 1

  constructor(client: ClientBase, stored: StoredNoun, schema: NounSchema, rules: WriteRules) {
    this.#client = client
    this.#stored = stored
    this.#lookup = new BatchLookup(stored, schema)
    this.#identities = new Identities(client, stored.noun)
    this.#existing = new ExistingRecords(client, stored, schema, rules)
    this.#schema = schema
    // An adopted table may lack constraints, and none compares the tenants of references.
    this.#isConstrained = !schema.adopted && !rules.asyncLogic && tenantReferences(stored.noun).length === 0
  }

  /** Returns the outcomes of all rows, or of those before the first row that depends on another row of the batch. */
  async write(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    if (rows.length === 0) return []
    if (this.#isConstrained && this.#remainingLookups === 0 && !rows.some(({ cannotInsert }) => cannotInsert))
      return this.#writeNew(rows)
    const sorted = sortBatch(this.#stored.noun, rows, await this.#lookup.find(this.#client, rows))
    await this.#insert(sorted.flatMap((entry) => (entry.kind === 'new' ? [entry.row] : [])))
    if (this.#remainingLookups > 0 && sorted.every(({ kind }) => kind === 'new')) this.#remainingLookups--
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

  /** Expects that all rows are new, like those of the batches before. If they are not, the retry looks them up. */
  async #writeNew(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    try {
      await this.#insert(rows)
    } catch (error) {
      this.#lookupsAfterConflict = Math.min(2 * this.#lookupsAfterConflict, maxLookupsAfterConflict)
      this.#remainingLookups = this.#lookupsAfterConflict
      throw error
    }
    return rows.map(() => ({ kind: 'loaded' }))
  }

  async #insert(rows: readonly BulkRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = await this.#identities.assign(rows.map((row) => row.values))
    for (const group of groupByAbsent(this.#stored.noun, values)) await this.#copy(group)
  }

  async #copy(group: RowGroup<Values>): Promise<void> {
    try {
      const count = await copyRecords(this.#client, this.#stored, this.#schema, group)
      if (count !== group.rows.length) throw new DroppedRow('A trigger has dropped a row of this batch.')
    } catch (error) {
      const isTaken = takenColumns(this.#schema, error) !== undefined
      throw isTaken ? new BatchConflict('Another writer has taken a value of this batch.', { cause: error }) : error
    }
  }
}
