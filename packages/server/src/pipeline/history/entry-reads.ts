/** Reads of history entries, and the recorded values of a record. */
import {
  type AnyNoun,
  change,
  directReference,
  type Operation,
  type Page,
  type Relation,
  readValue,
  specOf,
  type Value,
} from '@nomen/core'
import type { MaybePromise } from '../../foundation/maybe-promise.ts'
import { readOperations } from '../../logic/record-reads.ts'
import { satisfies } from '../../store/decide/rejection.ts'
import { TooLarge } from '../../store/fault/error.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Condition, ListPlan, ReadPlan, Values } from '../../store/plan.ts'

/** Runs a read: on the store, or in a transaction. */
export type Read = (plan: ListPlan | ReadPlan) => MaybePromise<Outcome>

/** An entry, as far as it is needed to undo a change. */
export interface Entry {
  readonly id: number
  readonly time: string
  readonly noun: string
  readonly record: string
  readonly linked: string | null
  readonly kind: string
  readonly before: string | null
  readonly transaction: string | null
}

/** The recorded values of a record by field, in the form of responses. */
export type State = ReadonlyMap<string, Value>

/** The maximum number of entries in one read. */
const maxPageSize = 500

/** The name of a record in entries. */
export function recordName(noun: AnyNoun, identity: Value): string {
  return `${noun.name}/${identity}`
}

export function equalCondition(field: string, ...values: readonly Value[]): Condition {
  return { kind: 'equal', fields: [field], values }
}

/** An entry without its values. */
export type EntryHead = Omit<Entry, 'before'>

const { list: listOperation, read: readOperation } = readOperations(change)

/** Lists entries without their values. */
const headOperation = operationWithout(listOperation, ['fields', 'before', 'after'])

/** The operation without some fields. Statements are cached by operation, so it has another ID and path. */
export function operationWithout({ id, path, shape, ...operation }: Operation, fields: readonly string[]): Operation {
  const properties = shape.properties.filter(({ field }) => !fields.includes(field))
  return { ...operation, id: `${id}.head`, path: `${path}-head`, shape: { ...shape, properties } }
}

/**
 * Iterates over the entries that satisfy the conditions, without their values. For use in transactions: a list that exceeds the
 * size limit would end the transaction.
 */
export async function* entryHeads(
  read: Read,
  conditions: readonly Condition[],
  isDescending: boolean,
): AsyncGenerator<EntryHead> {
  let pageConditions = conditions
  for (;;) {
    const page = { pageNumber: 1, pageSize: maxPageSize }
    const { json } = await readList(read, pageConditions, page, { isDescending, operation: headOperation })
    const heads = JSON.parse(json) as readonly EntryHead[]
    yield* heads
    const last = heads.at(-1)
    if (!last || heads.length < maxPageSize) return
    pageConditions = [...conditions, beyondEntry(last, isDescending)]
  }
}

/** The condition for entries after the last one that was read. */
function beyondEntry({ id }: EntryHead, isDescending: boolean): Condition {
  return { kind: 'range', fields: [change.identity], ...(isDescending ? { to: id } : { from: id + 1 }) }
}

/** Reads an entry with its values. */
export async function readEntry(read: Read, { id }: EntryHead): Promise<Entry> {
  const outcome = await read({ kind: 'read', operation: readOperation, ancestors: [], key: id })
  if (outcome.kind !== 'record')
    throw new Error(`The history entry ${id} cannot be read: the outcome is "${outcome.kind}".`)
  return JSON.parse(outcome.json)
}

/** Iterates over the entries that satisfy the conditions. After each page, `narrow` may add conditions for the next one. */
export async function* entriesOf(
  read: Read,
  conditions: readonly Condition[],
  isDescending: boolean,
  furtherConditions: () => readonly Condition[] = () => [],
): AsyncGenerator<Entry> {
  let pageConditions = conditions
  let pageSize = maxPageSize
  for (;;) {
    let entries: readonly Entry[]
    try {
      entries = await readPage(read, pageConditions, { pageNumber: 1, pageSize }, isDescending)
    } catch (error) {
      // A list has a limit in bytes, and entries may be large.
      if (!(error instanceof TooLarge) || pageSize === 1) throw error
      pageSize = Math.ceil(pageSize / 8)
      continue
    }
    yield* entries
    const last = entries.at(-1)
    if (!last || entries.length < pageSize) return
    pageConditions = [...conditions, beyondEntry(last, isDescending), ...furtherConditions()]
  }
}

/** The number of entries that satisfy the conditions. */
export async function numberOfEntries(read: Read, conditions: readonly Condition[]): Promise<number> {
  return (await readList(read, conditions, firstEntryPage, { isDescending: false, isCounted: true })).numberOfRecords
}

/** The newest entry that satisfies the conditions. */
export async function newestEntry(read: Read, conditions: readonly Condition[]): Promise<Entry | undefined> {
  return (await readPage(read, conditions, firstEntryPage, true))[0]
}

/** The oldest entry that satisfies the conditions. */
export async function oldestEntry(read: Read, conditions: readonly Condition[]): Promise<Entry | undefined> {
  return (await readPage(read, conditions, firstEntryPage, false))[0]
}

const firstEntryPage: Page = { pageNumber: 1, pageSize: 1 }

interface PageOptions {
  readonly isDescending: boolean
  /** Counting all entries of a record takes longer than reading some of them. */
  readonly isCounted?: true
  readonly operation?: Operation
}

async function readPage(
  read: Read,
  conditions: readonly Condition[],
  page: Page,
  isDescending: boolean,
): Promise<readonly Entry[]> {
  return JSON.parse((await readList(read, conditions, page, { isDescending })).json)
}

async function readList(
  read: Read,
  conditions: readonly Condition[],
  page: Page,
  { isDescending, isCounted, operation = listOperation }: PageOptions,
) {
  const outcome = await read({
    kind: 'list',
    operation,
    ancestors: [],
    conditions,
    include: [],
    order: [{ field: change.identity, isDescending }],
    page,
    ...(!isCounted && { isCounted: false }),
  })
  if (outcome.kind !== 'list') throw new Error(`The history cannot be read: the outcome is "${outcome.kind}".`)
  return outcome
}

/** The value of a field in its stored form. */
function storedValue(noun: AnyNoun, field: string, value: Value = null): Value {
  const result = readValue(specOf(noun, field), value)
  return 'value' in result ? result.value : value
}

/** All fields of a record in their stored form. */
export function storedValues(noun: AnyNoun, values: Values): Values {
  return Object.fromEntries(
    Object.keys(noun.fields).map((field) => [field, storedValue(noun, field, values[field])] as const),
  )
}

/** Whether a deleted record was below the records before it in the path. */
export function wasBelow({ levels, shape }: Operation, ancestors: readonly Value[], state: State): boolean {
  const relations: readonly Relation[] = levels.at(-1)?.relations ?? []
  return relations.every((relation) => {
    const field = directReference(relation)
    if (field !== undefined) return storedValue(shape.noun, field, state.get(field)) === ancestors[relation.level]
    // The parent must have been referenced; the records above it are looked up.
    return relation.level < levels.length - 2
  })
}

/** The values of a deleted record. */
export function stateOf({ before }: Entry): State {
  return new Map(Object.entries(JSON.parse(before ?? '{}') as Values))
}

/**
 * The visibility of a deleted record: `unknown` if it depends on more than the record's own fields, because other records may
 * have changed since.
 */
export function visibilityOf({ operation, rowFilter }: ReadPlan, state: State): 'visible' | 'hidden' | 'unknown' {
  const { noun } = operation.shape
  const conditions = rowFilter?.[noun.name] ?? []
  if (!rowFilter || conditions.length === 0) return 'visible'
  const values = storedValues(noun, Object.fromEntries(state))
  const results = conditions.map((condition) =>
    condition.kind === 'equal' ? satisfies(condition, rowFilter, values, undefined) : undefined,
  )
  if (results.includes(false)) return 'hidden'
  return results.every((result) => result === true) ? 'visible' : 'unknown'
}

/** Whether the record was deleted, below the records in the path, and visible to the caller when it was deleted. */
export async function wasVisibleWhenDeleted(plan: ReadPlan, name: string, read: Read): Promise<boolean> {
  const entry = await newestEntry(read, [equalCondition('record', name), equalCondition('kind', 'CREATED', 'DELETED')])
  if (entry?.kind !== 'DELETED') return false
  const state = stateOf(entry)
  return wasBelow(plan.operation, plan.ancestors, state) && visibilityOf(plan, state) === 'visible'
}
