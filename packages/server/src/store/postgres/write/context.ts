/** The connection and compiled statements of PostgreSQL writes, and the reasons for rejections by the server. */
import { type Operation, tenantField } from '@nomen/core'
import { LruCache } from '../../../foundation/lru-cache.ts'
import type { MaybePromise } from '../../../foundation/maybe-promise.ts'
import { rejectionOutcome, takenRejection } from '../../decide/rejection.ts'
import { faultOf } from '../../fault/fault.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { nounOf } from '../../migrate/schema/schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome, Rejection } from '../../outcome.ts'
import type { RowFilter, Values } from '../../plan.ts'
import { rowFilterKey } from '../../sql/condition-key.ts'
import { cachedDeleteSteps } from '../../sql/delete-steps.ts'
import type { Sql } from '../../sql/sql.ts'
import { fieldName, tableName } from '../../stored-name.ts'
import type { Writes } from '../connect/database.ts'
import { postgresDialect } from '../dialect.ts'
import { databaseReason } from '../error.ts'
import { longValueRejection } from '../long-value.ts'
import { compile, type Statement } from '../statement.ts'
import { takenColumns } from './conflict-columns.ts'
import { type IdempotencyKeys, isKeyTaken } from './idempotency-keys.ts'

/** How many compiled statements of writes are cached; updates have one for each set of fields. */
const maxStatements = 1000

/** The operation of a statement, and the visibility of its caller. */
interface StatementScope {
  readonly operation: Operation
  readonly rowFilter?: RowFilter | undefined
}

/** The dependencies that all writes share. */
function sharedDependencies(model: Model, keys: IdempotencyKeys) {
  // biome-ignore lint/suspicious/noExplicitAny: each key has one kind of input, which its caller knows
  const statements = new LruCache<Statement<any>>(maxStatements)
  return { model, keys, schema: schemaOf(model), deleteSteps: cachedDeleteSteps(model, postgresDialect), statements }
}

export class WriteContext {
  readonly database: Writes
  readonly shared: ReturnType<typeof sharedDependencies>

  constructor(database: Writes, shared: ReturnType<typeof sharedDependencies>) {
    this.database = database
    this.shared = shared
  }

  static of(database: Writes, model: Model, keys: IdempotencyKeys): WriteContext {
    return new WriteContext(database, sharedDependencies(model, keys))
  }

  /** A statement of an operation, compiled once for each form of the row filter. */
  statement<Input>({ operation, rowFilter }: StatementScope, form: string, build: () => Sql): Statement<Input> {
    const { api, path, method } = operation
    return this.shared.statements.get(`${api} ${method} ${path} ${form}${rowFilterKey(rowFilter)}`, () =>
      compile<Input>(build()),
    )
  }

  stored({ shape }: Operation): StoredNoun {
    return this.shared.model.nouns.get(shape.noun.name) as StoredNoun
  }

  /** Whether the server has rejected the record itself, and not only failed to write it. */
  isRejection({ operation }: StatementScope, record: Values, error: unknown): boolean {
    return faultOf(error) === 'no-target' || this.#rejection(this.stored(operation), record, error) !== undefined
  }

  /**
   * The outcome for an error of a write: first the result of a lookup, then the value that the server has rejected. Throws
   * other errors, and those whose cause no longer exists. `record` is the whole record that should have been written.
   */
  async explain(
    { operation }: StatementScope,
    record: Values,
    error: unknown,
    findEarlierOutcome: () => MaybePromise<Outcome | undefined>,
  ): Promise<Outcome> {
    const rejection = this.#rejection(this.stored(operation), record, error)
    if (!rejection && faultOf(error) !== 'no-target' && !isKeyTaken(error)) throw error
    const outcome = await findEarlierOutcome()
    if (outcome) return outcome
    if (rejection) return rejectionOutcome(rejection)
    throw error
  }

  #rejection({ noun }: StoredNoun, record: Values, error: unknown): Rejection | undefined {
    const schema = nounOf(this.shared.schema, tableName(noun))
    const columns = takenColumns(schema, error)
    const fieldsOf = (names: readonly string[]) => names.map((name) => fieldName(noun, name))
    if (columns)
      return takenRejection(
        fieldsOf(columns).filter((field) => field !== tenantField(noun)),
        record,
      )
    const reason = databaseReason(error)
    if (reason !== undefined) {
      const detail = `The database rejected the record: ${reason}.`
      return {
        reason: 'rule',
        breach: { detail, hint: 'Check the column types, constraints and triggers of the table.' },
      }
    }
    return longValueRejection(noun, schema, error, record)
  }
}
