/** Writes on SQLite: each runs within an open transaction, and is decided before anything changes. */
import type { DatabaseSync } from 'node:sqlite'
import { type AnyNoun, hasHistory, type Value } from '@nomen/core'
import { immediate } from '../../../foundation/maybe-promise.ts'
import { decideChange, withAssigned } from '../../decide/change.ts'
import { decideCreate } from '../../decide/create.ts'
import { decideLink, decideUnlink, linkOfOperation, needsDecision, unsharedLinkOutcome } from '../../decide/link.ts'
import {
  changedFields,
  missingRecordOutcome,
  preconditionRejection,
  rejectionOutcome,
  takenRejection,
} from '../../decide/rejection.ts'
import type { Model } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { ChangePlan, CreatePlan, DeletePlan, LinkPlan, Values, WritePlan } from '../../plan.ts'
import { erasureSteps } from '../../sql/history/erasure.ts'
import { type LinkInput, linkQuery, sharesQuery, unlinkQuery } from '../../sql/link-query.ts'
import { createQuery, updateQuery, type WriteInput } from '../../sql/write-query.ts'
import { sqliteDialect } from '../dialect.ts'
import { SqliteOwnTables, sqliteOwnTables } from '../own-tables.ts'
import type { Statement } from '../statement.ts'
import { takenFields, undeclaredReference } from './constraint.ts'
import { type PathReads, recordOutcome, WriteContext } from './context.ts'
import { SqliteDecisionReads } from './decision-reads.ts'
import { deleteRecord, isLargeDelete, type PreparedDelete, prepareDelete } from './delete.ts'
import { HistoryOrigin } from './history-origin.ts'
import { IdempotencyKeys } from './idempotency-keys.ts'
import { inSavepoint } from './savepoint.ts'

/** Erases this many history entries at once: other requests wait meanwhile. */
const erasureStep = erasureSteps(sqliteDialect, sqliteOwnTables, 500)

export class SqliteWriter {
  readonly #context: WriteContext
  readonly #keys: IdempotencyKeys
  readonly #reads: SqliteDecisionReads
  readonly #ownTables: SqliteOwnTables
  /** Undefined if the service records no history. */
  readonly history: HistoryOrigin | undefined

  constructor(database: DatabaseSync, model: Model, path: PathReads) {
    this.#context = new WriteContext(database, model, path)
    this.#keys = new IdempotencyKeys(database)
    this.#reads = new SqliteDecisionReads(this.#context, this.#keys)
    this.#ownTables = new SqliteOwnTables(database)
    this.history = HistoryOrigin.of(database, model)
  }

  write(plan: WritePlan): Outcome {
    if (!this.history || !mayBeRecorded(plan)) return this.#write(plan)
    return this.history.runWrite(plan.origin ?? {}, () => this.#write(plan))
  }

  #write(plan: WritePlan): Outcome {
    const { database } = this.#context
    // Most writes run a single statement, and a savepoint costs as much as that.
    if (plan.kind === 'create')
      return plan.idempotency ? inSavepoint(database, () => this.#create(plan)) : this.#create(plan)
    if (plan.kind === 'delete') return this.#remove(plan)
    if (plan.kind === 'erase') return inSavepoint(database, () => this.#ownTables.run(erasureStep(plan)))
    const missing = this.#context.path.missingAncestor(plan)
    if (missing) return missing
    if (plan.kind === 'change') return this.#change(plan)
    return plan.kind === 'link' ? this.#link(plan) : this.#unlink(plan)
  }

  #remove(plan: DeletePlan): Outcome {
    try {
      return inSavepoint(this.#context.database, () => deleteRecord(this.#context, plan))
    } catch (error) {
      return undeclaredReference(error)
    }
  }

  isLarge(plan: DeletePlan): boolean {
    return isLargeDelete(this.#context, plan)
  }

  prepareDelete(plan: DeletePlan): Outcome | PreparedDelete {
    return prepareDelete(this.#context, plan)
  }

  #create(plan: CreatePlan): Outcome {
    const { operation, values, idempotency, now, version } = plan
    const isRestored = version !== undefined
    const decision = immediate(decideCreate(this.#reads, plan))
    if (decision) return decision
    const stored = this.#context.storedNoun(operation)
    const fields = Object.keys(values)
    const insert = this.#context.statement<WriteInput>(
      `${isRestored ? 'restore' : 'insert'} ${operation.api} ${operation.path} ${fields.join()}`,
      () => createQuery(sqliteDialect, stored, operation.shape, fields, { isRestored }),
    )
    const outcome = runUnlessTaken(stored.noun, insert, { key: null, values, version }, () => values)
    if (idempotency && outcome.kind === 'record') this.#keys.store(idempotency, outcome, now)
    return outcome
  }

  /**
   * Reads the record first, even if the change does not depend on it. Writing unchanged columns and their indexes would
   * take longer than the read that avoids it. Only rules and assignments need more than the fields to be changed.
   */
  #change(requestedPlan: ChangePlan): Outcome {
    const { operation, key, meetsPreconditions, check, assign } = requestedPlan
    const fieldsRead = check || assign ? undefined : Object.keys(requestedPlan.values)
    const current = this.#context.currentRecord(operation, requestedPlan, fieldsRead)
    if (!current) return missingRecordOutcome(operation)
    if (Object.keys(requestedPlan.values).length === 0)
      return (
        rejectionOutcome(preconditionRejection(meetsPreconditions, current)) ?? this.#context.path.record(requestedPlan)
      )
    const plan = withAssigned(requestedPlan, current.record)
    const { values } = plan
    const stored = this.#context.storedNoun(operation)
    const decision = immediate(decideChange(this.#reads, stored, plan, current))
    if (decision) return decision
    const fields = changedFields(values, current.record)
    const update = this.#context.statement<WriteInput>(
      `update ${operation.api} ${operation.path} ${fields.join()}`,
      () => updateQuery(sqliteDialect, stored, operation.shape, fields),
    )
    const wholeRecord = () => ({ ...this.#context.currentRecord(operation, plan)?.record, ...values })
    return runUnlessTaken(stored.noun, update, { key, values }, wholeRecord)
  }

  #link(plan: LinkPlan): Outcome {
    const { operation, key, rowFilter } = plan
    const { link, first, second } = linkOfOperation(operation)
    if (!this.#reads.isVisible(second, key, rowFilter)) return missingRecordOutcome(operation)
    const decision = needsDecision(plan) ? decideLink(plan, this.#context.path.record(plan)) : undefined
    if (decision) return decision
    const { sharing } = link
    const input = linkInput(plan)
    if (sharing !== undefined) {
      const query = () => sharesQuery(first, second, sharing)
      const shares = this.#context.statement<LinkInput>(`shares ${link.name} ${first.name}`, query)
      if (!shares.first(input)) return unsharedLinkOutcome(operation)
    }
    this.#context
      .statement<LinkInput>(`link ${link.name} ${first.name}`, () => linkQuery(link, first, second))
      .run(input)
    return this.#context.path.record(plan)
  }

  #unlink(plan: LinkPlan): Outcome {
    const { link, first, second } = linkOfOperation(plan.operation)
    const outcome = this.#context.path.record(plan)
    const decision = decideUnlink(plan, outcome)
    if (decision) return decision
    const query = () => unlinkQuery(link, first, second)
    this.#context.statement<LinkInput>(`unlink ${link.name} ${first.name}`, query).run(linkInput(plan))
    return outcome
  }
}

/** Whether the history may record a write. A delete may change records of other nouns. */
function mayBeRecorded({ kind, operation: { shape, link } }: WritePlan): boolean {
  return kind === 'delete' || hasHistory(kind === 'link' || kind === 'unlink' ? (link ?? shape.noun) : shape.noun)
}

function linkInput({ ancestors, key }: LinkPlan): LinkInput {
  return { first: ancestors.at(-1) as Value, second: key }
}

/** Runs an insert or update; if a unique value is taken, only that statement is rolled back. `wholeRecord` returns the whole record. */
function runUnlessTaken(
  noun: AnyNoun,
  statement: Statement<WriteInput>,
  input: WriteInput,
  wholeRecord: () => Values,
): Outcome {
  try {
    return recordOutcome(statement.first(input) as readonly unknown[])
  } catch (error) {
    const fields = takenFields(noun, error)
    if (fields) return rejectionOutcome(takenRejection(fields, wholeRecord()))
    throw error
  }
}
