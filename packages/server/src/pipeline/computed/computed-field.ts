/** Computed fields: the store also fetches the source fields, and the functions add the computed values to its records. */
import { isStored, type Operation, type Shape, specOf, type Value } from '@nomen/core'
import type { Computation } from '../../define/compute.ts'
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import { TooLarge } from '../../store/fault/error.ts'
import type { Outcome, RecordOutcome } from '../../store/outcome.ts'
import type { Values } from '../../store/plan.ts'
import { variantOf } from '../entity-tag.ts'
import { withoutProperties } from '../visible/field-view.ts'
import { type AsyncFunction, asyncFunction, type ReadsFor, type SyncFunction, syncFunction } from './computed-value.ts'

/** How many records of a list are computed at once if their functions read other records. */
const maxConcurrentRecords = 8

/** Lists with computed fields are parsed and written on the event loop, so their size has a smaller limit. */
const maxBytes = 2 * 1024 * 1024

export interface ComputedStage {
  /** The operation for the store: without computed fields, and with their source fields. */
  readonly storeOperation: Operation
  /** Computes the fields of an outcome; absent if there is nothing to compute. */
  readonly addComputed?: (outcome: Outcome, readsFor: ReadsFor) => MaybePromise<Outcome>
}

/** Specializes one operation at start. Operations without computed fields get no additional stage. */
export function applyComputed(operation: Operation, computations: readonly Computation[]): ComputedStage {
  const { shape, kind } = operation
  if (shape.properties.every(({ spec }) => isStored(spec)))
    return { storeOperation: operation, ...(kind === 'create' && { addComputed: withoutSources }) }
  const { storeShape, addAsync, toShown } = fetchedShape(operation, computations)
  const volatileProperties = shape.properties.filter(({ field, spec }) => {
    return !isStored(spec) && computationOf(shape, field, computations).isVolatile
  })
  const completeRecord = (outcome: RecordOutcome, record: FetchedRecord): RecordOutcome => {
    const shownRecord = toShown(record)
    const values = volatileProperties.map(({ name }) => shownRecord[name] ?? null)
    return { ...outcome, json: JSON.stringify(shownRecord), ...(values.length > 0 && { variant: variantOf(values) }) }
  }
  return {
    storeOperation: { ...operation, shape: storeShape },
    addComputed: (outcome, readsFor) => {
      if (outcome.kind === 'list') {
        if (outcome.json.length > maxBytes) throw new TooLarge(maxBytes)
        const records = JSON.parse(outcome.json) as FetchedRecord[]
        const listOutcomeOf = (records: readonly FetchedRecord[]) => ({
          ...outcome,
          json: JSON.stringify(records.map(toShown)),
        })
        return andThen(addAsync(records, readsFor), listOutcomeOf)
      }
      if (outcome.kind !== 'record') return outcome
      const record = JSON.parse(outcome.json) as FetchedRecord
      const hasAllSources = !outcome.isReplay || storeShape.properties.every(({ name }) => name in record)
      // A response that was stored under an Idempotency-Key by an older version of the service is repeated unchanged.
      // It may contain source fields of functions that no longer exist.
      if (!hasAllSources) return withoutSources(outcome)
      return andThen(addAsync([record], readsFor), () => withoutSources(completeRecord(outcome, record)))
    },
  }
}

/** The prefix of source fields that are not shown. No property can have such a name. */
const hiddenPrefix = '~'

/** Removes hidden source fields from a response that was stored under an Idempotency-Key. */
function withoutSources(outcome: Outcome): Outcome {
  if (outcome.kind !== 'record' || !outcome.isReplay || !outcome.json.includes(`"${hiddenPrefix}`)) return outcome
  return withoutProperties(outcome, (name) => name.startsWith(hiddenPrefix))
}

function computationOf({ noun }: Shape, field: string, computations: readonly Computation[]): Computation {
  return computations.find((computation) => computation.noun === noun && computation.field === field) as Computation
}

type FetchedRecord = Record<string, Value>

/** Adds the values of the async functions to records, a few records concurrently. */
function asyncValueAdder(asyncFunctions: readonly (readonly [string, AsyncFunction])[]) {
  return (records: readonly FetchedRecord[], readsFor: ReadsFor): MaybePromise<readonly FetchedRecord[]> => {
    if (asyncFunctions.length === 0) return records
    const remaining = records.values()
    const work = async () => {
      for (const record of remaining)
        for (const [name, compute] of asyncFunctions) record[name] = await compute(record, readsFor)
    }
    return Promise.all(Array.from({ length: maxConcurrentRecords }, work)).then(() => records)
  }
}

/** The shape to fetch, and the functions that turn a fetched record into the shown one. */
function fetchedShape({ shape, method }: Operation, computations: readonly Computation[]) {
  const { noun, properties } = shape
  const fetchedProperties = properties.filter(({ spec }) => isStored(spec))
  const areComputedLast = properties.slice(0, fetchedProperties.length).every(({ spec }) => isStored(spec))
  const hiddenNames: string[] = []
  /** The property with the value of a field. */
  const sourceOf = (field: string): string => {
    // A label is not the value of its field.
    const property = fetchedProperties.find((property) => property.field === field && !property.label)
    if (property) return property.name
    const name = `${hiddenPrefix}${field}`
    fetchedProperties.push({ name, field, spec: specOf(noun, field) })
    hiddenNames.push(name)
    return name
  }
  const syncFunctions: [string, SyncFunction][] = []
  const asyncFunctions: [string, AsyncFunction][] = []
  for (const { name, field, spec } of properties) {
    if (isStored(spec)) continue
    const computation = computationOf(shape, field, computations)
    if (computation.isAsync) asyncFunctions.push([name, asyncFunction(computation, sourceOf, method === 'GET')])
    else syncFunctions.push([name, syncFunction(computation, sourceOf)])
  }
  const isInOrder = asyncFunctions.length === 0 && areComputedLast
  const toShown = (record: Record<string, Value | undefined>) => {
    for (const [name, compute] of syncFunctions) record[name] = compute(record as Values)
    // Faster than delete, and JSON.stringify leaves out undefined properties.
    for (const name of hiddenNames) record[name] = undefined
    return isInOrder ? record : Object.fromEntries(properties.map(({ name }) => [name, record[name]]))
  }
  return { storeShape: { ...shape, properties: fetchedProperties }, addAsync: asyncValueAdder(asyncFunctions), toShown }
}
