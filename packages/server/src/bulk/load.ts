/** Loads the records of a file into a database, beside a service that may be serving from it. */
import type { AnyNoun } from '@nomen/core'
import { anyone } from '../define/caller.ts'
import type { Service } from '../define/definition.ts'
import { checkOf, type Rule } from '../define/rule.ts'
import { sentence } from '../foundation/quoted.ts'
import { FileBusy } from '../store/bulk/bulk.ts'
import { DeferredRows } from '../store/bulk/deferred-rows.ts'
import { isUnavailable } from '../store/fault.ts'
import { modelOf } from '../store/model.ts'
import { openBulk } from '../store/open/bulk.ts'
import type { Check } from '../store/plan.ts'
import { BulkError } from './error.ts'
import { Loading, type LoadOptions, type LoadReport } from './loading.ts'
import { recordBlocks } from './read/record-blocks.ts'
import { findTarget } from './target.ts'

/**
 * Loads a file. Records that cannot be loaded are told one by one and the others are loaded; what is loaded is durable
 * when the promise resolves. A run that was cut off can be repeated: nothing is loaded twice.
 *
 * ```ts
 * const { loaded, rejected } = await loadRecords(service, { database: 'sqlite:data/directory.db', noun: 'user', source })
 * ```
 */
export async function loadRecords(service: Service, options: LoadOptions): Promise<LoadReport> {
  const model = modelOf(service.operations)
  const target = findTarget(model, options.noun)
  const check = 'stored' in target ? wholeCheck(target.stored.noun, service.rules ?? []) : undefined
  const { isUpdating = false } = options
  const bulk = await openBulk(options.database, model)
  const room = new DeferredRows()
  try {
    const writer = await bulk.writer(target, { check, isUpdating })
    const { source, format, noun, member = noun } = options
    const file = await recordBlocks(source, format, member)
    return await new Loading(target, options, { writer, room, check, file }).run()
  } catch (error) {
    throw explained(error)
  } finally {
    room.close()
    await bulk.close()
  }
}

/** A load judges whole records, and is nobody's request. */
function wholeCheck(noun: AnyNoun, rules: readonly Rule[]): Check | undefined {
  return checkOf(noun, rules)(noun.fields, anyone)
}

/** What whoever loads can fix, in words. Batches that were committed stay. */
function explained(error: unknown): unknown {
  if (error instanceof FileBusy)
    return new BulkError(error.message, 'Run this again when it is done: it goes on where the other ended.')
  if (!isUnavailable(error)) return error
  const { message } = error as Error
  return new BulkError(
    `The database stopped taking records: ${sentence(message)}`,
    'What was loaded stays. Run this again when the database is ready: it goes on from there.',
  )
}
