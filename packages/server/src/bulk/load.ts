/** Loads the records of a file into a database, while a service may be using it. */
import { unrestrictedCaller } from '../define/caller/caller.ts'
import type { Service } from '../define/definition.ts'
import { sentence } from '../foundation/quoted.ts'
import { linkLogic, writeLogic } from '../logic/write-logic.ts'
import { type BulkTarget, FileBusy } from '../store/bulk/bulk.ts'
import { DeferredRows } from '../store/bulk/deferred-rows.ts'
import { isUnavailable } from '../store/fault/fault.ts'
import { openBulk } from '../store/open/bulk.ts'
import { BulkError } from './error.ts'
import { type LoadOptions, type LoadReport, LoadRun } from './load-run.ts'
import { type RecordBlocks, recordBlocks } from './read/record-blocks.ts'
import type { RowLogic } from './read/row.ts'
import { loadTarget } from './target.ts'

/**
 * Loads (imports) the records of a CSV, NDJSON or JSON file into a database. It reports invalid records to `onReject` and
 * loads the others. Loaded records are durable when the promise resolves. After a crash, call it again: it resumes and loads
 * nothing twice.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import service from './service.ts'
 *
 * const source = { name: 'user.csv', isRepeatable: true, bytes: () => createReadStream('user.csv') }
 * const { loaded, rejected } = await loadRecords(service, {
 *   database: 'sqlite:data/directory.db',
 *   noun: 'user',
 *   source,
 *   onReject: ({ line, reason }) => console.error(line, reason),
 * })
 * ```
 *
 * @throws BulkError if the load cannot start, such as for an unknown noun
 */
export async function loadRecords(service: Service, options: LoadOptions): Promise<LoadReport> {
  const { model } = service
  const target = loadTarget(model, options.noun)
  const logic = logicOf(target, service)
  const { isUpdating = false } = options
  const bulk = await openBulk(options.database, model)
  const deferred = new DeferredRows()
  try {
    const writer = await bulk.writer(target, { ...logic, isUpdating })
    const { source, format, noun, member } = options
    const file = await recordBlocks(source, format, member ?? noun)
    if (member !== undefined && file.format !== 'json') await rejectMember(file)
    return await new LoadRun(target, options, { writer, deferred, logic, file }).run()
  } catch (error) {
    throw withAdvice(error)
  } finally {
    deferred.close()
    await bulk.close()
  }
}

/** Reads a block, so that the file is closed after it. */
async function rejectMember({ format, blocks }: RecordBlocks): Promise<void> {
  for await (const _block of blocks)
    throw new BulkError(
      `--member is only for JSON files, but this file is ${format.toUpperCase()}.`,
      'Remove --member, or use --format json.',
    )
}

/** A load writes whole records and pairs, on behalf of no caller. */
function logicOf(target: BulkTarget, { rules = [], assignments = [], model }: Service): RowLogic {
  const context = { caller: unrestrictedCaller, now: new Date().toISOString() }
  const logic = { rules, assignments, model }
  if ('link' in target) return linkLogic(target.link, 'link', logic)({}, context)
  const { noun } = target.stored
  const assigned = assignments.filter((assignment) => assignment.noun === noun).flatMap(({ fields }) => fields)
  return { ...writeLogic(noun, logic)(noun.fields, context), assigned }
}

/** Adds advice to errors that the user can fix. Committed batches stay. */
function withAdvice(error: unknown): unknown {
  if (error instanceof FileBusy)
    return new BulkError(
      error.message,
      'Run the load again after the other one has ended. It continues after the last loaded record.',
    )
  if (!isUnavailable(error)) return error
  const { message } = error as Error
  return new BulkError(
    `The database stopped accepting records: ${sentence(message)}`,
    'Loaded records are kept. Run the load again when the database is available. It loads no record twice.',
  )
}
