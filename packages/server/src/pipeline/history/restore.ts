/** Restores a deleted record from its history, with the records that it owned and its links, in one transaction. */
import { type AnyNoun, type Operation, ProblemError, specOf, targetOf, type Value } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import { timestamp } from '../../foundation/timestamp.ts'
import type { Model } from '../../store/model.ts'
import type { Outcome, Rejection } from '../../store/outcome.ts'
import type { ListPlan, ReadPlan, RowFilter } from '../../store/plan.ts'
import type { RecordStore, Transaction } from '../../store/store.ts'
import type { ChangeNotifier } from '../hook/hooks.ts'
import type { PlanFor } from '../plan.ts'
import type { ParsedRequest } from '../read/parsed-request.ts'
import type { RunRequest } from '../run.ts'
import { type DeletedRecord, deletedRecord, identityIn, isWaitingFor } from './deleted-record.ts'
import { type EntryFields, isFieldVisible, originOf } from './entries.ts'
import {
  type Entry,
  type EntryHead,
  entryHeads,
  equalCondition,
  newestEntry,
  readEntry,
  recordName,
  stateOf,
  visibilityOf,
  wasBelow,
} from './entry-reads.ts'
import { type ChangeStamp, createPlan, linkPlan, referencePlan } from './restore-plan.ts'
import { cannotRestore, cannotRestoreLink, recordExists } from './restore-problem.ts'
import { turnYielder } from './turn-yielder.ts'

/** The time limit of the transaction: a record may have owned many others. */
const limitMs = 30_000

/** The dependencies of a restoration. */
export interface RestoreDependencies {
  readonly planFor: PlanFor
  readonly model: Model
  readonly store: RecordStore
  /** The fields that callers may see. */
  readonly entryFields: EntryFields
  /** Undefined if an operation has no hooks. */
  readonly notifierFor: (operation: Operation) => ChangeNotifier | undefined
}

/** Returns the function that runs the operation: a restoration for `restore`, otherwise `run`. */
export function withRestore(operation: Operation, dependencies: RestoreDependencies, run: RunRequest): RunRequest {
  if (operation.kind !== 'restore') return run
  const { planFor, store } = dependencies
  return async (request, caller) => {
    if (request.raw.transaction)
      throw new Error(`${operation.id} has its own transaction. Call it before or after transaction(), not in it.`)
    const plan = planFor(request, { now: '', caller }) as ReadPlan
    const { result, position } = await store.transaction(
      (transaction) => new Restoration(dependencies, transaction, request, caller).restore(plan),
      { limitMs, reader: plan.reader },
    )
    return position === undefined ? result : { ...result, position }
  }
}

/** Thrown if the caller could not see the restored record. */
class NotVisibleError extends Error {
  override readonly name = 'NotVisibleError'
}

class Restoration {
  readonly #dependencies: RestoreDependencies
  readonly #transaction: Transaction
  readonly #request: ParsedRequest
  readonly #caller: Caller
  readonly #stamp: ChangeStamp
  /** The removed links of all restored records, by the ID of the entry: both records of a link may be restored. */
  readonly #removedLinks = new Map<number, EntryHead>()
  /** References to records that are restored later. */
  readonly #deferredReferences: Omit<DeletedRecord, 'version'>[] = []
  readonly #yieldTurn = turnYielder()

  constructor(dependencies: RestoreDependencies, transaction: Transaction, request: ParsedRequest, caller: Caller) {
    this.#dependencies = dependencies
    this.#transaction = transaction
    this.#request = request
    this.#caller = caller
    this.#stamp = { now: timestamp(), origin: originOf(request.raw, caller) }
  }

  async restore(plan: ReadPlan): Promise<Outcome> {
    const { operation, ancestors, key, rowFilter } = plan
    const { noun } = operation.shape
    const lastLevel = operation.levels.length - 1
    const missing: Outcome = { kind: 'missing', level: lastLevel }
    const current = await this.#transaction.run(plan)
    if (current.kind === 'record') throw recordExists(noun, key)
    if (current.kind === 'missing' && current.level < lastLevel) return current
    const name = recordName(noun, key)
    const entry = await newestEntry(this.#read, [
      equalCondition('record', name),
      equalCondition('kind', 'CREATED', 'DELETED'),
    ])
    if (entry?.kind !== 'DELETED' || !wasBelow(operation, ancestors, stateOf(entry))) return missing
    const visibility = visibilityOf(plan, stateOf(entry))
    if (visibility === 'hidden') return missing
    try {
      await this.#createRequested(this.#deletedRecord(noun, key, entry), rowFilter)
    } catch (error) {
      // A problem would reveal values of a record that the caller may not see.
      if (error instanceof NotVisibleError || (error instanceof ProblemError && visibility === 'unknown'))
        return missing
      throw error
    }
    // On SQLite, entries of changes by other programs have no transaction, so records that were deleted together cannot be found.
    if (entry.transaction !== null) {
      await this.#restoreOwned(name, entry.transaction)
      for (const link of this.#removedLinks.values()) await this.#restoreLink(link)
    }
    for (const references of this.#deferredReferences) await this.#setReferences(references)
    return this.#transaction.run(plan)
  }

  /** Creates the record of the request, which may refer to itself. */
  async #createRequested(deleted: DeletedRecord, rowFilter: RowFilter | undefined): Promise<void> {
    const { noun, identity } = deleted
    const itself = new Set([recordName(noun, identity)])
    const rejection = await this.#createRecord(deleted, rowFilter)
    if (rejection && isWaitingFor(noun, rejection, itself)) await this.#createWithoutCycle(deleted, itself, rowFilter)
    else if (rejection) throw this.#problem(deleted, rejection)
  }

  #problem({ noun, identity }: DeletedRecord, rejection: Rejection): Error {
    if (rejection.reason === 'out-of-sight') return new NotVisibleError()
    return cannotRestore(noun, identity, rejection, (field) => this.#isShown(noun, field))
  }

  /** Whether the caller may see a field. */
  #isShown(noun: AnyNoun, field: string): boolean {
    return isFieldVisible(this.#dependencies.entryFields.get(noun.name) ?? new Map(), field, this.#caller)
  }

  #deletedRecord(noun: AnyNoun, identity: Value, entry: Entry): DeletedRecord {
    return deletedRecord(noun, identity, entry, (field) => this.#isShown(noun, field))
  }

  readonly #read = async (plan: ListPlan | ReadPlan) => {
    await this.#yieldTurn()
    return this.#transaction.run(plan)
  }

  /** Restores the records that a record owned, and notes the links of all of them. */
  async #restoreOwned(name: string, transaction: string): Promise<void> {
    const removals = [equalCondition('kind', 'DELETED', 'UNLINKED'), equalCondition('transaction', transaction)]
    const [ownedConditions, linkConditions] = [
      [equalCondition('linked', name), ...removals],
      [equalCondition('record', name), ...removals],
    ]
    const owned: EntryHead[] = []
    for await (const entry of entryHeads(this.#read, ownedConditions, true)) {
      if (entry.kind === 'UNLINKED') this.#removedLinks.set(entry.id, entry)
      else owned.push(entry)
    }
    for await (const entry of entryHeads(this.#read, linkConditions, true))
      if (entry.kind === 'UNLINKED') this.#removedLinks.set(entry.id, entry)
    await this.#createAll(owned)
    for (const { noun, record } of owned) if (this.#hasDependents(noun)) await this.#restoreOwned(record, transaction)
  }

  /** Whether records of a noun may own others, or have links. */
  #hasDependents(name: string): boolean {
    const stored = this.#dependencies.model.nouns.get(name)
    return (
      stored !== undefined &&
      (stored.links.length > 0 || stored.referrers.some(({ onDelete }) => onDelete === 'delete'))
    )
  }

  /** Records may refer to each other: one whose target is not restored yet is tried again after the others. */
  async #createAll(entries: readonly EntryHead[]): Promise<void> {
    let remaining: DeletedRecord[] = []
    for (const entry of entries) {
      const noun = this.#dependencies.model.nouns.get(entry.noun)?.noun
      const fullEntry = await readEntry(this.#read, entry)
      if (noun) remaining.push(this.#deletedRecord(noun, identityIn(noun, entry.record), fullEntry))
    }
    while (remaining.length > 0) {
      const pending = new Set(remaining.map(({ noun, identity }) => recordName(noun, identity)))
      const deferred: DeletedRecord[] = []
      for (const deleted of remaining) {
        const rejection = await this.#createRecord(deleted)
        if (!rejection) pending.delete(recordName(deleted.noun, deleted.identity))
        else if (isWaitingFor(deleted.noun, rejection, pending)) deferred.push(deleted)
        else throw this.#problem(deleted, rejection)
      }
      // The remaining records reference each other in a cycle.
      const [first, ...others] = deferred
      if (first && deferred.length === remaining.length) await this.#createWithoutCycle(first, pending)
      remaining = first && deferred.length === remaining.length ? others : deferred
    }
  }

  /** Creates a record without its references to records that are not restored yet, or to itself. They are set at the end. */
  async #createWithoutCycle(
    deleted: DeletedRecord,
    pending: ReadonlySet<string>,
    rowFilter?: RowFilter,
  ): Promise<void> {
    const { noun, identity, values } = deleted
    const cyclicFields = Object.keys(noun.fields).filter(
      (field) =>
        specOf(noun, field).kind === 'reference' &&
        pending.has(recordName(targetOf(noun, field), values[field] ?? null)),
    )
    const valuesWithoutCycle = { ...values, ...Object.fromEntries(cyclicFields.map((field) => [field, null])) }
    const rejection = await this.#createRecord({ ...deleted, values: valuesWithoutCycle }, rowFilter)
    if (rejection) throw this.#problem(deleted, rejection)
    this.#deferredReferences.push({
      noun,
      identity,
      values: Object.fromEntries(cyclicFields.map((field) => [field, values[field] ?? null])),
    })
  }

  async #setReferences({ noun, identity, values }: Omit<DeletedRecord, 'version'>): Promise<void> {
    const outcome = await this.#transaction.run(referencePlan(noun, identity, values, this.#stamp))
    if (outcome.kind === 'rejected') throw this.#problem({ noun, identity, values, version: 0 }, outcome.rejection)
  }

  /** Creates a record as it was; returns why it was rejected. */
  async #createRecord(deleted: DeletedRecord, rowFilter?: RowFilter): Promise<Rejection | undefined> {
    const plan = createPlan(deleted, this.#stamp, rowFilter)
    await this.#yieldTurn()
    const notify = this.#dependencies.notifierFor(plan.operation)
    const { requestId, trace } = this.#request.raw
    const transaction = this.#transaction
    const outcome = notify
      ? await notify(plan, { caller: this.#caller, requestId, transaction, trace }, (readPlan) =>
          transaction.run(readPlan),
        )
      : await transaction.run(plan)
    return outcome.kind === 'rejected' ? outcome.rejection : undefined
  }

  /** Adds a link again. If the other record has been deleted, the outcome is `missing`, and the link is left out. */
  async #restoreLink({ noun: name, record, linked }: EntryHead): Promise<void> {
    const link = this.#dependencies.model.links.find(({ nouns }) => nouns.map(({ name }) => name).join('-') === name)
    if (!link || linked === null) return
    await this.#yieldTurn()
    const outcome = await this.#transaction.run(linkPlan(link, record, linked, this.#stamp))
    if (outcome.kind === 'rejected') throw cannotRestoreLink(record, linked, outcome.rejection)
  }
}
