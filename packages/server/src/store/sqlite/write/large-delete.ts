/** Deletes with which very many other rows go or change: they are done on a thread, while others read. */
import { Worker } from 'node:worker_threads'
import { StoreUnavailable, TransactionTimeout } from '../../error.ts'
import type { Outcome } from '../../outcome.ts'
import type { DeletePlan } from '../../plan.ts'
import type { WriterAnswer, WriterTask } from './thread.ts'
import type { PreparedDelete } from './writer.ts'

/** How long one may take, in milliseconds: all other writes wait for it. */
export const largeDeleteMs = 10_000

/** How often it is begun again where other processes write what it depends on. */
const tries = 5

interface LargeDeleteParts {
  readonly path: string
  readonly pragmas: string
  /** What the delete is made of, as far as can be seen now. */
  readonly prepare: () => Outcome | PreparedDelete
}

/** To be called while nothing else of this process writes. */
export async function largeDelete(plan: DeletePlan, { path, pragmas, prepare }: LargeDeleteParts): Promise<Outcome> {
  for (let tried = 0; tried < tries; tried++) {
    const prepared = prepare()
    if (prepared.kind !== 'prepared') return prepared
    const { outcome, record, unchanged, counts, changes, removal } = prepared
    const task = { path, pragmas, unchanged, counts, changes, removal, timeoutMs: largeDeleteMs }
    const answer = await onThread(task)
    if (answer === 'late') throw new TransactionTimeout(largeDeleteMs)
    if (answer === 'changed') continue
    if (record) plan.seeing?.(record)
    return outcome
  }
  throw new StoreUnavailable('Other writes stood in the way each time.')
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
