/**
 * The load shedder schedules every request. Requests that do not fit into one turn of the event loop wait in a queue, so that
 * connections are read in between. If the queue is too long, new requests are rejected (docs/decisions/load-shedding.md).
 */
import { problem } from '@nomen/core'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import type { StoreLoad } from '../../store/store.ts'

/** How long requests may keep the event loop busy before it reads from connections again. */
const sliceMs = 20

/** The same for the writes at the end of a turn. It is longer, because a commit takes about as long for many writes as for one. */
const writeSliceMs = 100

interface QueuedRequest {
  readonly queuedAt: number
  readonly work: () => void
}

export class LoadShedder {
  readonly #limitMs: number
  readonly #store: StoreLoad
  readonly #onRejection: (waitingFor: Cause) => void
  readonly #rejectedCounts = { turn: 0, database: 0 }
  #queue: QueuedRequest[] = []
  /** The number of requests at the start of the queue that were served already. */
  #servedCount = 0
  /** When the work of this turn started; undefined before it. */
  #startedAt: number | undefined
  /** The number of queued requests that the last turn served. */
  #servedInTurn = 0
  /** The average time per queued request, from turn to turn; 0 if it is not known yet. */
  #averageMs = 0
  readonly #endTurn = () => {
    if (this.#queue.length > 0) return this.#serveQueue()
    this.#startedAt = undefined
    this.#servedInTurn = 0
    this.#averageMs = 0
  }

  /** Rejects requests that would wait longer than the limit; 0 means no limit. */
  constructor(limitMs: number, store: StoreLoad, registry: MetricRegistry, onRejection: (waitingFor: Cause) => void) {
    this.#onRejection = onRejection
    this.#limitMs = limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs
    this.#store = store
    registry.addValue('nomen_http_waiting_requests', 'Requests in the queue.', 'gauge', () => this.#length)
    registry.addValue('nomen_http_wait_seconds', 'Age of the oldest request in the queue, in seconds.', 'gauge', () => {
      return this.#waitMs(performance.now()) / 1000
    })
    registry.add('nomen_http_shed_requests_total', 'Requests rejected because of overload.', 'counter', () =>
      Object.entries(this.#rejectedCounts).map(([waiting_for, value]) => ({ labels: { waiting_for }, value })),
    )
  }

  /** Tells the store that a request has arrived at our own server. */
  onRequest(): void {
    this.#store.onRequest?.()
  }

  /** The response to a request that would have to wait too long. It is known before the body is read. */
  rejection(method: string | undefined): TextResponse | undefined {
    const waitingFor = this.#overloadCause(method !== 'GET' && method !== 'HEAD')
    if (waitingFor === undefined) return undefined
    this.#rejectedCounts[waitingFor]++
    this.#onRejection(waitingFor)
    return rejections[waitingFor]
  }

  /** Whether a new read would be rejected. */
  get isOverloaded(): boolean {
    return this.#overloadCause(false) !== undefined
  }

  #overloadCause(isWrite: boolean): Cause | undefined {
    const length = this.#length
    if (length > 0 && Math.max(length * this.#averageMs, this.#waitMs(performance.now())) > this.#limitMs) return 'turn'
    return this.#store.waitMs(isWrite) > this.#limitMs ? 'database' : undefined
  }

  /** Runs the work now and returns true, or queues it and returns false. The work must not throw. */
  schedule(work: () => void): boolean {
    const now = performance.now()
    if (this.#startedAt === undefined) {
      this.#startedAt = now
      setImmediate(this.#endTurn)
    }
    const canRunNow = this.#length === 0 && this.#hasTime(now, this.#startedAt)
    if (canRunNow) work()
    else this.#queue.push({ queuedAt: now, work })
    return canRunNow
  }

  #hasTime(now: number, startedAt: number): boolean {
    return now - startedAt < sliceMs && this.#store.backlogMs < writeSliceMs
  }

  #serveQueue(): void {
    const startedAt = performance.now()
    this.#measureTurn(startedAt)
    this.#startedAt = startedAt
    this.#servedInTurn = 0
    // At least one request, even if writes wait for another process.
    do {
      const { work } = this.#queue[this.#servedCount++] as QueuedRequest
      this.#servedInTurn++
      work()
    } while (this.#length > 0 && this.#hasTime(performance.now(), startedAt))
    // The queue is empty before the end of the turn, so this turn says nothing about throughput.
    if (this.#length === 0) this.#servedInTurn = 0
    this.#removeServed()
    setImmediate(this.#endTurn)
  }

  /**
   * Measures the whole turn, including its writes and rejected requests. Only queued requests are measured: the first requests
   * of a process do not queue, and take much longer than others.
   */
  #measureTurn(now: number): void {
    if (this.#servedInTurn === 0 || this.#startedAt === undefined) {
      this.#averageMs = 0
      return
    }
    const requestMs = (now - this.#startedAt) / this.#servedInTurn
    this.#averageMs = this.#averageMs === 0 ? requestMs : this.#averageMs + (requestMs - this.#averageMs) / 4
  }

  /** Removes served requests in batches, because shift() on a long array moves all other elements. */
  #removeServed(): void {
    if (this.#servedCount < this.#queue.length && this.#servedCount < 1000) return
    this.#queue = this.#queue.slice(this.#servedCount)
    this.#servedCount = 0
  }

  get #length(): number {
    return this.#queue.length - this.#servedCount
  }

  #waitMs(now: number): number {
    const first = this.#queue[this.#servedCount]
    return first ? now - first.queuedAt : 0
  }
}

const rejections = {
  turn: rejectionFor('Too many requests are waiting to be processed.'),
  database: rejectionFor('Too many requests are waiting for the database.'),
}

/** Why requests are shed. */
type Cause = keyof typeof rejections

function rejectionFor(detail: string): TextResponse {
  const document = problem('overloaded', {
    detail,
    hint: 'The request was not processed. Try again after the time in Retry-After.',
  })
  return problemResponse(document, { 'retry-after': '1' })
}
