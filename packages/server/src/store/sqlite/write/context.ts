/** The prepared statements that all writes on one SQLite connection share, and the stored record before a write. */
import type { DatabaseSync } from 'node:sqlite'
import type { Operation, Value } from '@nomen/core'
import { LruCache } from '../../../foundation/lru-cache.ts'
import type { CurrentRecord } from '../../decide/decision-reads.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome, RecordOutcome } from '../../outcome.ts'
import type { CreatePlan, ListPlan, Plan, Values } from '../../plan.ts'
import { rowFilterKey } from '../../sql/condition-key.ts'
import { cachedDeleteSteps } from '../../sql/delete-steps.ts'
import { type RecordInput, readQuery, storedShape } from '../../sql/record-query.ts'
import type { Sql } from '../../sql/sql.ts'
import { sqliteDialect } from '../dialect.ts'
import { prepare, type Statement } from '../statement.ts'

/** How many prepared statements of writes are cached; updates have one for each set of fields. */
const maxStatements = 1000

/** A plan for the record at the end of its path. */
export type KeyedPlan = Exclude<Plan, ListPlan | CreatePlan>

/** Reads of the records in the path of a plan. */
export interface PathReads {
  /** The outcome if a record of the path above the last is missing. */
  missingAncestor(plan: Plan): Outcome | undefined
  /** The record at the end of the path, in the shape of the operation. */
  record(plan: KeyedPlan): Outcome
}

export class WriteContext {
  readonly database: DatabaseSync
  readonly deleteSteps: ReturnType<typeof cachedDeleteSteps>
  readonly path: PathReads
  readonly #model: Model
  // biome-ignore lint/suspicious/noExplicitAny: each key has one kind of input, which its caller knows
  readonly #statements = new LruCache<Statement<any>>(maxStatements)

  constructor(database: DatabaseSync, model: Model, path: PathReads) {
    this.database = database
    this.deleteSteps = cachedDeleteSteps(model, sqliteDialect)
    this.path = path
    this.#model = model
  }

  /** A statement, prepared once for its key. */
  statement<Input>(key: string, build: () => Sql): Statement<Input> {
    return this.#statements.get(key, () => prepare<Input>(this.database, build()))
  }

  storedNoun(operation: Operation): StoredNoun {
    return this.#model.nouns.get(operation.shape.noun.name) as StoredNoun
  }

  /** The stored record, or only some of its fields. */
  currentRecord(operation: Operation, input: RecordInput, fields?: readonly string[]): CurrentRecord | undefined {
    const { rowFilter } = input
    const fieldsKey = fields ? `only ${fields.join()}` : 'whole'
    const key = `stored ${operation.api} ${operation.path}${rowFilterKey(rowFilter)} ${fieldsKey}`
    const read = this.statement<RecordInput>(key, () =>
      readQuery(sqliteDialect, operation, storedShape(operation.shape.noun, fields), rowFilter),
    )
    const row = read.first(input)
    if (!row) return undefined
    return { record: JSON.parse(row[0] as string) as Values, identity: row[1] as Value, version: row[2] as number }
  }
}

export function recordOutcome(row: readonly unknown[]): RecordOutcome {
  const [json, identity, version] = row as [string, number | string, number]
  return { kind: 'record', json, identity, version }
}
