/** Finds the record of a custom operation, before its handler runs. */
import type { Level, Operation } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { Values } from '../../store/plan.ts'
import { storedShape } from '../../store/sql/record-query.ts'
import type { Pipeline } from '../pipeline.ts'
import type { RawRequest } from '../read/parsed-request.ts'
import { readAfter } from '../read-after.ts'

/** Returns the stored record. Throws `record-not-found` if it does not exist or the caller cannot see it. */
type RecordFinder = (raw: RawRequest, caller: Caller) => Promise<Values>

/**
 * Creates the finder of one operation at start. For an operation on a collection it finds the parent record; undefined if
 * there is none.
 */
export function recordFinder(
  operation: Operation,
  readPipeline: (read: Operation) => Pipeline,
): RecordFinder | undefined {
  const { levels, custom } = operation
  const readLevels = custom?.on === 'record' ? levels : levels.slice(0, -1)
  if (readLevels.length === 0) return undefined
  const read = readPipeline(readOf(operation, readLevels))
  return async (raw, caller) => JSON.parse((await read(bareRequest(raw, raw.parameters), caller)).body)
}

/** A read operation that no api offers. */
function readOf(operation: Operation, levels: readonly Level[]): Operation {
  const { resource } = levels.at(-1) as Level
  const { custom: _, body: __, deprecation: ___, ...common } = operation
  return { ...common, kind: 'read', method: 'GET', status: 200, levels, resource, shape: storedShape(resource.noun) }
}

/** The same request with its path and the header for consistent reads only. */
export function bareRequest(raw: RawRequest, parameters: readonly string[]): RawRequest {
  const after = raw.headers[readAfter]
  return { ...raw, parameters, query: '', headers: after === undefined ? {} : { [readAfter]: after }, body: undefined }
}
