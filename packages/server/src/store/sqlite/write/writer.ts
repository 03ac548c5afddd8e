/** Writes on SQLite: each runs inside a transaction that is already open, and is decided before anything changes. */
import type { DatabaseSync } from 'node:sqlite'
import type { AnyNoun, Value } from '@nomen/core'
import { immediate } from '../../../foundation/maybe-promise.ts'
import { decideChange } from '../../decide/change.ts'
import { decideCreate } from '../../decide/create.ts'
import { decideLink, decideUnlink, linkOf, notLinkable } from '../../decide/link.ts'
import { refusedFor } from '../../decide/order.ts'
import { changedFields, missingHere, notMatching, refused, taken } from '../../decide/refusal.ts'
import type { Model } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { ChangePlan, CreatePlan, DeletePlan, LinkPlan, Values, WrittenPlan } from '../../plan.ts'
import {
  createQuery,
  type LinkInput,
  linkQuery,
  sharesQuery,
  unlinkQuery,
  updateQuery,
  type WriteInput,
} from '../../sql/record-query.ts'
import { sqliteDialect } from '../dialect.ts'
import type { Statement } from '../statement.ts'
import { takenFields } from './constraint.ts'
import { type PathReads, recordOf, WriteContext } from './context.ts'
import { isLarge, type PreparedDelete, prepareDelete, remove } from './delete.ts'
import { IdempotencyKeys } from './idempotency-keys.ts'
import { SqliteLookups } from './lookups.ts'
import { asOne } from './savepoint.ts'

export class SqliteWriter {
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys
  readonly #lookups: SqliteLookups

  constructor(database: DatabaseSync, model: Model, path: PathReads) {
    this.#context = new WriteContext(database, model, path)
    this.#keys = new IdempotencyKeys(database)
    this.#lookups = new SqliteLookups(this.#context, this.#keys)
  }

  write(plan: WrittenPlan): Outcome {
    const { database } = this.#context
    // Most writes change something by one statement only, and a savepoint costs as much as that.
    if (plan.kind === 'create') return plan.idempotency ? asOne(database, () => this.#create(plan)) : this.#create(plan)
    if (plan.kind === 'delete') return asOne(database, () => remove(this.#context, plan))
    const missing = this.#context.path.missingAncestor(plan)
    if (missing) return missing
    if (plan.kind === 'change') return this.#change(plan)
    return plan.kind === 'link' ? this.#link(plan) : this.#unlink(plan)
  }

  isLarge(plan: DeletePlan): boolean {
    return isLarge(this.#context, plan)
  }

  prepareDelete(plan: DeletePlan): Outcome | PreparedDelete {
    return prepareDelete(this.#context, plan)
  }

  #create(plan: CreatePlan): Outcome {
    const { operation, values, idempotency, now } = plan
    const decision = immediate(decideCreate(this.#lookups, plan))
    if (decision) return decision
    const stored = this.#context.stored(operation)
    const fields = Object.keys(values)
    const insert = this.#context.prepared<WriteInput>(
      `insert ${operation.api} ${operation.path} ${fields.join()}`,
      () => createQuery(sqliteDialect, stored, operation.shape, fields),
    )
    const outcome = writtenOrTaken(stored.noun, insert, { key: null, values }, () => values)
    if (idempotency && outcome.kind === 'record') this.#keys.keep(idempotency, outcome, now)
    return outcome
  }

  /**
   * Reads the record first, even if the change depends on nothing in it: to write columns that stay as they are, in all
   * their indexes, takes longer than the read that avoids it. Only rules see more of it than the fields to be changed.
   */
  #change(plan: ChangePlan): Outcome {
    const { operation, values, key, match, check } = plan
    const current = this.#context.current(operation, plan, check ? undefined : Object.keys(values))
    if (!current) return missingHere(operation)
    if (Object.keys(values).length === 0)
      return refusedFor(notMatching(match, current)) ?? this.#context.path.record(plan)
    const stored = this.#context.stored(operation)
    const decision = immediate(decideChange(this.#lookups, stored, plan, current))
    if (decision) return decision
    const fields = changedFields(values, current.record)
    const update = this.#context.prepared<WriteInput>(
      `update ${operation.api} ${operation.path} ${fields.join()}`,
      () => updateQuery(sqliteDialect, stored, operation.shape, fields),
    )
    const whole = () => ({ ...this.#context.current(operation, plan)?.record, ...values })
    return writtenOrTaken(stored.noun, update, { key, values }, whole)
  }

  #link(plan: LinkPlan): Outcome {
    const { operation, key, rowFilter } = plan
    const { link, near, far } = linkOf(operation)
    if (!this.#lookups.isVisible(far, key, rowFilter)) return missingHere(operation)
    const decision = plan.match && decideLink(plan, this.#context.path.record(plan))
    if (decision) return decision
    const { sharing } = link
    const input = pairOf(plan)
    if (sharing !== undefined) {
      const query = () => sharesQuery(near, far, sharing)
      const shares = this.#context.prepared<LinkInput>(`shares ${link.name} ${near.name}`, query)
      if (!shares.first(input)) return notLinkable(operation)
    }
    this.#context.prepared<LinkInput>(`link ${link.name} ${near.name}`, () => linkQuery(link, near, far)).run(input)
    return this.#context.path.record(plan)
  }

  #unlink(plan: LinkPlan): Outcome {
    const { link, near, far } = linkOf(plan.operation)
    const shown = this.#context.path.record(plan)
    const decision = decideUnlink(plan, shown)
    if (decision) return decision
    const query = () => unlinkQuery(link, near, far)
    this.#context.prepared<LinkInput>(`unlink ${link.name} ${near.name}`, query).run(pairOf(plan))
    return shown
  }
}

function pairOf({ ancestors, key }: LinkPlan): LinkInput {
  return { near: ancestors.at(-1) as Value, far: key }
}

/** Runs an insert or update; if a unique value is taken, only that statement is undone. `whole` gives all of the record. */
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
