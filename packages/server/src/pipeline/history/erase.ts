/** Erases the history of a record and of the records that it owns, and leaves an entry that says so. */
import { change, type Operation, type Value } from '@nomen/core'
import type { Caller } from '../../define/caller.ts'
import { timestamp } from '../../foundation/timestamp.ts'
import { readOperations } from '../../logic/record-reads.ts'
import type { TextResponse } from '../../message/text-response.ts'
import type { CreatePlan, DeletePlan, Plan, ReadPlan } from '../../store/plan.ts'
import type { RecordStore, Transaction } from '../../store/store.ts'
import type { PlanFor } from '../plan.ts'
import type { ParsedRequest } from '../read/parsed-request.ts'
import { readAfter } from '../read-after.ts'
import { missingRecord } from '../respond/refusal-problem.ts'
import { originOf } from './entries.ts'
import { entryHeads, equal, recordName, wasFound } from './entry-reads.ts'

/** The time limit of the transaction. */
const limitMs = 30_000

const { read } = readOperations(change)
const deleteOperation: Operation = { ...read, kind: 'delete', method: 'DELETE' }
const createOperation: Operation = { ...read, kind: 'create', method: 'POST' }

type Erase = (request: ParsedRequest, caller: Caller) => Promise<TextResponse>

/** Returns the function that handles erasures; undefined if this is another operation. */
export function erasures(
  operation: Operation,
  { plan: planFor, store }: { readonly plan: PlanFor; readonly store: RecordStore },
): Erase | undefined {
  if (operation.kind !== 'erase') return undefined
  return async (request, caller) => {
    const { raw } = request
    const plan = planFor(request, { now: '', caller }) as ReadPlan
    const erase = (transaction: Transaction) => new Erasure(transaction, request, caller).erase(plan)
    const { result: isFound, position } = raw.transaction
      ? { result: await erase(raw.transaction), position: undefined }
      : await store.transaction(erase, { limitMs, reader: plan.reader })
    if (!isFound) throw missingRecord(operation, raw.parameters, operation.levels.length - 1)
    const response = { status: 204, mediaType: 'application/json; charset=utf-8', body: '' }
    return position === undefined ? response : { ...response, headers: { [readAfter]: position } }
  }
}

class Erasure {
  readonly #transaction: Transaction
  readonly #request: ParsedRequest
  readonly #caller: Caller
  readonly #now = timestamp()

  constructor(transaction: Transaction, request: ParsedRequest, caller: Caller) {
    this.#transaction = transaction
    this.#request = request
    this.#caller = caller
  }

  /** Returns whether the record exists, or existed and would be visible to the caller. */
  async erase(plan: ReadPlan): Promise<boolean> {
    const { operation, key } = plan
    const { noun } = operation.shape
    const current = await this.#run(plan)
    const name = recordName(noun, current.kind === 'record' ? current.identity : key)
    if (current.kind !== 'record' && !(await wasFound(plan, name, this.#run))) return false
    await this.#eraseRecord(noun.name, name, new Set())
    return true
  }

  readonly #run = (plan: Plan) => this.#transaction.run(plan)

  /** Erases the entries of a record and of its links, and then those of the records that it owns or owned. */
  async #eraseRecord(noun: string, name: string, erased: Set<string>): Promise<void> {
    erased.add(name)
    const entries: number[] = []
    const owned = new Map<string, string>()
    for await (const { id } of entryHeads(this.#run, [equal('record', name)], false)) entries.push(id)
    for await (const entry of entryHeads(this.#run, [equal('linked', name)], false)) {
      if (entry.kind === 'LINKED' || entry.kind === 'UNLINKED') entries.push(entry.id)
      else owned.set(entry.record, entry.noun)
    }
    for (const id of entries) await this.#run(this.#deletePlan(id))
    await this.#run(this.#tombstone(noun, name))
    for (const [record, ownedNoun] of owned) if (!erased.has(record)) await this.#eraseRecord(ownedNoun, record, erased)
  }

  #deletePlan(id: Value): DeletePlan {
    return { kind: 'delete', operation: deleteOperation, ancestors: [], key: id, now: this.#now, match: undefined }
  }

  #tombstone(noun: string, record: string): CreatePlan {
    const { user = null, application = null, request = null } = originOf(this.#request.raw, this.#caller)
    const nothing = { linked: null, fields: null, before: null, after: null, transaction: null }
    return {
      kind: 'create',
      operation: createOperation,
      ancestors: [],
      now: this.#now,
      values: { ...nothing, time: this.#now, noun, record, kind: 'ERASED', user, application, request },
      check: undefined,
    }
  }
}
