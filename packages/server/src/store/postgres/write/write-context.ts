/** What all writes have at hand: the database, the model, compiled statements, and the look at what stands in the way. */
import type { Operation, Value } from '@nomen/core'
import { noTarget, refused, type Target, taken, targetsIn } from '../../decision.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome, Refusal, Values } from '../../plan.ts'
import { nounOf, type Schema, schemaOf } from '../../schema.ts'
import { type DeleteStep, deleteSteps } from '../../sql/delete-steps.ts'
import type { Sql } from '../../sql/sql.ts'
import { StatementCache } from '../../sql/statement-cache.ts'
import type { Row } from '../pooled-connection.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { isTooLong, takenIndex } from '../postgres-error.ts'
import { uniqueFields } from '../postgres-table.ts'
import { missingAncestor } from '../row.ts'
import { compile, type Statement } from '../statement.ts'
import { obstacleQuery } from './write-query.ts'

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
}

export class WriteContext {
  readonly database: PostgresDatabase
  readonly model: Model
  readonly #schema: Schema
  readonly #steps = new Map<StoredNoun, readonly DeleteStep[]>()
  // biome-ignore lint/suspicious/noExplicitAny: each key stands for one kind of input, fixed where it is used
  readonly #statements = new StatementCache<Statement<any>>(writeForms)

  constructor(database: PostgresDatabase, model: Model) {
    this.database = database
    this.model = model
    this.#schema = schemaOf(model)
  }

  /** A statement of an operation, compiled once. */
  statement<Input>({ api, path, method }: Operation, form: string, build: () => Sql): Statement<Input> {
    return this.#statements.get(`${api} ${method} ${path} ${form}`, () => compile<Input>(build()))
  }

  stored({ shape }: Operation): StoredNoun {
    return this.model.nouns.get(shape.noun.name) as StoredNoun
  }

  /** What goes with a record of the noun when it is deleted. */
  deleteSteps(stored: StoredNoun): readonly DeleteStep[] {
    const steps = this.#steps.get(stored) ?? deleteSteps(this.model, stored)
    this.#steps.set(stored, steps)
    return steps
  }

  /** The refusal of values that the server would not take; `record` is the whole of what was to be written. */
  refusedValues({ noun }: StoredNoun, record: Values, error: unknown): Refusal | undefined {
    const schema = nounOf(this.#schema, noun.name)
    const index = takenIndex(error)
    const fields = index === undefined ? undefined : uniqueFields(schema, index)
    if (fields) return taken(fields, record)
    const long = isTooLong(error) ? schema.unique.flat().find((field) => isLong(record[field])) : undefined
    if (long === undefined) return undefined
    const detail = `${long} is too long: ${Buffer.byteLength(`${record[long]}`)} bytes.`
    return { reason: 'rule', breach: { field: long, detail, hint: `What is unique has at most ${longest} bytes.` } }
  }

  /** What counts before a rule or a value that is taken: an ancestor that is not there, then references to nothing. */
  async obstacle(
    { operation, ancestors }: Placed,
    values: Values,
    run: Run = this.#read,
  ): Promise<Outcome | undefined> {
    const targets = targetsIn(operation.shape.noun, values)
    const numberOfAncestors = operation.levels.length - 1
    if (numberOfAncestors + targets.length === 0) return undefined
    const statement = this.statement<{ ancestors: readonly Value[]; targets: readonly Target[] }>(
      operation,
      `obstacle ${targets.map(({ field }) => field)}`,
      () => obstacleQuery(operation, targets),
    )
    const [row = []] = await run(statement, { ancestors, targets })
    const refusal = noTarget(targets.filter((_, index) => row[numberOfAncestors + index] === 'f'))
    return missingAncestor(row.slice(0, numberOfAncestors)) ?? (refusal && refused(refusal))
  }

  readonly #read: Run = (statement, input) => this.database.readShort(statement, input)
}
