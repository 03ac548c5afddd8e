/** Writes on PostgreSQL, correct with any number of concurrent writers in any process. */
import { rejectionOutcome } from '../../decide/rejection.ts'
import { StoreUnavailable } from '../../fault/error.ts'
import type { Model } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { WritePlan } from '../../plan.ts'
import { erasureSteps } from '../../sql/history/erasure.ts'
import type { StoreFaultListener } from '../../store.ts'
import type { PostgresDatabase, Writes } from '../connect/database.ts'
import { postgresDialect } from '../dialect.ts'
import { databaseReason, violatedKey } from '../error.ts'
import { postgresOwnTables, runWork } from '../own-tables.ts'
import { changeRecord } from './change.ts'
import { WriteContext } from './context.ts'
import { createRecord } from './create.ts'
import { deleteRecord } from './delete.ts'
import { IdempotencyKeys, isKeyTaken } from './idempotency-keys.ts'
import { linkRecord, unlinkRecord } from './link.ts'
import { RecordGate } from './record-gate.ts'

/**
 * Erases this many history entries in one statement, far below its time limit. Smaller steps would be slower: each of them also
 * reads the entries that the transaction has deleted before.
 */
const erasureStep = erasureSteps(postgresDialect, postgresOwnTables, 20_000)

export class PostgresWriter {
  readonly #database: PostgresDatabase
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys
  readonly #gate = new RecordGate()

  constructor(database: PostgresDatabase, model: Model, onFault?: StoreFaultListener) {
    this.#database = database
    this.#keys = new IdempotencyKeys(database, onFault)
    this.#context = WriteContext.of(database.withoutRetry, model, this.#keys)
  }

  close(): void {
    this.#keys.close()
  }

  async write(plan: WritePlan): Promise<Outcome> {
    try {
      return await this.#gate.enter(plan, () =>
        this.#database.retry(() => writeOnce(this.#context, plan), { isConflict: isKeyTaken }),
      )
    } catch (error) {
      return databaseRejection(error, error instanceof StoreUnavailable ? error.cause : undefined)
    }
  }

  /**
   * A write within a transaction of several plans. Throws if other writes interfere, so that the whole transaction is
   * retried. If a foreign key fails again in a retry (`isRetry`), the write is rejected.
   */
  async writeIn(statements: Writes, plan: WritePlan, isRetry: boolean): Promise<Outcome> {
    try {
      return await writeOnce(new WriteContext(statements, this.#context.shared), plan)
    } catch (error) {
      return databaseRejection(error, isRetry ? error : undefined)
    }
  }
}

function writeOnce(context: WriteContext, plan: WritePlan): Promise<Outcome> {
  switch (plan.kind) {
    case 'create':
      return createRecord(context, plan)
    case 'change':
      return changeRecord(context, plan)
    case 'delete':
      return deleteRecord(context, plan)
    case 'link':
      return linkRecord(context, plan)
    case 'unlink':
      return unlinkRecord(context, plan)
    case 'erase':
      return context.database.transaction((run) => runWork(erasureStep(plan), run))
  }
}

/**
 * The rejection of a write for a reason that no declaration explains: a trigger of another program, or a foreign key that
 * failed at each try (`lastingError`). Throws every other error.
 */
function databaseRejection(error: unknown, lastingError: unknown): Outcome {
  const reason = violatedKey(lastingError) ?? databaseReason(error)
  if (reason === undefined) throw error
  const hint =
    'Check the column types, constraints and triggers of the tables. If the column of a removed field is the cause, run nomen migrate --contract.'
  return rejectionOutcome({ reason: 'rule', breach: { detail: `The database rejected the write: ${reason}.`, hint } })
}
