/** Runs deletes that affect very many rows on a thread, while other requests read. */
import { Worker } from 'node:worker_threads'
import { threadFile } from '../../../foundation/package-file.ts'
import { Conflict, StoreUnavailable, TransactionTimeout } from '../../fault/error.ts'
import { retry } from '../../fault/retry.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan } from '../../plan.ts'
import type { PreparedDelete } from './delete.ts'
import type { DeleteResult, DeleteTask } from './large-delete-thread.ts'

/** The time limit of a large delete: all other writes wait for it. */
export const largeDeleteMs = 10_000

interface LargeDeleteDependencies {
  readonly path: string
  readonly pragmas: string
  /** Prepares the delete from the current state. */
  readonly prepare: () => Outcome | PreparedDelete
}

/** Call it while nothing else in this process writes. */
export function largeDelete(plan: DeletePlan, { path, pragmas, prepare }: LargeDeleteDependencies): Promise<Outcome> {
  return retry(async () => {
    const preparedDelete = prepare()
    if (preparedDelete.kind !== 'valid') return preparedDelete
    const { outcome, record, statements } = preparedDelete
    const result = await runOnThread({ path, pragmas, ...statements, timeoutMs: largeDeleteMs })
    if (result === 'timeout') throw new TransactionTimeout(largeDeleteMs)
    if (result === 'changed') throw new Conflict('Another process has changed a record of the delete.')
    if (record) plan.onRecord?.(record)
    return outcome
  })
}

function runOnThread(task: DeleteTask): Promise<DeleteResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadFile('store/sqlite/write/large-delete-thread'), { workerData: task })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new StoreUnavailable('The writer thread has ended.')))
  })
}
