/** Idempotency-Keys on PostgreSQL, where the statement that creates a record also keeps its response. */
import type { Outcome } from '../../outcome.ts'
import { slot } from '../../sql/fragment.ts'
import { findOutcome, type IdempotencyInput, storeOutcome, sweepKeys } from '../../sql/own-tables/idempotency-keys.ts'
import { sql } from '../../sql/sql.ts'
import type { StoreFaultListener } from '../../store.ts'
import type { PostgresDatabase, Reads } from '../connect/database.ts'
import { takenIndex } from '../error.ts'
import { pooledOwnTables, postgresOwnTables, runWork } from '../own-tables.ts'

/** Stores the response for the record that another part of the statement, `_inserted`, has inserted. */
export const storeInserted = storeOutcome(
  sql`to_json(_inserted.identity)::text`,
  sql`_inserted.version`,
  sql`_inserted.json`,
  sql`${slot<IdempotencyInput>(({ now }) => now)}::timestamptz`,
  sql`from _inserted`,
)

export class IdempotencyKeys {
  readonly #sweep: { stop(): void }

  constructor(database: PostgresDatabase, onFault?: StoreFaultListener) {
    this.#sweep = sweepKeys(pooledOwnTables(database), postgresOwnTables, onFault)
  }

  /** The first response to the same request, or a rejection if the key came with another request. */
  find(keyed: IdempotencyInput, reads: Pick<Reads, 'readShort'>): Promise<Outcome | undefined> {
    return runWork(findOutcome(postgresOwnTables, keyed), (statement, input) => reads.readShort(statement, input))
  }

  close(): void {
    this.#sweep.stop()
  }
}

/** Whether a write was rolled back because of a concurrent request with the same key. */
export function isKeyTaken(error: unknown): boolean {
  return takenIndex(error) === '_idempotency_pkey'
}
