/** Long polling: lists the changes after an ID, and waits if there are none. */
import { type Operation, ProblemError, problem } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { ListPlan } from '../../store/plan.ts'
import type { RecordStore } from '../../store/store.ts'
import type { Read } from '../history/entry-reads.ts'
import type { PlanFor } from '../plan.ts'
import { invalidParameter } from '../read/parameter-problem.ts'
import type { ParsedRequest, RawRequest } from '../read/parsed-request.ts'
import { type RunRequest, runPlan } from '../run.ts'
import type { ReadLastDeleted } from './deleted-entries.ts'
import { fullPages, readNext } from './entry-window.ts'
import type { Followers } from './followers.ts'
import type { NewEntries } from './new-entries.ts'

export interface FollowDependencies {
  readonly planFor: PlanFor
  readonly store: RecordStore
  /** Undefined if the service records no history. */
  readonly followers: Followers | undefined
  readonly lastDeleted: ReadLastDeleted
}

/** The number of entries in one read, for lists without pages. */
const defaultPageSize = 500

/** How often a poll that waits checks whether its client has disconnected. */
const checkClientMs = 1000

/** How long a process that has just started waits for transactions in flight. */
const maxStartMs = 10_000

/** Returns the function that runs the operation: with long polling if it is a list of changes, otherwise `run`. */
export function withLongPolls(operation: Operation, dependencies: FollowDependencies, run: RunRequest): RunRequest {
  const { followers } = dependencies
  if (!followers || !operation.list?.canBeFollowed) return run
  return (request, caller) => {
    const { afterId, waitSeconds } = request.list ?? {}
    if (afterId === undefined) return run(request, caller)
    if (request.raw.transaction) throw notInTransaction()
    const follow = () => poll(dependencies, followers.newEntries, request, caller)
    return waitSeconds ? followers.runCounted(request.raw, caller, follow) : follow()
  }
}

async function poll(
  { planFor, store, lastDeleted }: FollowDependencies,
  newEntries: NewEntries,
  request: ParsedRequest,
  firstCaller: Caller,
): Promise<Outcome> {
  const { renewCaller, isUncounted } = request.raw
  let caller = firstCaller
  const { afterId: requested, waitSeconds = 0, page } = request.list ?? {}
  let afterId = await startId(requested, newEntries)
  const deadline = performance.now() + waitSeconds * 1000
  for (;;) {
    const { settled } = newEntries
    const plan = planFor(request, { now: '', caller }) as ListPlan
    const read: Read = (readPlan) => runPlan(readPlan, store, request.raw)
    const outcome = await readNext(
      plan,
      { afterId, settled, pageSize: page?.pageSize ?? defaultPageSize },
      read,
      isUncounted ? undefined : fullPages,
    )
    // Consumers of the service itself continue with the entries that exist.
    if (!isUncounted) requireEntries(afterId, await lastDeleted(plan, read))
    const waitMs = deadline - performance.now()
    const isAtEnd = outcome.kind === 'list' && outcome.numberOfRecords === 0 && (outcome.next ?? 0) >= settled
    if (!isAtEnd || waitMs <= 0 || newEntries.isStopped) return outcome
    afterId = outcome.next ?? afterId
    if (afterId > newEntries.newest) throw unknownId(afterId, newEntries.newest)
    if (!(await waitAfter(afterId, deadline, newEntries, request.raw))) return outcome
    // The token may have expired meanwhile. The list stays empty, and the next request gets a problem.
    const renewedCaller = renewCaller ? await renewCaller() : caller
    if (!renewedCaller) return outcome
    caller = renewedCaller
  }
}

/** Waits for an entry after the ID. False if the client has disconnected. */
async function waitAfter(
  afterId: number,
  deadline: number,
  newEntries: NewEntries,
  { isClosed }: RawRequest,
): Promise<boolean> {
  for (;;) {
    const waitMs = deadline - performance.now()
    if (waitMs <= 0 || newEntries.isStopped || newEntries.settled > afterId || newEntries.newest < afterId) return true
    await newEntries.wait(afterId, Math.min(waitMs, checkClientMs)).ended
    if (isClosed?.()) return false
  }
}

/** The ID after which a client follows changes, from the request or the current one. */
export async function startId(requested: number | 'latest' | undefined, newEntries: NewEntries): Promise<number> {
  const { settled, newest } = await newEntries.read()
  if (requested === undefined || requested === 'latest') return settled || firstSettled(newEntries)
  if (requested > newest) throw unknownId(requested, newest)
  return requested
}

/**
 * A process that has just started does not know a settled ID if a transaction is in flight. The client must not get the whole
 * history instead of new changes.
 */
async function firstSettled(newEntries: NewEntries): Promise<number> {
  if (newEntries.newest > 0) await newEntries.wait(0, maxStartMs).ended
  const { settled, newest } = newEntries
  if (settled > 0 || newest === 0) return settled
  throw new ProblemError(
    problem('unavailable', {
      detail: 'The service has just started, and waits for an open transaction to end before it returns changes.',
      hint: 'Try again in a moment.',
    }),
  )
}

function notInTransaction(): ProblemError {
  return invalidParameter(
    [{ parameter: 'afterId', detail: 'cannot be used in a transaction' }],
    'Read the changes outside of the transaction.',
  )
}

/** Throws if entries after the ID have been deleted because of their age. */
export function requireEntries(afterId: number, lastDeleted: number): void {
  if (afterId >= lastDeleted) return
  throw invalidParameter(
    [{ parameter: 'afterId', detail: `is ${afterId}, but changes up to ${lastDeleted} may have been deleted` }],
    `Read all records again, or follow the changes after ${lastDeleted}.`,
  )
}

function unknownId(requested: number, newest: number): ProblemError {
  return invalidParameter(
    [{ parameter: 'afterId', detail: `is ${requested}, but the last ID is ${newest}` }],
    'If the database was restored from a backup, read all records again, and follow the changes from then on.',
  )
}
