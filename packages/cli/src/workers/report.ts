/** What a worker tells the supervisor that started it. */
import type { Failure } from '../failure.ts'

export type Report =
  /** The service is open, and the next moment it listens. */
  | { readonly kind: 'opened' }
  /** It takes requests; `welcome` is what a service says when it is served. */
  | { readonly kind: 'listening'; readonly welcome: string }
  /** It could not start, and ends. */
  | ({ readonly kind: 'failed' } & Failure)

const kinds: readonly unknown[] = ['opened', 'listening', 'failed'] satisfies Report['kind'][]

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
