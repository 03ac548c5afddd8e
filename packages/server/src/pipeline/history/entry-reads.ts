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
import { satisfies } from '../../store/decide/refusal.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Condition, ListPlan, Reader, ReadPlan, Values } from '../../store/plan.ts'

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

/** The number of entries in one read. */
const pageSize = 500

/** The name of a record in entries. */
export function recordName(noun: AnyNoun, identity: Value): string {
  return `${noun.name}/${identity}`
}

export function equal(field: string, ...values: readonly Value[]): Condition {
  return { kind: 'equal', fields: [field], values }
}

/** Iterates over the entries that satisfy the conditions. */
export async function* entriesOf(
  read: Read,
  conditions: readonly Condition[],
  options: { readonly isDescending: boolean; readonly reader?: Reader | undefined },
): AsyncGenerator<Entry> {
  for (let pageNumber = 1; ; pageNumber++) {
    const entries = await readPage(read, conditions, { pageNumber, pageSize }, options)
    yield* entries
    if (entries.length < pageSize) return
  }
}

/** The newest entry that satisfies the conditions. */
export async function newestEntry(
  read: Read,
  conditions: readonly Condition[],
  reader?: Reader,
): Promise<Entry | undefined> {
  return (await readPage(read, conditions, onlyOne, { isDescending: true, reader }))[0]
}

/** The oldest entry that satisfies the conditions. */
export async function oldestEntry(
  read: Read,
  conditions: readonly Condition[],
  reader?: Reader,
): Promise<Entry | undefined> {
  return (await readPage(read, conditions, onlyOne, { isDescending: false, reader }))[0]
}

const onlyOne: Page = { pageNumber: 1, pageSize: 1 }

/** Reads from the primary: a replica may not have the latest entries. */
async function readPage(
  read: Read,
  conditions: readonly Condition[],
  page: Page,
  { isDescending, reader }: { readonly isDescending: boolean; readonly reader?: Reader | undefined },
): Promise<readonly Entry[]> {
  const outcome = await read({
    kind: 'list',
    operation: readOperations(change).list,
    ancestors: [],
    conditions,
    include: [],
    order: [{ field: change.identity, isDescending }],
    page,
    ...(reader && { reader: { ...reader, isCurrent: true } }),
  })
  if (outcome.kind !== 'list') throw new Error(`The history cannot be read: the outcome is "${outcome.kind}".`)
  return JSON.parse(outcome.json)
}

/** The value of a field in its stored form. */
function storedValue(noun: AnyNoun, field: string, state: State): Value {
  const value = state.get(field) ?? null
  const reading = readValue(specOf(noun, field), value)
  return 'value' in reading ? reading.value : value
}

/** Whether a deleted record was below the parent in the path. */
export function wasBelow({ levels, shape }: Operation, ancestors: readonly Value[], state: State): boolean {
  const parent: Relation | undefined = levels.at(-1)?.relations.at(-1)
  if (!parent) return true
  const field = directReference(parent)
  return field !== undefined && storedValue(shape.noun, field, state) === ancestors.at(-1)
}

/** The values of a deleted record. */
export function stateOf({ before }: Entry): State {
  return new Map(Object.entries(JSON.parse(before ?? '{}') as Values))
}

/** Whether the caller would see a deleted record. Conditions on other records cannot be checked: those may have changed since. */
export function isVisibleState({ operation, rowFilter }: ReadPlan, state: State): boolean {
  const { noun } = operation.shape
  if (!rowFilter) return true
  const values = Object.fromEntries(Object.keys(noun.fields).map((field) => [field, storedValue(noun, field, state)]))
  return (rowFilter[noun.name] ?? []).every(
    (condition) => condition.kind === 'equal' && satisfies(condition, rowFilter, values, undefined) === true,
  )
}
