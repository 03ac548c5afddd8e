/** The transactions of a bulk load on PostgreSQL, one per batch, with an adaptive batch size. */
import { type AnyNoun, specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import { writeWithAsyncLogic } from '../../bulk/async-logic-row.ts'
import type {
  BulkRow,
  BulkTarget,
  BulkWriter,
  DeferredReference,
  ProgressOf,
  RowOutcome,
  WriteRules,
} from '../../bulk/bulk.ts'
import { rejectedRow } from '../../bulk/decision.ts'
import { takenRejection } from '../../decide/rejection.ts'
import { StoreUnavailable } from '../../fault/error.ts'
import { faultOf, isUnavailable, serverError } from '../../fault/fault.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { fieldOf, nounOf, type Schema } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import type { Rejection } from '../../outcome.ts'
import type { AsyncLogic, Values } from '../../plan.ts'
import { tenantColumn } from '../../sql/bulk-query.ts'
import { column, slot, table } from '../../sql/fragment.ts'
import { type LoadCheckpoints, loadCheckpoints } from '../../sql/own-tables/load-checkpoint.ts'
import { sql } from '../../sql/sql.ts'
import { defaultListBytes } from '../../store.ts'
import { columnName, fieldName, tableName } from '../../stored-name.ts'
import type { Reads, Run } from '../connect/database.ts'
import type { Row } from '../connect/text-query.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import { databaseReason, isConnectionLost, violatedKey } from '../error.ts'
import { longValueRejection } from '../long-value.ts'
import { inTransaction } from '../migrate/connection.ts'
import { migrate } from '../migrate/migrate.ts'
import { typeOf } from '../migrate/sql/table.ts'
import { identifier } from '../name.ts'
import { postgresOwnTables, runOnClient } from '../own-tables.ts'
import { PlanReader } from '../read/plan-reader.ts'
import { compile, type Statement } from '../statement.ts'
import { compactFunction } from '../tally/name.ts'
import { transactionMode } from '../transaction.ts'
import { takenColumns } from '../write/conflict-columns.ts'
import { BatchConflict, DroppedRow } from './batch-conflict.ts'
import { identityOf } from './batch-lookup.ts'
import { PairBatch } from './pair-batch.ts'
import { RecordBatch } from './record-batch.ts'
import { recordset, recordsetJson } from './recordset.ts'

/** The target duration of a batch, and its maximum number of rows. */
const targetMs = 200
const maxBatchSize = 5000

/** If the server is slow, batches shrink only to this size: each batch has fixed costs, and smaller ones are slower still. */
const minBatchSize = 500

/** How often a batch is tried if other writes interfere. */
const maxTries = 8

/** From this number of records on, planner statistics are updated at once. Autovacuum would take about a minute. */
const minRowsToAnalyze = 1000

interface TableRules extends WriteRules {
  /** Whether the table lacks its indexes and tallies until the end of the load. */
  readonly isWithoutIndexes: boolean
}

export class PostgresBulkWriter implements BulkWriter {
  readonly #client: ClientBase
  readonly #target: BulkTarget
  readonly #model: Model
  readonly #schema: Schema
  #isWithoutIndexes: boolean
  readonly #batchWriter: RecordBatch | PairBatch
  readonly #checkpoints: LoadCheckpoints
  readonly #asyncLogic: AsyncLogic | undefined
  readonly #reader: PlanReader
  #batchSize = minBatchSize
  #writtenCount = 0

  constructor(client: ClientBase, target: BulkTarget, model: Model, rules: TableRules) {
    const schema = schemaOf(model)
    this.#model = model
    this.#isWithoutIndexes = rules.isWithoutIndexes
    this.#client = client
    this.#asyncLogic = rules.asyncLogic
    this.#reader = new PlanReader(model, defaultListBytes, () => undefined)
    this.#target = target
    this.#schema = schema
    this.#checkpoints = loadCheckpoints(postgresOwnTables, target)
    this.#batchWriter =
      'stored' in target
        ? new RecordBatch(client, target.stored, nounOf(schema, tableOf(target)), rules)
        : new PairBatch(client, target.link, schema)
  }

  async write(rows: readonly BulkRow[], progressOf: ProgressOf): Promise<readonly RowOutcome[]> {
    const startMs = performance.now()
    const outcomes = await this.#persist(rows, progressOf)
    this.#writtenCount += outcomes.filter(({ kind }) => kind === 'loaded').length
    const ratio = targetMs / Math.max(performance.now() - startMs, 1)
    if (outcomes.length >= this.#batchSize || ratio < 1)
      this.#batchSize = Math.min(
        maxBatchSize,
        Math.max(Math.min(this.#batchSize * 2, minBatchSize), Math.floor(this.#batchSize * Math.min(ratio, 2))),
      )
    return outcomes
  }

  /**
   * If other writes interfere, the batch is rolled back and retried. If a row fails, the batch is written row by row, also
   * if the error comes with the commit.
   */
  async #persist(rows: readonly BulkRow[], progressOf: ProgressOf): Promise<readonly RowOutcome[]> {
    for (let tries = 1; ; tries++) {
      const batch = rows.slice(0, this.#batchSize)
      try {
        return await this.#transaction(() => this.#writeBatch(batch), progressOf, tries > 1)
      } catch (error) {
        const isLast = tries >= maxTries
        const rejectionOf = this.#rejection(error, isLast)
        const [onlyRow] = batch
        if (rejectionOf && onlyRow && batch.length === 1)
          return this.#transaction(async () => [rejectedRow(rejectionOf(onlyRow.values))], progressOf)
        if (rejectionOf) this.#batchSize = 1
        else if (!isConflict(error))
          throw isServerFault(error) ? new StoreUnavailable(messageOf(error), { cause: error }) : error
        else if (isLast) throw new StoreUnavailable('Other writes interfered at each try.', { cause: error })
      }
    }
  }

  async #writeBatch(rows: readonly BulkRow[]): Promise<readonly RowOutcome[]> {
    const [row] = rows
    if (!this.#asyncLogic || !row) return this.#batchWriter.write(rows)
    const batch = this.#batchWriter
    const outcome = await writeWithAsyncLogic(row, this.#asyncLogic, {
      plan: (plannedRow) => batch.plan(plannedRow),
      write: async (writtenRow) => (await batch.write([writtenRow]))[0] as RowOutcome,
      read: (plan) => this.#reader.read(plan, readsOn(this.#client)),
    })
    return [outcome]
  }

  /** `isRetry` if other writes interfered with the last try. */
  async #transaction(
    work: () => Promise<readonly RowOutcome[]>,
    progressOf: ProgressOf,
    isRetry = false,
  ): Promise<readonly RowOutcome[]> {
    const withCheckpoint = async () => {
      const outcomes = await work()
      const progress = progressOf(outcomes)
      if (progress) await runOnClient(this.#client, this.#checkpoints.keep(progress))
      return outcomes
    }
    if (!this.#asyncLogic) return inTransaction(this.#client, 'begin', withCheckpoint)
    // Serializable, like the transactions of requests.
    const { begin, firstStatements: settings } = transactionMode(isRetry)
    return inTransaction(this.#client, [begin, ...settings].join('; '), withCheckpoint)
  }

  /** The rejection of a row for this error. A foreign key counts only if it failed at each try. */
  #rejection(error: unknown, isLast: boolean): ((values: Values) => Rejection) | undefined {
    const fields = this.#takenFields(error)
    if (fields) return (values) => takenRejection(fields, values)
    const reason =
      error instanceof DroppedRow
        ? 'a trigger has dropped it'
        : (databaseReason(error) ?? (isLast ? violatedKey(error) : undefined))
    if (reason === undefined) return this.#longValueRejection(error)
    const detail = `The database rejected the record: ${reason}.`
    return () => ({
      reason: 'rule',
      breach: { detail, hint: 'Check the column types, constraints and triggers of the table.' },
    })
  }

  #longValueRejection(error: unknown): ((values: Values) => Rejection) | undefined {
    if (!('stored' in this.#target) || faultOf(error) !== 'too-long') return undefined
    const { noun } = this.#target.stored
    const schema = nounOf(this.#schema, tableName(noun))
    return (values) => {
      const rejection = longValueRejection(noun, schema, error, values)
      if (rejection) return rejection
      throw error
    }
  }

  #takenFields(error: unknown): readonly string[] | undefined {
    if (!('stored' in this.#target)) return undefined
    const { noun } = this.#target.stored
    return takenColumns(nounOf(this.#schema, tableName(noun)), error)?.map((column) => fieldName(noun, column))
  }

  async setReferences(references: readonly DeferredReference[]): Promise<void> {
    const { noun } = this.#stored()
    const schema = nounOf(this.#schema, tableName(noun))
    const identity = columnName(noun, noun.identity)
    const key = { name: identity, type: typeOf(fieldOf(schema, identity)) }
    for (const field of new Set(references.map((reference) => reference.field))) {
      const rows = references.filter((reference) => reference.field === field)
      const name = columnName(noun, field)
      const columns = [key, { name, type: typeOf(fieldOf(schema, name)) }]
      const sets = `${identifier(name)} = item.${identifier(name)}, "_version" = t."_version" + 1`
      await this.#client.query(
        `update ${identifier(tableName(noun))} as t
set ${sets}
from ${recordset(columns)}
where t.${identifier(key.name)} = item.${identifier(key.name)}`,
        [recordsetJson(rows.map(({ identity, to }) => ({ [key.name]: identity, [name]: to })))],
      )
    }
  }

  async tenantsOfExisting(identities: readonly Value[]): Promise<ReadonlyMap<Value, Value>> {
    const { noun } = this.#stored()
    const { text, bind } = tenantsStatement(noun)
    const { rows } = await this.#client.query({ text, values: bind(identities), rowMode: 'array' })
    return new Map(rows.map(([key, tenant]) => [identityOf(noun, key) as Value, tenant]))
  }

  async findCheckpoint(fingerprint: string) {
    return runOnClient(this.#client, this.#checkpoints.find(fingerprint))
  }

  openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>> {
    return runOnClient(this.#client, this.#checkpoints.openLines(fingerprint, from, to))
  }

  forget(fingerprint: string): Promise<void> {
    return runOnClient(this.#client, this.#checkpoints.forget(fingerprint))
  }

  async finish(): Promise<void> {
    if (!this.#isWithoutIndexes) return
    const { steps } = await migrate(this.#client, this.#model, 'start')
    this.#isWithoutIndexes = false
    // A migration that builds indexes also updates the statistics.
    const isAnalyzed = steps.some(({ sql }) => sql.includes(`analyze ${identifier(tableOf(this.#target))}`))
    if (isAnalyzed) this.#writtenCount = 0
  }

  /** Every commit is already durable. Updates planner statistics and tallies. */
  async flush(): Promise<void> {
    if (this.#writtenCount < minRowsToAnalyze) return
    await this.#client.query(`analyze ${identifier(tableOf(this.#target))}`)
    if ('stored' in this.#target && !this.#isWithoutIndexes)
      await this.#client.query(`select ${identifier(compactFunction(tableOf(this.#target)))}()`)
  }

  #stored() {
    if ('stored' in this.#target) return this.#target.stored
    throw new Error('A link has no references to fill in later.')
  }
}

/** Reads on one connection. Values stay strings, as the server sends them. */
function readsOn(client: ClientBase): Reads {
  const types = { getTypeParser: () => (text: string) => text }
  const run: Run = async ({ text, bind }, input) =>
    (await client.query({ text, values: bind(input), rowMode: 'array', types })).rows as Row[]
  return { read: run, readShort: run }
}

function tenantsStatement(noun: AnyNoun): Statement<readonly Value[]> {
  const spec = specOf(noun, noun.identity)
  const key = column(noun, noun.identity)
  const list = slot<readonly Value[]>((identities) => dialect.listValue(spec, identities))
  return compile(
    sql`select ${key}, ${tenantColumn(noun)} from ${table(noun)} as t where ${dialect.isAnyOf(spec, key, list)}`,
  )
}

function tableOf(target: BulkTarget): string {
  return tableName('stored' in target ? target.stored.noun : target.link)
}

/** Whether the batch can be retried. */
function isConflict(error: unknown): boolean {
  const fault = faultOf(error)
  return error instanceof BatchConflict || fault === 'conflict' || fault === 'no-target'
}

/** Whether the server or the connection failed, and not the batch. */
function isServerFault(error: unknown): boolean {
  if (serverError(error)) return isConnectionLost(error) || isUnavailable(error)
  const { code = '' } = error as { readonly code?: string }
  return /^E[A-Z]+$/.test(code) || /^(Connection terminated|Client has encountered)/.test(messageOf(error))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `${error}`
}
