/** What a worker tells the supervisor that started it. */
import type { MetricFamily } from '@nomen/server'
import type { TakeRequest } from '@nomen/server/internal'
import type { ShipOptions } from '@nomen/server/ship'
import type { Failure } from '../output/failure.ts'

/** What is known of a service once it listens. */
export interface Listening {
  /** What a service says when it is served. */
  readonly welcome: string
  /** How its access log is to be shipped, by one process for all. */
  readonly ship?: ShipOptions
}

export type Report =
  /** Where a service is being written: the files that it is made of, also where they could not be loaded. */
  | { readonly kind: 'loaded'; readonly files: readonly string[] }
  /** The service is open, and the next moment it listens. */
  | { readonly kind: 'opened' }
  /** It takes requests. */
  | ({ readonly kind: 'listening' } & Listening)
  /** It could not start, and ends. */
  | ({ readonly kind: 'failed' } & Failure)
  /** It wants to know something. */
  | { readonly kind: 'asked'; readonly asked: number; readonly question: Question }
  /** Its own metrics, as it was asked for them. */
  | { readonly kind: 'metrics'; readonly round: number; readonly families: readonly MetricFamily[] }

/** What a worker may ask. */
export type Question = { readonly of: 'metrics' } | { readonly of: 'requests'; readonly wishes: readonly TakeRequest[] }

const kinds: readonly unknown[] = [
  'loaded',
  'opened',
  'listening',
  'failed',
  'asked',
  'metrics',
] satisfies Report['kind'][]

/** Resolves when the report is on its way. */
export function sendReport(report: Report): Promise<void> {
  return new Promise((resolve) => {
    // Where nobody listens any more, the end of the channel has told the worker so.
    if (process.connected) process.send?.(report, undefined, undefined, () => resolve())
    else resolve()
  })
}

/** A service file may send messages of its own: they are no reports. */
export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'kind' in message && kinds.includes(message.kind)
}
