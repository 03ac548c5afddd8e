/** Idempotency-Keys on PostgreSQL, where the statement that creates a record also keeps its response. */
import type { Outcome } from '../../outcome.ts'
import { slot } from '../../sql/fragment.ts'
import {
  findAnswer,
  type Keyed,
  keepAnswer,
  knownOutcome as outcomeOf,
  sweepKeys,
} from '../../sql/own-tables/idempotency-keys.ts'
import { sql } from '../../sql/sql.ts'
import type { PostgresDatabase, Reads } from '../connect/database.ts'
import type { Row } from '../connect/pooled-connection.ts'
import { takenIndex } from '../error.ts'
import { pooledOwnTables, postgresOwnTables, runWork } from '../own-tables.ts'

/** Keeps the response of the record that another part of the statement, `_made`, has inserted. */
export const keepMade = keepAnswer(
  sql`to_json(_made.identity)::text`,
  sql`_made.version`,
  sql`_made.json`,
  sql`${slot<Keyed>(({ now }) => now)}::timestamptz`,
  sql`from _made`,
)

export class IdempotencyKeys {
  readonly #sweep: { stop(): void }

  constructor(database: PostgresDatabase) {
    this.#sweep = sweepKeys(pooledOwnTables(database, []), postgresOwnTables)
  }

  /** The first response to the same request, or a refusal if the key came with another request. */
  find(keyed: Keyed, among: Pick<Reads, 'readShort'>): Promise<Outcome | undefined> {
    return runWork(findAnswer(postgresOwnTables, keyed), (statement, input) => among.readShort(statement, input))
  }

  close(): void {
    this.#sweep.stop()
  }
}

/** The outcome of a kept response; undefined if there is none. */
export function knownOutcome(keyed: Keyed, row: Row): Outcome | undefined {
  return outcomeOf(postgresOwnTables, keyed, row)
}

/** Whether a write was undone because its key has come at the same moment. */
export function isKeyTaken(error: unknown): boolean {
  return takenIndex(error) === '_idempotency_pkey'
}
