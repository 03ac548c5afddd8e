/** HTTP metrics: number, status and duration of the requests of every operation. */
import type { AccessEntry, Operation } from '@nomen/core'
import { Histogram } from './histogram.ts'
import type { Labels, MetricRegistry, Sample } from './registry.ts'

/** Upper bounds of the buckets, in seconds. Most requests take less than a millisecond. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The maximum number of distinct statuses; later ones count as "other". */
const maxStatuses = 63

/** Maps statuses to indexes in the order of their first occurrence. Index 0 is for all others. */
class StatusIndex {
  readonly #indexes = new Uint8Array(1000)
  readonly names: string[] = ['other']

  indexOf(status: number): number {
    const index = this.#indexes[status]
    if (index !== 0) return index ?? 0
    if (this.names.length > maxStatuses) return 0
    this.#indexes[status] = this.names.length
    return this.names.push(`${status}`) - 1
  }
}

/** Counts the requests of one operation. */
export class OperationMeter {
  readonly labels: Labels
  /** Undefined for requests to no operation. */
  readonly operation: Operation | undefined
  readonly durations = new Histogram(durationBounds)
  readonly #statuses: StatusIndex
  readonly #counts = new Float64Array(maxStatuses + 1)
  /** The bytes of all response bodies. */
  bytes = 0

  constructor(operation: Operation | undefined, statuses: StatusIndex) {
    this.operation = operation
    this.labels = { method: operation?.method ?? 'none', route: operation?.path ?? 'none' }
    this.#statuses = statuses
  }

  count(status: number, durationMs: number, bytes: number): void {
    ;(this.#counts[this.#statuses.indexOf(status)] as number)++
    this.durations.add(durationMs / 1000)
    this.bytes += bytes
  }

  *requests(): Iterable<Sample> {
    for (const [index, value] of this.#counts.entries()) {
      if (value > 0) yield { labels: { ...this.labels, status: this.#statuses.names[index] ?? 'other' }, value }
    }
  }
}

/** A finished request. */
interface MeasuredRequest {
  readonly meter: OperationMeter
  /** By `performance.now()`. */
  readonly startedAt: number
}

/** The meters of all operations, and one for all other requests. */
export class HttpMeter {
  readonly #statuses = new StatusIndex()
  readonly #meters = new Map<Operation, OperationMeter>()
  /** Counts requests to no operation: unknown paths, methods that are not offered, malformed HTTP. */
  readonly otherRequests = new OperationMeter(undefined, this.#statuses)

  constructor(operations: readonly Operation[], registry: MetricRegistry) {
    for (const operation of operations) this.#meters.set(operation, new OperationMeter(operation, this.#statuses))
    // Only operations with requests: most services offer many more.
    const usedMeters = () => [...this.#meters.values(), this.otherRequests].filter((meter) => meter.durations.count > 0)
    registry.add('nomen_http_requests_total', 'Requests by operation and response status.', 'counter', () =>
      usedMeters().flatMap((meter) => [...meter.requests()]),
    )
    registry.add(
      'nomen_http_request_duration_seconds',
      'Time from the headers of a request to the end of its response.',
      'histogram',
      () => usedMeters().flatMap((meter) => [...meter.durations.samples(meter.labels)]),
    )
    registry.add('nomen_http_response_bytes_total', 'Bytes of response bodies.', 'counter', () =>
      usedMeters().map(({ labels, bytes }) => ({ labels, value: bytes })),
    )
  }

  /** Counts a finished request. Malformed HTTP has no request and counts with a duration of 0. */
  observe({ status, size }: AccessEntry, request: MeasuredRequest | undefined): void {
    if (request) request.meter.count(status, performance.now() - request.startedAt, size)
    else this.otherRequests.count(status, 0, size)
  }

  of(operation: Operation): OperationMeter {
    return this.#meters.get(operation) ?? this.otherRequests
  }
}
