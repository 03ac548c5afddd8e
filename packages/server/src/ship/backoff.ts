/** Exponential backoff with jitter. */
import type { Trouble } from './destination/destination.ts'

export interface BackoffOptions {
  /** The maximum wait after the first failure, in milliseconds. */
  readonly first: number
  /** The maximum wait, in milliseconds. */
  readonly longest: number
  /** The maximum wait if the destination rejects requests, in milliseconds: someone must change its settings first. */
  readonly refused: number
}

export const defaultBackoff: BackoffOptions = { first: 500, longest: 30_000, refused: 60_000 }

/** The wait in milliseconds after `failures` failures in a row, at least as long as the destination demands. */
export function backoff(
  { kind, after = 0 }: Trouble,
  failures: number,
  options: BackoffOptions,
  random: () => number = Math.random,
): number {
  if (kind === 'refused') return after + options.refused * (0.5 + random() / 2)
  return after + random() * Math.min(options.longest, options.first * 2 ** (failures - 1))
}
