/** The messages that a worker sends to its supervisor. */
import type { MetricFamily } from '@nomen/server'
import type { TakeRequest } from '@nomen/server/internal'
import type { ShipOptions } from '@nomen/server/ship'
import type { Failure } from '../output/failure.ts'

/** A service that listens. */
export interface ListeningReport {
  /** The message to print. */
  readonly welcome: string
  /** The options with which the supervisor ships the access log for all workers. */
  readonly ship?: ShipOptions
}

export type Report =
  /** With --watch: the files of the service, also if loading them failed. */
  | { readonly kind: 'loaded'; readonly files: readonly string[] }
  /** The service is open and is about to listen. */
  | { readonly kind: 'opened' }
  /** The service accepts requests. */
  | ({ readonly kind: 'listening' } & ListeningReport)
  /** With --watch: another process has migrated the database. */
  | { readonly kind: 'schema-changed' }
  /** The worker could not start, and exits. */
  | ({ readonly kind: 'failed' } & Failure)
  /** A request to the supervisor, with the ID that the response repeats. */
  | { readonly kind: 'request'; readonly id: number; readonly request: SupervisorRequest }
  /** The metrics that the supervisor requested. */
  | { readonly kind: 'metrics'; readonly round: number; readonly families: readonly MetricFamily[] }

/** A request of a worker: for the metrics of all workers, or to take requests from shared rate limits. */
export type SupervisorRequest =
  | { readonly for: 'metrics' }
  | { readonly for: 'requests'; readonly requests: readonly TakeRequest[] }

const kinds: readonly unknown[] = [
  'loaded',
  'opened',
  'listening',
  'schema-changed',
  'failed',
  'request',
  'metrics',
] satisfies Report['kind'][]

/** Resolves when the message is sent. */
export function sendReport(report: Report): Promise<void> {
  return new Promise((resolve) => {
    // Without a connection, the supervisor is gone, and the worker stops because of the "disconnect" event.
    if (process.connected) process.send?.(report, undefined, undefined, () => resolve())
    else resolve()
  })
}

/** Distinguishes reports from messages that a service file sends. */
export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'kind' in message && kinds.includes(message.kind)
}
