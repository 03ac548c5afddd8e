/** Idempotency-Keys within a write transaction on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Outcome } from '../../outcome.ts'
import { slot } from '../../sql/fragment.ts'
import {
  deleteExpiredKey,
  findOutcome,
  type IdempotencyInput,
  storeOutcome,
} from '../../sql/own-tables/idempotency-keys.ts'
import { SqliteOwnTables, sqliteOwnTables } from '../own-tables.ts'

type Key = IdempotencyInput['idempotency']
type RecordOutcome = Extract<Outcome, { kind: 'record' }>

const bound = (name: keyof (RecordOutcome & IdempotencyInput)) =>
  slot<RecordOutcome & IdempotencyInput>((outcome) => outcome[name])
const storeStatement = storeOutcome(bound('identity'), bound('version'), bound('json'), bound('now'))

export class IdempotencyKeys {
  readonly #tables: SqliteOwnTables

  constructor(database: DatabaseSync) {
    this.#tables = new SqliteOwnTables(database)
  }

  /** The first response to the same request, or a rejection if the key came with another request. */
  find(idempotency: Key, now: string): Outcome | undefined {
    return this.#tables.run(findOutcome(sqliteOwnTables, { idempotency, now }))
  }

  store(idempotency: Key, outcome: RecordOutcome, now: string): void {
    const input = { ...outcome, idempotency, now }
    for (const statement of [deleteExpiredKey, storeStatement]) this.#tables.rows(statement, input)
  }
}
