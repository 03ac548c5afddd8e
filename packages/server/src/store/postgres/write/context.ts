/** What all writes have at hand: the database, the model, compiled statements, and the look at what stands in the way. */
import type { Operation, Value } from '@nomen/core'
import { LruCache } from '../../../foundation/lru-cache.ts'
import { mustBeSeen, noTarget, refused, taken, targetsIn } from '../../decision.ts'
import { nounOf, type Schema, schemaOf } from '../../migrate/schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome, Refusal } from '../../outcome.ts'
import type { RowFilter, Values } from '../../plan.ts'
import { type DeleteStep, deleteSteps } from '../../sql/delete-steps.ts'
import { sightKey } from '../../sql/filter.ts'
import type { Sql } from '../../sql/sql.ts'
import { fieldName, tableName } from '../../stored-name.ts'
import type { Statements } from '../connect/database.ts'
import type { Row } from '../connect/pooled-connection.ts'
import { postgresDialect } from '../dialect.ts'
import { demandOf, isTooLong } from '../error.ts'
import { missingAncestor } from '../row.ts'
import { compile, type Statement } from '../statement.ts'
import { takenColumns } from './conflict-columns.ts'
import { type Aim, obstacleQuery } from './query.ts'

/** How many forms of updates (which fields together) and other statements of writes stay compiled. */
const writeForms = 1000

/** How many bytes a unique text has room for in its index, at worst. */
const longest = 2600

function isLong(value: Value | undefined): boolean {
  return typeof value === 'string' && Buffer.byteLength(value) > longest
}

/** Runs a statement, on a connection of one's own or on any. */
export type Run = <Input>(statement: Statement<Input>, input: Input) => Promise<readonly Row[]>

/** The part of a plan that says where in the path a record is. */
export interface Placed {
  readonly operation: Operation
  readonly ancestors: readonly Value[]
  readonly sight?: RowFilter | undefined
}

/** What is made once for all writes, wherever they run. */
interface Known {
  readonly schema: Schema
  readonly steps: Map<StoredNoun, readonly DeleteStep[]>
  // biome-ignore lint/suspicious/noExplicitAny: each key stands for one kind of input, fixed where it is used
  readonly statements: LruCache<Statement<any>>
}

function whatIsKnown(model: Model): Known {
  return { schema: schemaOf(model), steps: new Map(), statements: new LruCache(writeForms) }
}

export class WriteContext {
  readonly database: Statements
  readonly model: Model
  readonly #known: Known

  constructor(database: Statements, model: Model, known: Known = whatIsKnown(model)) {
    this.database = database
    this.model = model
    this.#known = known
  }

  /** The same where all statements run elsewhere. */
  on(database: Statements): WriteContext {
    return new WriteContext(database, this.model, this.#known)
  }

  /** A statement of an operation, compiled once for each form of what callers see. */
  statement<Input>({ operation, sight }: Omit<Placed, 'ancestors'>, form: string, build: () => Sql): Statement<Input> {
    const { api, path, method } = operation
    return this.#known.statements.get(`${api} ${method} ${path} ${form}${sightKey(sight)}`, () =>
      compile<Input>(build()),
    )
  }

  stored({ shape }: Operation): StoredNoun {
    return this.model.nouns.get(shape.noun.name) as StoredNoun
  }

  /** What goes with a record of the noun when it is deleted. */
  deleteSteps(stored: StoredNoun, sight: RowFilter | undefined): readonly DeleteStep[] {
    if (sight) return deleteSteps(this.model, stored, { dialect: postgresDialect, sight })
    const steps = this.#known.steps.get(stored) ?? deleteSteps(this.model, stored)
    this.#known.steps.set(stored, steps)
    return steps
  }

  /** The refusal of values that the server would not take; `record` is the whole of what was to be written. */
  refusedValues({ noun }: StoredNoun, record: Values, error: unknown): Refusal | undefined {
    const schema = nounOf(this.#known.schema, tableName(noun))
    const columns = takenColumns(schema, error)
    const fieldsOf = (names: readonly string[]) => names.map((name) => fieldName(noun, name))
    if (columns) return taken(fieldsOf(columns), record)
    const demand = demandOf(error)
    if (demand !== undefined) {
      const detail = `The database refuses the record: ${demand}.`
      return { reason: 'rule', breach: { detail, hint: 'See what the table itself demands of its rows.' } }
    }
    const long = isTooLong(error) ? fieldsOf(schema.unique.flat()).find((field) => isLong(record[field])) : undefined
    if (long === undefined) return undefined
    const detail = `${long} is too long: ${Buffer.byteLength(`${record[long]}`)} bytes.`
    return { reason: 'rule', breach: { field: long, detail, hint: `What is unique has at most ${longest} bytes.` } }
  }

  /**
   * What counts before a rule or a value that is taken: an ancestor that is not there, then references to nothing. Where
   * a record is changed, `previous` is what it was.
   */
  async obstacle(
    placed: Placed,
    values: Values,
    { previous, run = this.#read }: { readonly previous?: Values | undefined; readonly run?: Run } = {},
  ): Promise<Outcome | undefined> {
    const { operation, ancestors, sight } = placed
    const { noun } = operation.shape
    const aims = targetsIn(noun, values).map(
      (target): Aim => ({ ...target, sight: mustBeSeen(noun, target, previous) ? sight : undefined }),
    )
    const numberOfAncestors = operation.levels.length - 1
    if (numberOfAncestors + aims.length === 0) return undefined
    const form = aims.map((aim) => (aim.sight ? `!${aim.field}` : aim.field))
    const statement = this.statement<{
      ancestors: readonly Value[]
      aims: readonly Aim[]
      sight: RowFilter | undefined
    }>(placed, `obstacle ${form}`, () => obstacleQuery(operation, aims, sight))
    const [row = []] = await run(statement, { ancestors, aims, sight })
    const refusal = noTarget(aims.filter((_, index) => row[numberOfAncestors + index] === 'f'))
    return missingAncestor(row.slice(0, numberOfAncestors)) ?? (refusal && refused(refusal))
  }

  readonly #read: Run = (statement, input) => this.database.readShort(statement, input)
}
