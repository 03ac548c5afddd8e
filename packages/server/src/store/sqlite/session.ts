/** One connection to an SQLite file: reads records and lists, and writes within an open transaction. */
import type { DatabaseSync } from 'node:sqlite'
import type { Operation } from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import { missingRecordOutcome } from '../decide/rejection.ts'
import type { Model } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import type { ListPlan, Plan, ReadPlan } from '../plan.ts'
import { rowFilterKey } from '../sql/condition-key.ts'
import { ancestorQuery, type RecordInput, readQuery } from '../sql/record-query.ts'
import type { Sql } from '../sql/sql.ts'
import { defaultListBytes } from '../store.ts'
import { sqliteDialect } from './dialect.ts'
import { SqliteLists } from './read/lists.ts'
import { transactionReads } from './read/shared-read.ts'
import { prepare, type Statement } from './statement.ts'
import { type KeyedPlan, recordOutcome } from './write/context.ts'
import { SqliteWriter } from './write/writer.ts'

/** How many forms of reads with a row filter keep a prepared statement. */
const maxFilteredForms = 500

export class SqliteSession {
  readonly #database: DatabaseSync
  readonly #lists: SqliteLists
  /** Use it within a transaction. A write that throws has changed nothing. */
  readonly writer: SqliteWriter
  readonly #records = new Map<Operation, Statement<RecordInput>>()
  readonly #ancestors = new Map<Operation, Statement<RecordInput>>()
  readonly #filteredStatements = new LruCache<Statement<RecordInput>>(maxFilteredForms)

  constructor(database: DatabaseSync, model: Model, lists: SqliteLists) {
    this.#database = database
    this.#lists = lists
    this.writer = new SqliteWriter(database, model, {
      missingAncestor: (plan) => this.#missingAncestor(plan),
      record: (plan) => this.#record(plan),
    })
  }

  read(plan: ListPlan | ReadPlan): Outcome | Promise<Outcome> {
    const missing = this.#missingAncestor(plan)
    if (missing) return missing
    return plan.kind === 'list' ? this.#lists.run(plan) : this.#record(plan)
  }

  /** The record at the end of the path, in the shape of the operation. */
  #record(plan: KeyedPlan): Outcome {
    const { operation, rowFilter } = plan
    const statement = rowFilter
      ? this.#filteredStatement('read', plan, () => readQuery(sqliteDialect, operation, operation.shape, rowFilter))
      : getOrCreate(this.#records, operation, () =>
          prepare(this.#database, readQuery(sqliteDialect, operation, operation.shape)),
        )
    const row = statement.first(plan)
    return row ? recordOutcome(row) : missingRecordOutcome(operation)
  }

  /** The first missing or unrelated ancestor of the path. */
  #missingAncestor(plan: Plan): Outcome | undefined {
    const { operation, ancestors, rowFilter } = plan
    if (operation.levels.length === 1) return undefined
    const statement = rowFilter
      ? this.#filteredStatement('ancestors', plan, () => ancestorQuery(sqliteDialect, operation.levels, rowFilter))
      : getOrCreate(this.#ancestors, operation, () =>
          prepare(this.#database, ancestorQuery(sqliteDialect, operation.levels)),
        )
    const level = statement.first({ ancestors, key: null, rowFilter })?.indexOf(0) ?? 0
    return level === -1 ? undefined : { kind: 'missing', level }
  }

  /** With a row filter, an operation has a statement for each form of the filter. */
  #filteredStatement(statementName: string, { operation, rowFilter }: Plan, build: () => Sql): Statement<RecordInput> {
    const key = `${statementName} ${operation.method} ${operation.api} ${operation.path} ${rowFilterKey(rowFilter)}`
    return this.#filteredStatements.get(key, () => prepare(this.#database, build()))
  }
}

/** A session whose reads are all part of one transaction, so that nothing is cached between them. */
export function transactionSession(database: DatabaseSync, model: Model, maxBytes = defaultListBytes): SqliteSession {
  const reads = transactionReads()
  return new SqliteSession(
    database,
    model,
    new SqliteLists({ database, model, reads, recordsVersion: reads.pin, maxBytes }),
  )
}

function getOrCreate<Key, Result>(cache: Map<Key, Result>, key: Key, create: () => Result): Result {
  const cached = cache.get(key)
  if (cached) return cached
  const result = create()
  cache.set(key, result)
  return result
}
