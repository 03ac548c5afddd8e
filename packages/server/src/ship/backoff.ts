/** Exponential backoff with jitter. */
import type { DeliveryFailure } from './destination/destination.ts'

export interface BackoffOptions {
  /** The maximum wait after the first failure, in milliseconds. */
  readonly firstMs: number
  /** The maximum wait, in milliseconds. */
  readonly maxMs: number
  /** The maximum wait if the destination rejects requests, in milliseconds: someone must change its settings first. */
  readonly rejectedMs: number
}

export const defaultBackoff: BackoffOptions = { firstMs: 500, maxMs: 30_000, rejectedMs: 60_000 }

/** The wait in milliseconds after `failures` failures in a row, at least as long as the destination demands. */
export function backoff(
  { kind, retryAfterMs = 0 }: DeliveryFailure,
  failures: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  if (kind === 'rejected') return retryAfterMs + options.rejectedMs * (0.5 + random() / 2)
  return retryAfterMs + random() * Math.min(options.maxMs, options.firstMs * 2 ** (failures - 1))
}
