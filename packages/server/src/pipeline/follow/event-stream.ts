/** Server-sent events: a stream of the changes after an ID. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Operation, ProblemError } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { TextResponse } from '../../message/text-response.ts'
import type { Outcome } from '../../store/outcome.ts'
import type { ListPlan } from '../../store/plan.ts'
import type { Serve } from '../finish.ts'
import { type EntryFields, visibleScopes } from '../history/entries.ts'
import type { Read } from '../history/entry-reads.ts'
import { withMoveKinds } from '../history/move-kind.ts'
import type { ParsedRequest, RawRequest } from '../read/parsed-request.ts'
import { missingRecord } from '../respond/rejection-problem.ts'
import { runPlan } from '../run.ts'
import { idName, readNext } from './entry-window.ts'
import type { Followers } from './followers.ts'
import { deletedEventId, invalidEventId, lastEventId } from './last-event-id.ts'
import { type FollowDependencies, requireEntries, startId } from './long-poll.ts'
import { SharedWindows } from './shared-windows.ts'

/** How often a stream without changes sends a line, so that proxies keep the connection open. */
const heartbeatMs = 15_000

/** How long a client waits before it connects again, in milliseconds. */
const reconnectMs = 1000

/** The same after an overload: a random time, so that clients do not cause the next one. */
const overloadReconnectMs = { min: 5000, max: 15_000 }

/** The number of entries in one read. */
const pageSize = 100

const encoder = new TextEncoder()

/** Some events as they are sent, and the ID after which to continue. */
interface Events {
  /** Absent if no entry in the window matches. */
  readonly bytes?: Uint8Array
  readonly next: number
  /** Whether a record in the path no longer exists. */
  readonly isGone?: true
}

interface StreamDependencies extends FollowDependencies {
  readonly read: (raw: RawRequest) => ParsedRequest
  readonly entryFields: EntryFields
  /** Removes fields that the caller may not see. */
  readonly hideEntryFields: ((outcome: Outcome, caller: Caller) => Outcome) | undefined
}

/** Returns the pipeline of the operation: with event streams if it is a list of changes, otherwise `serve`. */
export function withEventStreams(operation: Operation, dependencies: StreamDependencies, serve: Serve): Serve {
  const { followers } = dependencies
  if (!followers || !operation.list?.canBeFollowed) return serve
  const windows = new SharedWindows<Events>()
  return (raw, caller) =>
    raw.renewCaller && acceptsEvents(raw)
      ? openStream(operation, { ...dependencies, followers, windows }, raw, caller)
      : serve(raw, caller)
}

/** Whether the Accept header names the media type of event streams. */
function acceptsEvents({ headers: { accept } }: RawRequest): boolean {
  return typeof accept === 'string' && /(^|,)\s*text\/event-stream\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i.test(accept)
}

type OpenStreamDependencies = StreamDependencies & {
  readonly followers: Followers
  readonly windows: SharedWindows<Events>
}

async function openStream(
  operation: Operation,
  dependencies: OpenStreamDependencies,
  raw: RawRequest,
  caller: Caller,
): Promise<TextResponse> {
  const request = dependencies.read(raw)
  const { followers } = dependencies
  await requirePath(operation, dependencies, request, caller)
  const lastId = lastEventId(raw)
  const requested = lastId ?? request.list?.afterId
  const afterId = await startId(requested, followers.newEntries).catch((error) => {
    const isUnknown = error instanceof ProblemError && error.problem.status === 400
    throw lastId !== undefined && isUnknown ? invalidEventId(lastId) : error
  })
  if (requested !== undefined && requested !== 'latest') {
    const deleted = await lastDeletedId(dependencies, request, caller)
    if (lastId !== undefined && lastId < deleted) throw deletedEventId(lastId, deleted)
    requireEntries(afterId, deleted)
  }
  const leave = followers.join(raw, caller)
  const stream = new EventStream(operation, dependencies, request, { caller, afterId, leave })
  return {
    status: 200,
    mediaType: 'text/event-stream',
    body: '',
    stream,
    // nginx would collect the events in a buffer.
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  }
}

function lastDeletedId(
  { planFor, store, lastDeleted }: OpenStreamDependencies,
  request: ParsedRequest,
  caller: Caller,
) {
  return lastDeleted(planFor(request, { now: '', caller }) as ListPlan, (readPlan) =>
    runPlan(readPlan, store, request.raw),
  )
}

/** A record in the path must exist. */
async function requirePath(
  operation: Operation,
  { planFor, store }: OpenStreamDependencies,
  request: ParsedRequest,
  caller: Caller,
) {
  if (operation.levels.length === 1) return
  const plan = planFor(request, { now: '', caller }) as ListPlan
  const firstWindow = { afterId: 0, settled: 1, pageSize: 1 }
  const outcome = await readNext(plan, firstWindow, (readPlan) => runPlan(readPlan, store, request.raw))
  if (outcome.kind === 'missing') throw missingRecord(operation, request.raw.parameters, outcome.level)
}

interface StreamState {
  readonly caller: Caller
  readonly afterId: number
  readonly leave: () => void
}

/** Not a generator: `return` must end a pending `next` at once, when the client disconnects. */
class EventStream implements AsyncIterableIterator<Uint8Array> {
  readonly #operation: Operation
  readonly #dependencies: OpenStreamDependencies
  readonly #request: ParsedRequest
  readonly #leave: () => void
  #caller: Caller
  #afterId: number
  #hasStarted = false
  #isEnded = false
  /** Whether the last event has been sent. */
  #isEnding = false
  #cancelWait: (() => void) | undefined

  constructor(
    operation: Operation,
    dependencies: OpenStreamDependencies,
    request: ParsedRequest,
    { caller, afterId, leave }: StreamState,
  ) {
    this.#operation = operation
    this.#dependencies = dependencies
    this.#request = request
    this.#caller = caller
    this.#afterId = afterId
    this.#leave = leave
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#hasStarted) {
      this.#hasStarted = true
      return this.#send(`retry: ${reconnectMs}\n${resumeAt(this.#afterId)}`)
    }
    if (this.#isEnding) return this.return()
    try {
      return await this.#nextEvents()
    } catch (error) {
      await this.return()
      throw error
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isEnded = true
    this.#cancelWait?.()
    this.#leave()
    return { done: true, value: undefined }
  }

  async #nextEvents(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { followers } = this.#dependencies
    const { newEntries } = followers
    const heartbeatAt = performance.now() + heartbeatMs
    while (!this.#isEnded) {
      if (newEntries.isStopped || !(await this.#renewCaller())) return this.#end()
      if (followers.isOverloaded) return this.#end(retryAfterOverload())
      // A heartbeat is also due while thousands of windows without a match are read. It says how far the service has read.
      const waitMs = heartbeatAt - performance.now()
      if (waitMs <= 0) return this.#send(resumeAt(this.#afterId))
      if (this.#afterId < newEntries.settled) {
        const { bytes, next, isGone } = await this.#read(newEntries.settled)
        if (isGone) return this.#end()
        this.#afterId = next
        if (bytes) return { done: false, value: bytes }
        // SQLite reads synchronously, so other requests would wait for all of them.
        await nextTurn()
        continue
      }
      // The database was restored from a backup. The client connects again, and gets a problem.
      if (this.#afterId > newEntries.newest) return this.#end()
      const { ended, cancel } = newEntries.wait(this.#afterId, waitMs)
      this.#cancelWait = cancel
      await ended
    }
    return this.return()
  }

  /** The last event has the ID from which the client continues, with another instance of the service. */
  #end(retry = ''): IteratorYieldResult<Uint8Array> {
    this.#isEnding = true
    return this.#send(`${retry}${resumeAt(this.#afterId)}`)
  }

  #send(text: string): IteratorYieldResult<Uint8Array> {
    return { done: false, value: encoder.encode(text) }
  }

  /** The token may have expired, and scopes and the record of the caller may have changed. False if the stream must end. */
  async #renewCaller(): Promise<boolean> {
    const { renewCaller } = this.#request.raw
    if (!renewCaller) return true
    const caller = await renewCaller()
    if (caller) this.#caller = caller
    return caller !== undefined
  }

  #read(settled: number): Promise<Events> {
    const { planFor, windows, entryFields } = this.#dependencies
    const [caller, afterId] = [this.#caller, this.#afterId]
    const plan = planFor(this.#request, { now: '', caller }) as ListPlan
    return windows.read(plan, [afterId, settled], visibleScopes(entryFields, caller), () =>
      this.#readEvents(plan, settled),
    )
  }

  async #readEvents(plan: ListPlan, settled: number): Promise<Events> {
    const { store, hideEntryFields, lastDeleted } = this.#dependencies
    const { raw } = this.#request
    const window = { afterId: this.#afterId, settled, pageSize }
    const read: Read = (readPlan) => runPlan(readPlan, store, raw)
    const outcome = await readNext(plan, window, read)
    // Also if entries of the window were deleted: the client connects again, and gets a problem.
    if (outcome.kind !== 'list' || window.afterId < (await lastDeleted(plan, read)))
      return { next: window.afterId, isGone: true }
    const outcomeWithMoves = withMoveKinds(plan.conditions, outcome)
    const visibleOutcome = hideEntryFields ? hideEntryFields(outcomeWithMoves, this.#caller) : outcomeWithMoves
    const entries = JSON.parse('json' in visibleOutcome ? visibleOutcome.json : '[]') as readonly Readonly<
      Record<string, unknown>
    >[]
    const name = idName(this.#operation)
    const text = entries.map((entry) => `id: ${entry[name]}\ndata: ${JSON.stringify(entry)}\n\n`).join('')
    return { next: outcome.next ?? settled, ...(text !== '' && { bytes: encoder.encode(text) }) }
  }
}

/** Clients connect again at different times, so that they do not cause the next overload. */
function retryAfterOverload(): string {
  const { min, max } = overloadReconnectMs
  return `retry: ${Math.round(min + Math.random() * (max - min))}\n`
}

/** An event without data: clients keep the ID and report nothing. */
function resumeAt(id: number): string {
  return `id: ${id}\n\n`
}
