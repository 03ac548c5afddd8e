/** Reads a record as it was at a time: undoes the history entries after this time. */
import {
  type AnyNoun,
  change,
  directReference,
  type Operation,
  ProblemError,
  problem,
  type Relation,
  readValue,
  specOf,
  type Value,
} from '@nomen/core'
import type { Caller } from '../../define/caller.ts'
import type { MaybePromise } from '../../foundation/maybe-promise.ts'
import { readOperations } from '../../logic/record-reads.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Condition, ListPlan, ReadPlan, Values } from '../../store/plan.ts'
import type { RecordStore } from '../../store/store.ts'
import type { PlanFor } from '../plan.ts'
import type { ParsedRequest } from '../read/parsed-request.ts'
import { runPlan } from '../run.ts'

type Run = (request: ParsedRequest, caller: Caller) => MaybePromise<Outcome>

/** The dependencies of a read of the past. */
interface PastDependencies {
  readonly plan: PlanFor
  readonly store: RecordStore
}

/** Adds reads of the past to an operation that has the parameter `at`. */
export function pastReads(operation: Operation, { plan: planFor, store }: PastDependencies, run: Run): Run {
  if (!operation.at) return run
  return (request, caller) => {
    if (request.at === undefined) return run(request, caller)
    const plan = planFor(request, { now: '', caller }) as ReadPlan
    const read = (part: ListPlan | ReadPlan) => runPlan(part, store, request.raw)
    return pastRecord(plan, request.at, read)
  }
}

type Read = (plan: ListPlan | ReadPlan) => MaybePromise<Outcome>

/**
 * Reads the current record first and its entries afterwards: entries of changes in between are undone as well. The oldest
 * entry that names a field has the value that the field had at the time.
 */
async function pastRecord(plan: ReadPlan, at: string, read: Read): Promise<Outcome> {
  const { operation } = plan
  const { noun } = operation.shape
  const last = operation.levels.length - 1
  const missing: Outcome = { kind: 'missing', level: last }
  const current = await read(plan)
  if (current.kind === 'missing' && current.level < last) return current
  await requireHistory(noun, at, plan, read)
  const isCurrent = current.kind === 'record'
  const identity = isCurrent ? current.identity : plan.key
  const { state, isNew } = await stateBefore(recordName(noun, identity), at, plan, read)
  if (isNew) return missing
  if (isCurrent) return { ...current, json: merged(operation, JSON.parse(current.json), state) }
  if (state.size === 0 || !isFound(plan, state)) return missing
  return { kind: 'record', identity, version: 0, json: merged(operation, {}, state) }
}

/** The name of a record in history entries. */
function recordName(noun: AnyNoun, identity: Value): string {
  return `${noun.name}/${identity}`
}

/** The part of an entry that undoing needs. */
interface Entry {
  readonly time: string
  readonly kind: string
  readonly before: string | null
}

/** Field values by name. */
type State = ReadonlyMap<string, Value>

/** The number of entries in one read. */
const entriesPerRead = 500

/** The values before the entries after a time, as far as the entries name them. `isNew`: the record did not exist. */
async function stateBefore(
  record: string,
  at: string,
  { reader }: ReadPlan,
  read: Read,
): Promise<{ readonly state: State; readonly isNew: boolean }> {
  const state = new Map<string, Value>()
  const conditions: readonly Condition[] = [
    equal('record', record),
    { kind: 'range', fields: ['time'], from: after(at) },
  ]
  for (let pageNumber = 1; ; pageNumber++) {
    const entries = await readEntries(conditions, false, { pageNumber, pageSize: entriesPerRead }, reader, read)
    for (const { kind, before } of entries) {
      if (kind === 'CREATED') return { state, isNew: state.size === 0 }
      for (const [field, value] of Object.entries(JSON.parse(before ?? '{}') as Values))
        if (!state.has(field)) state.set(field, value)
      if (kind === 'DELETED') return { state, isNew: false }
    }
    if (entries.length < entriesPerRead) return { state, isNew: false }
  }
}

/** The first millisecond after a time. */
function after(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString()
}

/** Throws if the history of the noun began after the time. */
async function requireHistory(noun: AnyNoun, at: string, { reader }: ReadPlan, read: Read): Promise<void> {
  const conditions = [equal('record', noun.name), equal('kind', 'STARTED')]
  const [start] = await readEntries(conditions, true, { pageNumber: 1, pageSize: 1 }, reader, read)
  if (start === undefined || start.time <= at) return
  throw new ProblemError(
    problem('history-too-short', {
      detail: `The history of ${noun.name} begins at ${start.time}, after ${at}.`,
      hint: `Use a time from ${start.time}.`,
    }),
  )
}

function equal(field: string, value: Value): Condition {
  return { kind: 'equal', fields: [field], values: [value] }
}

/** Reads from the primary: an entry that a replica does not have yet would not be undone. */
async function readEntries(
  conditions: readonly Condition[],
  isDescending: boolean,
  page: { readonly pageNumber: number; readonly pageSize: number },
  reader: ReadPlan['reader'],
  read: Read,
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

/** The properties of the record, with the values of the state where it has them. */
function merged({ shape }: Operation, current: Values, state: State): string {
  const properties = shape.properties.map(({ name, field }) => {
    const value = state.has(field) ? state.get(field) : current[name]
    return [name, value ?? null] as const
  })
  return JSON.stringify(Object.fromEntries(properties))
}

/** Whether a deleted record is below the parent in the path, and visible to the caller. */
function isFound({ operation, ancestors, rowFilter }: ReadPlan, state: State): boolean {
  const { noun } = operation.shape
  const parent: Relation | undefined = operation.levels.at(-1)?.relations.at(-1)
  if (parent) {
    const field = directReference(parent)
    if (field === undefined || stored(noun, field, state) !== ancestors.at(-1)) return false
  }
  // Conditions on other records cannot be checked: they may have changed since.
  return (rowFilter?.[noun.name] ?? []).every(
    (condition) =>
      condition.kind === 'equal' &&
      condition.fields.some((field) => condition.values.includes(stored(noun, field, state))),
  )
}

/** The value of a field in its stored form. */
function stored(noun: AnyNoun, field: string, state: State): Value {
  const value = state.get(field) ?? null
  const reading = readValue(specOf(noun, field), value)
  return 'value' in reading ? reading.value : value
}
