/** Idempotency-Keys inside a transaction that writes on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Outcome } from '../../outcome.ts'
import { slot } from '../../sql/fragment.ts'
import { findAnswer, forgetKey, type Keyed, keepAnswer } from '../../sql/own-tables/idempotency-keys.ts'
import { SqliteOwnTables, sqliteOwnTables } from '../own-tables.ts'

type Key = Keyed['idempotency']
type Answer = Extract<Outcome, { kind: 'record' }>

const bound = (name: keyof (Answer & Keyed)) => slot<Answer & Keyed>((answer) => answer[name])
const keep = keepAnswer(bound('identity'), bound('version'), bound('json'), bound('now'))

export class IdempotencyKeys {
  readonly #tables: SqliteOwnTables

  constructor(database: DatabaseSync) {
    this.#tables = new SqliteOwnTables(database)
  }

  /** The first response to the same request, or a refusal if the key came with another request. */
  find(idempotency: Key, now: string): Outcome | undefined {
    return this.#tables.run(findAnswer(sqliteOwnTables, { idempotency, now }))
  }

  keep(idempotency: Key, answer: Answer, now: string): void {
    const input = { ...answer, idempotency, now }
    for (const statement of [forgetKey, keep]) this.#tables.rows(statement, input)
  }
}
