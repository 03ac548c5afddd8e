/** Finds the record that an operation of the service's own is about, before its code is asked. */
import type { Level, Operation } from '@nomen/core'
import type { Caller } from '../../define/caller.ts'
import type { Values } from '../../store/plan.ts'
import { storedShape } from '../../store/sql/record-query.ts'
import type { Pipeline } from '../pipeline.ts'
import type { RawRequest } from '../read/ask.ts'
import { readAfter } from '../read-after.ts'

/** The record as it is stored. Throws the problem of one that is not there, or that the caller does not see. */
type FindRecord = (raw: RawRequest, caller: Caller) => Promise<Values>

/**
 * Specialises that at start. At a collection it is the record above, whose existence matters; undefined where there is
 * none.
 */
export function recordFinder(operation: Operation, readLine: (read: Operation) => Pipeline): FindRecord | undefined {
  const { levels, custom } = operation
  const found = custom?.on === 'record' ? levels : levels.slice(0, -1)
  if (found.length === 0) return undefined
  const read = readLine(readOf(operation, found))
  return async (raw, caller) => JSON.parse((await read(bare(raw, raw.parameters), caller)).body)
}

/** A read that no api offers, as the store does it. */
function readOf(operation: Operation, levels: readonly Level[]): Operation {
  const { resource } = levels.at(-1) as Level
  const { custom: _, body: __, deprecation: ___, ...rest } = operation
  return { ...rest, kind: 'read', method: 'GET', status: 200, levels, resource, shape: storedShape(resource.noun) }
}

/** The same request, of which only its path matters, and what an answer must not be older than. */
export function bare(raw: RawRequest, parameters: readonly string[]): RawRequest {
  const after = raw.headers[readAfter]
  return { ...raw, parameters, query: '', headers: after === undefined ? {} : { [readAfter]: after }, body: undefined }
}
