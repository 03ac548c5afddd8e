/** Writes on SQLite: each runs inside a transaction that is already open, and decides before it changes anything. */
import type { DatabaseSync } from 'node:sqlite'
import type { AnyNoun, Operation, Value } from '@nomen/core'
import { LruCache } from '../../../foundation/lru-cache.ts'
import {
  brokenRule,
  changedFields,
  linkOf,
  missingHere,
  notVisible,
  type Pointing,
  refused,
  stillReferenced,
  taken,
  wrongTransition,
} from '../../decision.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome, Refusal } from '../../outcome.ts'
import type { ChangePlan, CreatePlan, DeletePlan, LinkPlan, Plan, RowFilter, Values, WrittenPlan } from '../../plan.ts'
import { type DeleteInput, type DeleteStep, deleteSteps, dependentsQuery } from '../../sql/delete-steps.ts'
import { sightKey } from '../../sql/filter.ts'
import {
  createQuery,
  deleteQuery,
  type LinkInput,
  linkQuery,
  type RecordInput,
  readQuery,
  sameVersionQuery,
  sharesQuery,
  storedShape,
  unlinkQuery,
  updateQuery,
  type WriteInput,
} from '../../sql/record-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { sqliteDialect } from '../dialect.ts'
import { compile, prepare, type Statement } from '../statement.ts'
import { takenFields } from './constraint.ts'
import { IdempotencyKeys } from './idempotency-keys.ts'
import { SqliteReferenceCheck } from './reference-check.ts'
import { asOne } from './savepoint.ts'
import type { BoundStatement } from './thread.ts'

/** How many forms of updates (which fields together) and other statements of writes stay prepared. */
const writeForms = 1000

/** A delete that removes or changes at least this number of other rows is large. */
const largeDelete = 1000

/** A delete that is done elsewhere, in one transaction. */
export interface PreparedDelete {
  readonly kind: 'prepared'
  readonly outcome: Outcome
  /** The record as it is stored, where somebody wants to see it. */
  readonly record: Values | undefined
  /** Gives a row where the record is still as it was. */
  readonly unchanged: BoundStatement
  /** Each gives 0 where nothing stands in the way. */
  readonly counts: readonly BoundStatement[]
  /** Each is run until it changes less than it may. */
  readonly changes: readonly BoundStatement[]
  /** Takes the record itself away. */
  readonly removal: BoundStatement
}

export class SqliteWriter {
  readonly #database: DatabaseSync
  readonly #model: Model
  readonly #missingAncestor: (plan: Plan) => Outcome | undefined
  // biome-ignore lint/suspicious/noExplicitAny: each key stands for one kind of input, fixed where it is used
  readonly #statements = new LruCache<Statement<any>>(writeForms)
  readonly #judge = new SqliteReferenceCheck((key, build) => this.#prepared(key, build))
  readonly #keys: IdempotencyKeys

  constructor(database: DatabaseSync, model: Model, missingAncestor: (plan: Plan) => Outcome | undefined) {
    this.#database = database
    this.#model = model
    this.#missingAncestor = missingAncestor
    this.#keys = new IdempotencyKeys(database)
  }

  write(plan: WrittenPlan): Outcome {
    const settled = this.#repeated(plan) ?? this.#missingAncestor(plan)
    if (settled) return settled
    // Nearly all writes change something by one statement only, and a savepoint costs as much as that.
    if (plan.kind === 'create') return plan.idempotency ? this.#asOne(() => this.#create(plan)) : this.#create(plan)
    if (plan.kind === 'change') return this.#change(plan)
    if (plan.kind === 'delete') return this.#asOne(() => this.#delete(plan))
    return plan.kind === 'link' ? this.#link(plan) : this.#unlink(plan)
  }

  /** The first answer to a repeated request, whatever has become of the record and its parents since. */
  #repeated(plan: WrittenPlan): Outcome | undefined {
    return plan.kind === 'create' && plan.idempotency ? this.#keys.find(plan.idempotency, plan.now) : undefined
  }

  #create(plan: CreatePlan): Outcome {
    const { operation, values, idempotency, now } = plan
    const stored = this.#stored(operation)
    const refusal =
      this.#judge.missingTargets(plan, undefined) ??
      notVisible(stored.noun, plan.sight, values, undefined) ??
      brokenRule(plan.check, values, undefined)
    if (refusal) return refused(refusal)
    const fields = Object.keys(values)
    const insert = this.#prepared(`insert ${operation.api} ${operation.path} ${fields.join()}`, () =>
      createQuery(sqliteDialect, stored, operation.shape, fields),
    )
    const outcome = writtenOrTaken(stored.noun, insert, { key: null, values }, () => values)
    if (idempotency && outcome.kind === 'record') this.#keys.keep(idempotency, outcome, now)
    return outcome
  }

  /**
   * Reads the record first, also where nothing depends on what it is: to write columns that stay as they are, in all their
   * indexes, takes longer than the look that spares it. Only rules see more of it than is to be changed.
   */
  #change(plan: ChangePlan): Outcome {
    const { operation, values, key, match, check } = plan
    const found = this.#current(operation, plan, check ? undefined : Object.keys(values))
    if (!found) return missingHere(operation)
    const { record: previous, identity, version } = found
    if (match && !match(identity, version)) return refused({ reason: 'changed' })
    if (Object.keys(values).length === 0) return this.#shown(operation, plan)
    const stored = this.#stored(operation)
    const next = { ...previous, ...values }
    const refusal =
      wrongTransition(stored.noun, values, previous) ??
      this.#judge.missingTargets(plan, previous) ??
      this.#judge.brokenSharing(stored, next, previous, { key: identity, sight: plan.sight }) ??
      notVisible(stored.noun, plan.sight, next, previous) ??
      brokenRule(check, next, previous)
    if (refusal) return refused(refusal)
    const whole = () => ({ ...this.#current(operation, plan)?.record, ...values })
    return writtenOrTaken(stored.noun, this.#update(plan, changedFields(values, previous)), { key, values }, whole)
  }

  #update({ operation }: ChangePlan, fields: readonly string[]): Statement<WriteInput> {
    return this.#prepared(`update ${operation.api} ${operation.path} ${fields.join()}`, () =>
      updateQuery(sqliteDialect, this.#stored(operation), operation.shape, fields),
    )
  }

  /** Whether so much goes with a record that everybody else would wait for its delete. */
  isLarge({ operation, key }: DeletePlan): boolean {
    const stored = this.#stored(operation)
    const query = this.#prepared<DeleteInput>(`dependents ${stored.noun.name}`, () => {
      return dependentsQuery(this.#deleteSteps(stored, undefined), largeDelete + 1) ?? sql`select 0`
    })
    return Number(query.first({ key, now: '' })?.[0]) > largeDelete
  }

  /** What a delete would answer, and the statements that do it elsewhere; only the answer where it is refused. */
  prepareDelete(plan: DeletePlan): Outcome | PreparedDelete {
    const settled = this.#missingAncestor(plan)
    if (settled) return settled
    const { operation, match, now, sight } = plan
    const outcome = this.#shown(operation, plan)
    if (outcome.kind !== 'record') return outcome
    const { identity: key, version } = outcome
    if (match && !match(key, version)) return refused({ reason: 'changed' })
    const stored = this.#stored(operation)
    const input = { key, now, sight }
    const steps = this.#deleteSteps(stored, sight)
    const refusal = this.#stillPointing(stored, steps, input)
    if (refusal) return refused(refusal)
    const bound = <Input>(query: Sql, given: Input) => {
      const { text, bind } = compile<Input>(query)
      return { text, values: bind(given) }
    }
    return {
      kind: 'prepared',
      outcome,
      record: plan.seeing && this.#current(operation, plan)?.record,
      unchanged: bound(sameVersionQuery(stored.noun), { key, version }),
      counts: steps.flatMap((step) => (step.kind === 'count' ? [bound(step.query, input)] : [])),
      changes: steps.flatMap((step) => (step.kind === 'change' ? [bound(step.some, input)] : [])),
      removal: bound(deleteQuery(stored.noun), key),
    }
  }

  #delete(plan: DeletePlan): Outcome {
    const { operation, match, now } = plan
    const shown = this.#shown(operation, plan)
    if (shown.kind !== 'record') return shown
    const { identity, version } = shown
    if (match && !match(identity, version)) return refused({ reason: 'changed' })
    const stored = this.#stored(operation)
    // Before anything that goes with it is cleared.
    const last = plan.seeing && this.#current(operation, plan)
    const refusal = this.#cleared(stored, { key: identity, now, sight: plan.sight })
    if (refusal) return refused(refusal)
    if (last) plan.seeing?.(last.record)
    this.#prepared<Value>(`delete ${stored.noun.name}`, () => deleteQuery(stored.noun)).run(identity)
    return shown
  }

  /** Takes away what goes with a record, unless others point at it. */
  #cleared(stored: StoredNoun, input: DeleteInput): Refusal | undefined {
    const steps = this.#deleteSteps(stored, input.sight)
    const refusal = this.#stillPointing(stored, steps, input)
    if (refusal) return refusal
    for (const [index, step] of steps.entries())
      if (step.kind === 'change') this.#deleteStep(stored, step, index, input.sight).run(input)
    return undefined
  }

  #stillPointing(stored: StoredNoun, steps: readonly DeleteStep[], input: DeleteInput): Refusal | undefined {
    const pointing: Pointing[] = []
    for (const [index, step] of steps.entries()) {
      if (step.kind !== 'count') continue
      const row = this.#deleteStep(stored, step, index, input.sight).first(input) ?? [0]
      const [count, seen = count] = row as readonly [number, number?]
      pointing.push({ noun: step.noun, field: step.field, count, seen })
    }
    return stillReferenced(pointing)
  }

  #deleteStep({ noun }: StoredNoun, { query }: DeleteStep, index: number, sight: RowFilter | undefined) {
    return this.#prepared<DeleteInput>(`delete ${noun.name} ${index}${sightKey(sight)}`, () => query)
  }

  #link(plan: LinkPlan): Outcome {
    const { operation, match } = plan
    const { link, near, far } = linkOf(operation)
    const input: LinkInput = { near: plan.ancestors.at(-1) as Value, far: plan.key }
    if (!this.#judge.isSeen(far, plan.key, plan.sight)) return missingHere(operation)
    if (match) {
      const shown = this.#shown(operation, plan)
      if (shown.kind === 'record') return match(shown.identity, shown.version) ? shown : refused({ reason: 'changed' })
      if (plan.mustBeLinked) return refused({ reason: 'not-linked' })
    }
    const { sharing } = link
    if (sharing !== undefined) {
      const shares = this.#prepared<LinkInput>(`shares ${link.name} ${near.name}`, () =>
        sharesQuery(near, far, sharing),
      )
      if (!shares.first(input)) return refused({ reason: 'not-shared', field: sharing, noun: near.name, count: 1 })
    }
    this.#prepared<LinkInput>(`link ${link.name} ${near.name}`, () => linkQuery(link, near, far)).run(input)
    return this.#shown(operation, plan)
  }

  #unlink(plan: LinkPlan): Outcome {
    const { operation, match } = plan
    const { link, near, far } = linkOf(operation)
    const shown = this.#shown(operation, plan)
    if (shown.kind !== 'record') return shown
    if (match && !match(shown.identity, shown.version)) return refused({ reason: 'changed' })
    const input: LinkInput = { near: plan.ancestors.at(-1) as Value, far: plan.key }
    this.#prepared<LinkInput>(`unlink ${link.name} ${near.name}`, () => unlinkQuery(link, near, far)).run(input)
    return shown
  }

  /** The record as the operation shows it. */
  #shown(operation: Operation, input: RecordInput): Outcome {
    const { sight } = input
    const read = this.#prepared<RecordInput>(`read ${operation.api} ${operation.path}${sightKey(sight)}`, () =>
      readQuery(sqliteDialect, operation, operation.shape, sight),
    )
    const row = read.first(input)
    return row ? recordOf(row) : missingHere(operation)
  }

  /** The record as it is stored, or only some fields of it. */
  #current(operation: Operation, input: RecordInput, fields?: readonly string[]) {
    const { sight } = input
    const part = fields ? `only ${fields.join()}` : 'whole'
    const key = `stored ${operation.api} ${operation.path}${sightKey(sight)} ${part}`
    const read = this.#prepared<RecordInput>(key, () =>
      readQuery(sqliteDialect, operation, storedShape(operation.shape.noun, fields), sight),
    )
    const row = read.first(input)
    if (!row) return undefined
    return { record: JSON.parse(row[0] as string) as Values, identity: row[1] as Value, version: row[2] as number }
  }

  #asOne(write: () => Outcome): Outcome {
    return asOne(this.#database, write)
  }

  #stored(operation: Operation): StoredNoun {
    return this.#model.nouns.get(operation.shape.noun.name) as StoredNoun
  }

  readonly #steps = new Map<StoredNoun, ReturnType<typeof deleteSteps>>()

  #deleteSteps(stored: StoredNoun, sight: RowFilter | undefined) {
    if (sight) return deleteSteps(this.#model, stored, { dialect: sqliteDialect, sight })
    const known = this.#steps.get(stored) ?? deleteSteps(this.#model, stored)
    this.#steps.set(stored, known)
    return known
  }

  #prepared<Input>(key: string, build: () => Sql): Statement<Input> {
    return this.#statements.get(key, () => prepare<Input>(this.#database, build()))
  }
}

function recordOf(row: readonly unknown[]): Outcome {
  const [json, identity, version] = row as [string, number | string, number]
  return { kind: 'record', json, identity, version }
}

/** Runs an insert or update; where a unique value is taken, only that statement is undone. `whole` gives all of the record. */
function writtenOrTaken(
  noun: AnyNoun,
  statement: Statement<WriteInput>,
  input: WriteInput,
  whole: () => Values,
): Outcome {
  try {
    return recordOf(statement.first(input) as readonly unknown[])
  } catch (error) {
    const fields = takenFields(noun, error)
    if (fields) return refused(taken(fields, whole()))
    throw error
  }
}
