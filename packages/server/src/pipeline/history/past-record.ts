/** Reads a record as it was at a time: undoes the history entries after this time. */
import { type AnyNoun, type FieldSpec, type Operation, ProblemError, problem, type Value } from '@nomen/core'
import { historyLimits } from '../../store/model.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { Condition, ReadPlan, Values } from '../../store/plan.ts'
import type { RecordStore } from '../../store/store.ts'
import type { PlanFor } from '../plan.ts'
import { type RunRequest, runPlan } from '../run.ts'
import {
  entriesOf,
  equalCondition,
  numberOfEntries,
  oldestEntry,
  type Read,
  recordName,
  type State,
  wasVisibleWhenDeleted,
} from './entry-reads.ts'

/** Returns the function that runs the operation: with reads of the past if it has the parameter `at`, otherwise `run`. */
export function withPastReads(
  operation: Operation,
  { planFor, store }: { readonly planFor: PlanFor; readonly store: RecordStore },
  run: RunRequest,
): RunRequest {
  if (!operation.at) return run
  return (request, caller) => {
    if (request.at === undefined) return run(request, caller)
    const plan = planFor(request, { now: '', caller }) as ReadPlan
    return pastRecord(plan, request.at, (readPlan) => runPlan(readPlan, store, request.raw))
  }
}

/**
 * Reads the current record first and its entries afterwards: entries of changes in between are undone as well. For each
 * field, the first entry after the time that names it has the value at that time.
 */
async function pastRecord(plan: ReadPlan, at: string, readAny: Read): Promise<Outcome> {
  const { operation, reader } = plan
  const { noun } = operation.shape
  const lastLevel = operation.levels.length - 1
  const missing: Outcome = { kind: 'missing', level: lastLevel }
  // A replica may not have the changes of the entries.
  const read: Read = (readPlan) => readAny(reader ? { ...readPlan, reader: { ...reader, isCurrent: true } } : readPlan)
  const current = await read(plan)
  if (current.kind === 'missing' && current.level < lastLevel) return current
  const isCurrent = current.kind === 'record'
  const identity = isCurrent ? current.identity : plan.key
  const name = recordName(noun, identity)
  if (!isCurrent && !(await wasVisibleWhenDeleted(plan, name, read))) return missing
  const { state, isLater } = await stateBefore(noun, name, at, read)
  // Checked afterwards: entries that were deleted meanwhile may be missing in the state.
  await requireHistory(noun, identity, at, read)
  if (isLater || (!isCurrent && state.size === 0)) return missing
  if (isCurrent) return { ...current, json: mergedRecord(operation, JSON.parse(current.json), state) }
  return { kind: 'record', identity, version: 0, json: mergedRecord(operation, {}, state) }
}

/**
 * The values at a time of the fields that changed later. `isLater`: whether the record was created later. A record may have many
 * entries: after the first page, only those that name further fields are read.
 */
async function stateBefore(
  { fields, identity }: AnyNoun,
  record: string,
  at: string,
  read: Read,
): Promise<{ readonly state: State; readonly isLater: boolean }> {
  const state = new Map<string, Value>()
  const conditions = [
    equalCondition('record', record),
    { kind: 'range', fields: ['time'], from: nextMillisecond(at) } as const,
  ]
  const narrow = (): readonly Condition[] => {
    const otherFields = Object.keys(fields).filter((name) => name !== identity && !state.has(name))
    const changed: Condition = { kind: 'changed-field', fields: ['fields'], names: otherFields }
    const alternatives = [...(otherFields.length > 0 ? [[changed]] : []), [equalCondition('kind', ...boundaryKinds)]]
    return [{ kind: 'any', fields: [], alternatives }]
  }
  for await (const { kind, time, before } of entriesOf(read, conditions, false, narrow)) {
    if (kind === 'ERASED') throw historyTooShort(record.replace('/', ' '), time, at)
    if (kind === 'CREATED') return { state, isLater: state.size === 0 }
    for (const [field, value] of Object.entries(JSON.parse(before ?? '{}') as Values))
      if (!state.has(field)) state.set(field, value)
    if (kind === 'DELETED') break
  }
  return { state, isLater: false }
}

/** The kinds of entries that end the state before them. */
const boundaryKinds = ['CREATED', 'DELETED', 'ERASED']

/** The first millisecond after a time. Times far in the future cannot be compared as strings, and have no entries. */
function nextMillisecond(time: string): string {
  return new Date(Math.min(Date.parse(time) + 1, Date.now() + maxSkewMs)).toISOString()
}

/** How much the clock of the database may be ahead. */
const maxSkewMs = 60 * 60 * 1000

/** Throws if the history of the noun began after the time, or if older entries of the record were deleted to limit their number. */
async function requireHistory(noun: AnyNoun, identity: Value, at: string, read: Read): Promise<void> {
  const starts = [equalCondition('record', noun.name), equalCondition('kind', 'STARTED')]
  for await (const { time } of entriesOf(read, starts, true)) if (time > at) throw historyTooShort(noun.name, time, at)
  const { entries: maxEntries } = historyLimits(noun)
  if (maxEntries === undefined) return
  const recordConditions = [equalCondition('record', recordName(noun, identity)), equalCondition('noun', noun.name)]
  if ((await numberOfEntries(read, recordConditions)) < maxEntries) return
  const oldest = await oldestEntry(read, recordConditions)
  if (oldest !== undefined && oldest.time > at) throw historyTooShort(`${noun.name} ${identity}`, oldest.time, at)
}

function historyTooShort(subject: string, start: string, at: string): ProblemError {
  return new ProblemError(
    problem('history-too-short', {
      detail: `The history of ${subject} begins at ${start}, after ${at}.`,
      hint: `Use ${start} or a later time.`,
    }),
  )
}

/** The properties of the record. Values in `state` replace the current ones, unless a migration has converted the field since. */
function mergedRecord({ shape }: Operation, current: Values, state: State): string {
  const properties = shape.properties.map(({ name, field, spec }) => {
    const past = state.get(field)
    const value = past !== undefined && isOfKind(spec, past) ? past : current[name]
    return [name, value ?? null] as const
  })
  return JSON.stringify(Object.fromEntries(properties))
}

/** Whether a value has the JSON type of a field. */
function isOfKind({ kind }: FieldSpec, value: Value): boolean {
  if (value === null || kind === 'identity' || kind === 'reference') return true
  if (kind === 'boolean') return typeof value === 'boolean'
  return typeof value === (kind === 'integer' || kind === 'number' ? 'number' : 'string')
}
