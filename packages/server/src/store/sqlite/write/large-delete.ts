/** Deletes with which very many other rows go or change: they are done on a thread, while others read. */
import { Worker } from 'node:worker_threads'
import { Conflict, StoreUnavailable, TransactionTimeout } from '../../error.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan } from '../../plan.ts'
import { retry } from '../../retry.ts'
import type { PreparedDelete } from './delete.ts'
import type { WriterAnswer, WriterTask } from './thread.ts'

/** How long one may take, in milliseconds: all other writes wait for it. */
export const largeDeleteMs = 10_000

interface LargeDeleteParts {
  readonly path: string
  readonly pragmas: string
  /** What the delete is made of, as far as can be seen now. */
  readonly prepare: () => Outcome | PreparedDelete
}

/** To be called while nothing else of this process writes. */
export function largeDelete(plan: DeletePlan, { path, pragmas, prepare }: LargeDeleteParts): Promise<Outcome> {
  return retry(async () => {
    const prepared = prepare()
    if (prepared.kind !== 'valid') return prepared
    const { shown, record, statements } = prepared
    const result = await onThread({ path, pragmas, ...statements, timeoutMs: largeDeleteMs })
    if (result === 'late') throw new TransactionTimeout(largeDeleteMs)
    if (result === 'changed') throw new Conflict('Another process has changed a record of the delete.')
    if (record) plan.seeing?.(record)
    return shown
  })
}

function onThread(task: WriterTask): Promise<WriterAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry(), { workerData: task })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new StoreUnavailable('The thread that writes has ended.')))
  })
}

/** The thread's own file, as it is called where this one lies. */
function entry(): URL {
  return new URL(`./thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)
}
