/** Where the statements of a write run on PostgreSQL, the compiled ones, and why the server refuses a record. */
import type { Operation, Value } from '@nomen/core'
import { LruCache } from '../../../foundation/lru-cache.ts'
import type { MaybePromise } from '../../../foundation/maybe-promise.ts'
import { refused, taken } from '../../decide/refusal.ts'
import { faultOf } from '../../fault.ts'
import { nounOf, schemaOf } from '../../migrate/schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome, Refusal } from '../../outcome.ts'
import type { RowFilter, Values } from '../../plan.ts'
import { cachedDeleteSteps } from '../../sql/delete-steps.ts'
import { rowFilterKey } from '../../sql/filter.ts'
import type { Sql } from '../../sql/sql.ts'
import { fieldName, tableName } from '../../stored-name.ts'
import type { Writes } from '../connect/database.ts'
import { postgresDialect } from '../dialect.ts'
import { demandOf } from '../error.ts'
import { compile, type Statement } from '../statement.ts'
import { takenColumns } from './conflict-columns.ts'
import { type IdempotencyKeys, isKeyTaken } from './idempotency-keys.ts'

/** How many forms of updates (which fields together) and other statements of writes stay compiled. */
const maxStatements = 1000

/** How many bytes the value of a unique field may have: an index has no room for more. */
const maxUniqueBytes = 2600

/** The operation of a statement, and the records that its caller sees. */
interface StatementScope {
  readonly operation: Operation
  readonly rowFilter?: RowFilter | undefined
}

/** What is built once for all writes, wherever they run. */
function sharedParts(model: Model, keys: IdempotencyKeys) {
  // biome-ignore lint/suspicious/noExplicitAny: each key stands for one kind of input, fixed where it is used
  const statements = new LruCache<Statement<any>>(maxStatements)
  return { model, keys, schema: schemaOf(model), deleteSteps: cachedDeleteSteps(model, postgresDialect), statements }
}

export class WriteContext {
  readonly database: Writes
  readonly shared: ReturnType<typeof sharedParts>

  constructor(database: Writes, shared: ReturnType<typeof sharedParts>) {
    this.database = database
    this.shared = shared
  }

  static of(database: Writes, model: Model, keys: IdempotencyKeys): WriteContext {
    return new WriteContext(database, sharedParts(model, keys))
  }

  /** A statement of an operation, compiled once for each form of the filter on records that callers see. */
  statement<Input>({ operation, rowFilter }: StatementScope, form: string, build: () => Sql): Statement<Input> {
    const { api, path, method } = operation
    return this.shared.statements.get(`${api} ${method} ${path} ${form}${rowFilterKey(rowFilter)}`, () =>
      compile<Input>(build()),
    )
  }

  stored({ shape }: Operation): StoredNoun {
    return this.shared.model.nouns.get(shape.noun.name) as StoredNoun
  }

  /** Whether the server has refused the record itself, and not only failed to write it. */
  isRefusal({ operation }: StatementScope, record: Values, error: unknown): boolean {
    return faultOf(error) === 'no-target' || this.#refusal(this.stored(operation), record, error) !== undefined
  }

  /**
   * The outcome for an error of a write: first what a lookup finds, then the value that the server has refused. Throws
   * other errors, and those whose reason is gone by now. `record` is all of the record that was to be written.
   */
  async explain(
    { operation }: StatementScope,
    record: Values,
    error: unknown,
    obstacle: () => MaybePromise<Outcome | undefined>,
  ): Promise<Outcome> {
    const refusal = this.#refusal(this.stored(operation), record, error)
    if (!refusal && faultOf(error) !== 'no-target' && !isKeyTaken(error)) throw error
    const outcome = await obstacle()
    if (outcome) return outcome
    if (refusal) return refused(refusal)
    throw error
  }

  #refusal({ noun }: StoredNoun, record: Values, error: unknown): Refusal | undefined {
    const schema = nounOf(this.shared.schema, tableName(noun))
    const columns = takenColumns(schema, error)
    const fieldsOf = (names: readonly string[]) => names.map((name) => fieldName(noun, name))
    if (columns) return taken(fieldsOf(columns), record)
    const demand = demandOf(error)
    if (demand !== undefined) {
      const detail = `The database refuses the record: ${demand}.`
      return { reason: 'rule', breach: { detail, hint: 'See what the table itself demands of its rows.' } }
    }
    if (faultOf(error) !== 'too-long') return undefined
    const field = fieldsOf(schema.unique.flat()).find((name) => bytesIn(record[name]) > maxUniqueBytes)
    if (field === undefined) return undefined
    const detail = `${field} is too long: ${bytesIn(record[field])} bytes.`
    return { reason: 'rule', breach: { field, detail, hint: `What is unique has at most ${maxUniqueBytes} bytes.` } }
  }
}

function bytesIn(value: Value | undefined): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0
}
