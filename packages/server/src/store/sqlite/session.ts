/** What is asked of one connection to a SQLite file: records, lists, and writes within a transaction that is open. */
import type { DatabaseSync } from 'node:sqlite'
import type { Operation } from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import { missingHere } from '../decide/refusal.ts'
import type { Model } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import type { ListPlan, Plan, ReadPlan } from '../plan.ts'
import { rowFilterKey } from '../sql/filter.ts'
import { ancestorQuery, type RecordInput, readQuery } from '../sql/record-query.ts'
import type { Sql } from '../sql/sql.ts'
import { sqliteDialect } from './dialect.ts'
import type { SqliteLists } from './read/lists.ts'
import { prepare, type Statement } from './statement.ts'
import { type KeyedPlan, recordOf } from './write/context.ts'
import { SqliteWriter } from './write/writer.ts'

/** How many forms of reads by callers who do not see everything keep a prepared statement. */
const narrowForms = 500

export class SqliteSession {
  readonly #database: DatabaseSync
  readonly #lists: SqliteLists
  /** To be called within a transaction. A write that throws has changed nothing. */
  readonly writer: SqliteWriter
  readonly #records = new Map<Operation, Statement<RecordInput>>()
  readonly #ancestors = new Map<Operation, Statement<RecordInput>>()
  readonly #narrow = new LruCache<Statement<RecordInput>>(narrowForms)

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

  /** The record at the end of the path, as the operation shows it. */
  #record(plan: KeyedPlan): Outcome {
    const { operation, rowFilter } = plan
    const statement = rowFilter
      ? this.#narrowed('read', plan, () => readQuery(sqliteDialect, operation, operation.shape, rowFilter))
      : remember(this.#records, operation, () =>
          prepare(this.#database, readQuery(sqliteDialect, operation, operation.shape)),
        )
    const row = statement.first(plan)
    return row ? recordOf(row) : missingHere(operation)
  }

  /** The first record of the path above the last that is not there, or not related to those before it. */
  #missingAncestor(plan: Plan): Outcome | undefined {
    const { operation, ancestors, rowFilter } = plan
    if (operation.levels.length === 1) return undefined
    const statement = rowFilter
      ? this.#narrowed('ancestors', plan, () => ancestorQuery(sqliteDialect, operation.levels, rowFilter))
      : remember(this.#ancestors, operation, () =>
          prepare(this.#database, ancestorQuery(sqliteDialect, operation.levels)),
        )
    const level = statement.first({ ancestors, key: null, rowFilter })?.indexOf(0) ?? 0
    return level === -1 ? undefined : { kind: 'missing', level }
  }

  /** For callers who do not see everything, an operation has a statement for each form of what they see. */
  #narrowed(part: string, { operation, rowFilter }: Plan, build: () => Sql): Statement<RecordInput> {
    const key = `${part} ${operation.method} ${operation.api} ${operation.path} ${rowFilterKey(rowFilter)}`
    return this.#narrow.get(key, () => prepare(this.#database, build()))
  }
}

function remember<Key, Made>(known: Map<Key, Made>, key: Key, make: () => Made): Made {
  const found = known.get(key)
  if (found) return found
  const made = make()
  known.set(key, made)
  return made
}
