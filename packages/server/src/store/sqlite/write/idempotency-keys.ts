/** Idempotency-Keys within a write transaction on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Outcome } from '../../outcome.ts'
import { slot } from '../../sql/fragment.ts'
import { findOutcome, forgetKey, type Keyed, keepOutcome } from '../../sql/own-tables/idempotency-keys.ts'
import { SqliteOwnTables, sqliteOwnTables } from '../own-tables.ts'

type Key = Keyed['idempotency']
type RecordOutcome = Extract<Outcome, { kind: 'record' }>

const bound = (name: keyof (RecordOutcome & Keyed)) => slot<RecordOutcome & Keyed>((outcome) => outcome[name])
const keep = keepOutcome(bound('identity'), bound('version'), bound('json'), bound('now'))

export class IdempotencyKeys {
  readonly #tables: SqliteOwnTables

  constructor(database: DatabaseSync) {
    this.#tables = new SqliteOwnTables(database)
  }

  /** The first response to the same request, or a refusal if the key came with another request. */
  find(idempotency: Key, now: string): Outcome | undefined {
    return this.#tables.run(findOutcome(sqliteOwnTables, { idempotency, now }))
  }

  keep(idempotency: Key, outcome: RecordOutcome, now: string): void {
    const input = { ...outcome, idempotency, now }
    for (const statement of [forgetKey, keep]) this.#tables.rows(statement, input)
  }
}
