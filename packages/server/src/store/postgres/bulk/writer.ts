/** The transactions of a bulk load on PostgreSQL: each a batch, as large as can be written in a moment. */
import { type AnyNoun, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { BulkRow, BulkTarget, BulkWriter, MarkOf, Pointer, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import { refusedRow } from '../../bulk/decision.ts'
import { taken } from '../../decide/refusal.ts'
import { StoreUnavailable } from '../../error.ts'
import { faultOf, isUnavailable, serverError } from '../../fault.ts'
import { fieldOf, nounOf, type Schema } from '../../migrate/schema.ts'
import type { Refusal } from '../../outcome.ts'
import type { Values } from '../../plan.ts'
import { column, slot, table } from '../../sql/fragment.ts'
import { type LoadCheckpoints, loadCheckpoints } from '../../sql/own-tables/load-checkpoint.ts'
import { loadTables } from '../../sql/own-tables/table.ts'
import { sql } from '../../sql/sql.ts'
import { columnName, fieldName, tableName } from '../../stored-name.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { brokenKey, demandOf, isLost } from '../error.ts'
import { inTransaction } from '../migrate/connection.ts'
import { typeOf } from '../migrate/table.ts'
import { identifier } from '../name.ts'
import { createMissing, existQuery, postgresOwnTables, runOn } from '../own-tables.ts'
import { compile, type Statement } from '../statement.ts'
import { foldFunction } from '../tally/name.ts'
import { takenColumns } from '../write/conflict-columns.ts'
import { BatchConflict } from './conflict.ts'
import { identityOf } from './lookup.ts'
import { PairBatch } from './pair-batch.ts'
import { RecordBatch } from './record-batch.ts'
import { recordset, recordsetText } from './recordset.ts'

/** How long a batch may take, in milliseconds, and how many rows it has at most. */
const moment = 200
const maxBatch = 5000

/** How often a batch is tried that others stand in the way of. */
const tries = 8

/** From so many records on the planner is told of them: it would hear of them by itself, in a minute or so. */
const worthTelling = 1000

export class PostgresBulkWriter implements BulkWriter {
  readonly #client: ClientBase
  readonly #target: BulkTarget
  readonly #schema: Schema
  readonly #batch: RecordBatch | PairBatch
  readonly #checkpoints: LoadCheckpoints
  #size = 200
  #written = 0

  constructor(client: ClientBase, target: BulkTarget, schema: Schema, rules: WriteRules) {
    this.#client = client
    this.#target = target
    this.#schema = schema
    this.#checkpoints = loadCheckpoints(postgresOwnTables, target)
    this.#batch =
      'stored' in target
        ? new RecordBatch(client, target.stored, nounOf(schema, tableOf(target)), rules)
        : new PairBatch(client, target.link, schema)
  }

  async write(rows: readonly BulkRow[], markOf: MarkOf): Promise<readonly RowOutcome[]> {
    const begun = performance.now()
    const outcomes = await this.#persist(rows, markOf)
    this.#written += outcomes.filter(({ kind }) => kind === 'loaded').length
    const pace = moment / Math.max(performance.now() - begun, 1)
    if (outcomes.length >= this.#size || pace < 1)
      this.#size = Math.max(1, Math.min(maxBatch, Math.floor(this.#size * Math.min(pace, 2))))
    return outcomes
  }

  /**
   * A batch that others stood in the way of is undone, and done again; one with a row that fails alone goes row by row, also
   * where the fault comes only with the commit.
   */
  async #persist(rows: readonly BulkRow[], markOf: MarkOf): Promise<readonly RowOutcome[]> {
    for (let tried = 1; ; tried++) {
      const some = rows.slice(0, this.#size)
      try {
        return await this.#transaction(() => this.#batch.write(some), markOf)
      } catch (error) {
        const isLast = tried >= tries
        const refusalOf = this.#refusal(error, isLast)
        const [only] = some
        if (refusalOf && only && some.length === 1)
          return this.#transaction(async () => [refusedRow(refusalOf(only.values))], markOf)
        if (refusalOf) this.#size = 1
        else if (!isInTheWay(error))
          throw isGone(error) ? new StoreUnavailable(messageOf(error), { cause: error }) : error
        else if (isLast) throw new StoreUnavailable('Other writes stood in the way each time.', { cause: error })
      }
    }
  }

  #transaction(work: () => Promise<readonly RowOutcome[]>, markOf: MarkOf): Promise<readonly RowOutcome[]> {
    return inTransaction(this.#client, 'begin', async () => {
      const outcomes = await work()
      const mark = markOf(outcomes)
      if (mark) await runOn(this.#client, this.#checkpoints.keep(mark))
      return outcomes
    })
  }

  /** What the error says of a row; a foreign key speaks of the row only where it stood in the way each time. */
  #refusal(error: unknown, isLast: boolean): ((values: Values) => Refusal) | undefined {
    const fields = this.#takenFields(error)
    if (fields) return (values) => taken(fields, values)
    const demand = demandOf(error) ?? (isLast ? brokenKey(error) : undefined)
    if (demand === undefined) return undefined
    const detail = `The database refuses the record: ${demand}.`
    return () => ({ reason: 'rule', breach: { detail, hint: 'See what the table itself demands of its rows.' } })
  }

  #takenFields(error: unknown): readonly string[] | undefined {
    if (!('stored' in this.#target)) return undefined
    const { noun } = this.#target.stored
    return takenColumns(nounOf(this.#schema, tableName(noun)), error)?.map((column) => fieldName(noun, column))
  }

  async point(pointers: readonly Pointer[]): Promise<void> {
    const { noun } = this.#stored()
    const schema = nounOf(this.#schema, tableName(noun))
    const identity = columnName(noun, noun.identity)
    const key = { name: identity, type: typeOf(fieldOf(schema, identity)) }
    for (const field of new Set(pointers.map((pointer) => pointer.field))) {
      const rows = pointers.filter((pointer) => pointer.field === field)
      const name = columnName(noun, field)
      const columns = [key, { name, type: typeOf(fieldOf(schema, name)) }]
      const sets = `${identifier(name)} = one.${identifier(name)}, "_version" = t."_version" + 1`
      await this.#client.query(
        `update ${identifier(tableName(noun))} as t
set ${sets}
from ${recordset(columns)}
where t.${identifier(key.name)} = one.${identifier(key.name)}`,
        [recordsetText(rows.map(({ identity, to }) => ({ [key.name]: identity, [name]: to })))],
      )
    }
  }

  async present(identities: readonly Value[]): Promise<ReadonlySet<Value>> {
    const { noun } = this.#stored()
    const { text, bind } = presentStatement(noun)
    const { rows } = await this.#client.query({ text, values: bind(identities), rowMode: 'array' })
    return new Set(rows.map(([key]) => identityOf(noun, key) as Value))
  }

  async markedLine(fingerprint: string) {
    const { rows } = await this.#client.query({ text: existQuery(loadTables), rowMode: 'array' })
    if (rows[0]?.[0] !== 'true') await this.#client.query(createMissing(loadTables))
    return runOn(this.#client, this.#checkpoints.find(fingerprint))
  }

  openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>> {
    return runOn(this.#client, this.#checkpoints.openLines(fingerprint, from, to))
  }

  forget(fingerprint: string): Promise<void> {
    return runOn(this.#client, this.#checkpoints.forget(fingerprint))
  }

  /** Every commit is durable already. What is left is to tell the planner, and to count. */
  async flush(): Promise<void> {
    if (this.#written < worthTelling) return
    await this.#client.query(`analyze ${identifier(tableOf(this.#target))}`)
    if ('stored' in this.#target)
      await this.#client.query(`select ${identifier(foldFunction(tableOf(this.#target)))}()`)
  }

  #stored() {
    if ('stored' in this.#target) return this.#target.stored
    throw new Error('The pairs of a link point at nothing but each other.')
  }
}

function presentStatement(noun: AnyNoun): Statement<readonly Value[]> {
  const spec = specOf(noun, noun.identity)
  const key = column(noun, noun.identity)
  const list = slot<readonly Value[]>((identities) => dialect.listValue(spec, identities))
  return compile(sql`select ${key} from ${table(noun)} as t where ${dialect.isAnyOf(spec, key, list)}`)
}

function tableOf(target: BulkTarget): string {
  return tableName('stored' in target ? target.stored.noun : target.link)
}

/** What has no reason to happen again. */
function isInTheWay(error: unknown): boolean {
  const fault = faultOf(error)
  return error instanceof BatchConflict || fault === 'conflict' || fault === 'no-target'
}

/** Whether the server, or the way to it, is to blame and not the batch. */
function isGone(error: unknown): boolean {
  if (serverError(error)) return isLost(error) || isUnavailable(error)
  const { code = '' } = error as { readonly code?: string }
  return /^E[A-Z]+$/.test(code) || /^(Connection terminated|Client has encountered)/.test(messageOf(error))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `${error}`
}
