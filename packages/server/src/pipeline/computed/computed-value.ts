/** Calls the functions of computed fields, with reads of other records if they are async. */
import { type Operation, readValue, specOf, tenantField, type Value } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { Computation } from '../../define/compute.ts'
import { hasPromise } from '../../define/synchronous.ts'
import type { ReadRecords } from '../../define/write-context.ts'
import { quoted } from '../../foundation/quoted.ts'
import { recordReads, rejectReads } from '../../logic/record-reads.ts'
import { StoreUnavailable, TooManyLists } from '../../store/fault/error.ts'
import type { Model } from '../../store/model.ts'
import type { Values } from '../../store/plan.ts'
import type { RecordStore } from '../../store/store.ts'
import type { RawRequest } from '../read/parsed-request.ts'
import { readerOf } from '../read-after.ts'
import { runPlan } from '../run.ts'

/** Reads of other records, limited to those of a tenant if there is one. */
export type ReadsFor = (tenant: Value | undefined) => ReadRecords

/** Reads for the functions of one operation. They see the transaction and the writes of the request. */
export function computedReads(operation: Operation, model: Model, store: RecordStore) {
  const isRead = operation.method === 'GET'
  return (raw: RawRequest, caller: Caller): ReadsFor => {
    // After a write, a replica may not have the record yet.
    const reader = store.hasReplicas && { reader: readerOf(isRead ? raw : { ...raw, isCurrent: true }, caller) }
    return (tenant) => recordReads(model, (plan) => runPlan({ ...plan, ...reader }, store, raw), tenant)
  }
}

/** Computes a property of a fetched record. */
export type SyncFunction = (record: Values) => Value

/** Computes a property of a fetched record, and may read other records. */
export type AsyncFunction = (record: Values, readsFor: ReadsFor) => Promise<Value>

/** The property of a fetched record that has the value of a field. */
type SourceOf = (field: string) => string

export function syncFunction(computation: Computation, sourceOf: SourceOf): SyncFunction {
  const { sourcesOf, fault, checkedResult } = computationHelpers(computation, sourceOf)
  return (record) => {
    let result: unknown
    try {
      result = computation.compute(sourcesOf(record), { read: rejectReads })
    } catch (error) {
      throw fault(record, 'cannot be computed: its function throws.', error)
    }
    return checkedResult(record, result)
  }
}

export function asyncFunction(computation: Computation, sourceOf: SourceOf, isRead: boolean): AsyncFunction {
  const { sourcesOf, fault, checkedResult } = computationHelpers(computation, sourceOf)
  const field = tenantField(computation.noun)
  const tenantProperty = field === undefined ? undefined : sourceOf(field)
  return async (record, readsFor) => {
    const read = readsFor(tenantProperty === undefined ? undefined : record[tenantProperty])
    let result: unknown
    try {
      result = await computation.compute(sourcesOf(record), { read })
    } catch (error) {
      // After a write, the response must not say that nothing was changed.
      if (isRead && (error instanceof StoreUnavailable || error instanceof TooManyLists)) throw error
      throw fault(record, 'cannot be computed: its function throws.', error)
    }
    return checkedResult(record, result)
  }
}

/** The shared parts of both kinds of functions. An invalid result is a bug of the service. */
function computationHelpers({ noun, field, sources }: Computation, sourceOf: SourceOf) {
  const spec = specOf(noun, field)
  const properties = sources.map((source) => [source, sourceOf(source)] as const)
  const identity = sourceOf(noun.identity)
  const fault = (record: Values, problem: string, cause?: unknown) =>
    new Error(`The computed field "${field}" of ${noun.name} ${record[identity]} ${problem}`, { cause })
  return {
    fault,
    sourcesOf: (record: Values): never => {
      const values: Record<string, Value> = {}
      for (const [source, property] of properties) values[source] = record[property] as Value
      return values as never
    },
    checkedResult: (record: Values, result: unknown): Value => {
      const readResult = readValue(spec, result)
      if ('value' in readResult) return readResult.value
      if (hasPromise(result)) throw fault(record, 'is a promise. Declare its function with async.')
      throw fault(record, `is ${quoted(result)}, but ${readResult.fault}.`)
    },
  }
}
