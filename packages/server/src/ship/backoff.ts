/** How long to wait before the next attempt: longer each time, and never for all at the same moment. */
import type { Trouble } from './destination/destination.ts'

export interface BackoffOptions {
  /** The longest wait after the first failure, in milliseconds. */
  readonly first: number
  /** The longest of all. */
  readonly longest: number
  /** The longest while the destination refuses: somebody must change something first. */
  readonly refused: number
}

export const usualBackoff: BackoffOptions = { first: 500, longest: 30_000, refused: 60_000 }

/** `failures` counts those in a row, from 1. Full jitter; what the destination asks for is the least. */
export function backoff(
  { kind, after = 0 }: Trouble,
  failures: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  if (kind === 'refused') return after + options.refused * (0.5 + random() / 2)
  return after + random() * Math.min(options.longest, options.first * 2 ** (failures - 1))
}
