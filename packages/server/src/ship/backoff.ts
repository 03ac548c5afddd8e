/** Exponential backoff with jitter. */
import type { Trouble } from './destination/destination.ts'

export interface BackoffOptions {
  /** The maximum wait after the first failure, in milliseconds. */
  readonly firstMs: number
  /** The maximum wait, in milliseconds. */
  readonly longestMs: number
  /** The maximum wait if the destination rejects requests, in milliseconds: someone must change its settings first. */
  readonly refusedMs: number
}

export const defaultBackoff: BackoffOptions = { firstMs: 500, longestMs: 30_000, refusedMs: 60_000 }

/** The wait in milliseconds after `failures` failures in a row, at least as long as the destination demands. */
export function backoff(
  { kind, retryAfterMs = 0 }: Trouble,
  failures: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  if (kind === 'refused') return retryAfterMs + options.refusedMs * (0.5 + random() / 2)
  return retryAfterMs + random() * Math.min(options.longestMs, options.firstMs * 2 ** (failures - 1))
}
