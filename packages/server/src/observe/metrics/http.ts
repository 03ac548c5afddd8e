/** Counts the requests of every operation: how many, how they ended, how long they took. */
import type { AccessEntry, Operation } from '@nomen/core'
import { Histogram } from './histogram.ts'
import type { Labels, MetricRegistry, Sample } from './registry.ts'

/** In seconds. Most requests take less than a millisecond. */
const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How many different statuses are told apart, and all that come later as one. */
const statusLimit = 63

/** The statuses that ever came, each with a place; the first place is for those that have none. */
class Statuses {
  readonly #places = new Uint8Array(1000)
  readonly known: string[] = ['other']

  placeOf(status: number): number {
    const place = this.#places[status]
    if (place !== 0) return place ?? 0
    if (this.known.length > statusLimit) return 0
    this.#places[status] = this.known.length
    return this.known.push(`${status}`) - 1
  }
}

/** Counts one operation. */
export class OperationMeter {
  readonly labels: Labels
  /** Undefined for what is none. */
  readonly operation: Operation | undefined
  readonly durations = new Histogram(durations)
  readonly #statuses: Statuses
  readonly #counts = new Float64Array(statusLimit + 1)
  /** The bytes of all bodies that were sent. */
  bytes = 0

  constructor(operation: Operation | undefined, statuses: Statuses) {
    this.operation = operation
    this.labels = { method: operation?.method ?? 'none', route: operation?.path ?? 'none' }
    this.#statuses = statuses
  }

  /** The time that it took, in milliseconds. */
  count(status: number, time: number, size: number): void {
    ;(this.#counts[this.#statuses.placeOf(status)] as number)++
    this.durations.add(time / 1000)
    this.bytes += size
  }

  *requests(): Iterable<Sample> {
    for (const [place, value] of this.#counts.entries()) {
      if (value > 0) yield { labels: { ...this.labels, status: this.#statuses.known[place] ?? 'other' }, value }
    }
  }
}

/** A request that is over. */
interface Measured {
  readonly meter: OperationMeter
  /** By `performance.now()`. */
  readonly startedAt: number
}

/** The meters of all operations, and of what is none. */
export class HttpMeter {
  readonly #statuses = new Statuses()
  readonly #meters = new Map<Operation, OperationMeter>()
  /** Counts what asks for no operation: a path that is not there, a method that is not offered, what is no HTTP. */
  readonly elsewhere = new OperationMeter(undefined, this.#statuses)

  constructor(operations: readonly Operation[], registry: MetricRegistry) {
    for (const operation of operations) this.#meters.set(operation, new OperationMeter(operation, this.#statuses))
    // Only what was ever asked: most services offer far more than is used.
    const used = () => [...this.#meters.values(), this.elsewhere].filter((one) => one.durations.count > 0)
    registry.add('nomen_http_requests_total', 'Requests by operation and status of the answer.', 'counter', () =>
      used().flatMap((one) => [...one.requests()]),
    )
    registry.add(
      'nomen_http_request_duration_seconds',
      'Time from the head of a request to the end of its answer.',
      'histogram',
      () => used().flatMap((one) => [...one.durations.samples(one.labels)]),
    )
    registry.add('nomen_http_response_bytes_total', 'Bytes of the bodies that were sent.', 'counter', () =>
      used().map(({ labels, bytes }) => ({ labels, value: bytes })),
    )
  }

  /** Counts a request that is over; what never became one took no time. */
  observe({ status, size }: AccessEntry, request: Measured | undefined): void {
    if (request) request.meter.count(status, performance.now() - request.startedAt, size)
    else this.elsewhere.count(status, 0, size)
  }

  of(operation: Operation): OperationMeter {
    return this.#meters.get(operation) ?? this.elsewhere
  }
}
