/** The interface of all destinations of log lines. */
import type { LogLine } from '../batch.ts'

/** The origin of the lines. */
export interface LogOrigin {
  /** The name of the service. */
  readonly service: string
  /** The name of the instance, such as the host name. */
  readonly instance: string
  /** Additional labels with few distinct values, such as a region. */
  readonly labels: Readonly<Record<string, string>>
  /** The path template of the endpoint of a request. */
  readonly route: (method: string, target: string) => string | undefined
}

/** Lines of one file that are sent in one request. */
export interface Portion {
  /** The key of the file. */
  readonly key: string
  readonly lines: readonly LogLine[]
}

export type FailureKind =
  /** The destination is unreachable, busy or failing: retry soon. */
  | 'unavailable'
  /** The destination rejects requests until someone changes its settings. */
  | 'rejected'
  /** The request is too large. A single line that is too large is never accepted. */
  | 'too large'
  /** The destination timed out, and may handle fewer lines. */
  | 'slow'

export interface DeliveryFailure {
  readonly kind: FailureKind
  readonly reason: string
  /** The wait that the destination demands before a retry, in milliseconds. */
  readonly retryAfterMs?: number
}

/** The result of sending lines. */
export interface Delivery {
  /** Lines that the destination has not accepted, in their order. */
  readonly unsent: readonly LogLine[]
  /** Why there are unsent lines. */
  readonly failure?: DeliveryFailure
  /** The number of lines that the destination rejected permanently. They are not in `unsent`. */
  readonly rejected: number
  readonly rejectReason?: string
}

export interface Destination {
  /** The URL for messages, without a password. */
  readonly redactedUrl: string
  /** Sends lines, and resolves with the result. It never rejects. */
  send(portion: Portion, signal: AbortSignal): Promise<Delivery>
  close(): void
}

export function successfulDelivery(rejected = 0, rejectReason?: string): Delivery {
  return { unsent: [], rejected, ...(rejectReason !== undefined && { rejectReason }) }
}

export function failedDelivery(lines: readonly LogLine[], failure: DeliveryFailure): Delivery {
  return { unsent: lines, failure, rejected: 0 }
}
