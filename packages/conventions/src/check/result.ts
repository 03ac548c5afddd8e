/** The report of a run. */
import type { Code } from './catalog.ts'

/** The outcome of a conformance check. */
export type Outcome = 'passed' | 'failed' | 'not specified' | 'skipped'

/** The result of one conformance check. */
export interface Result {
  readonly code: Code
  /** The checked part: `/user`, or `the document`. */
  readonly subject: string
  readonly outcome: Outcome
  /** Why it was skipped, or how much was checked. */
  readonly note?: string
  readonly expected?: string
  readonly actual?: string
  /** The command that repeats the request. */
  readonly curl?: string
}

/** The report of a conformance check of a service. */
export interface Report {
  readonly base: string
  readonly title: string
  readonly seed: string
  readonly isWriting: boolean
  readonly requests: number
  readonly seconds: number
  readonly counts: Readonly<Record<Outcome, number>>
  readonly results: readonly Result[]
}

export function countsOf(results: readonly Result[]): Report['counts'] {
  const counts = { passed: 0, failed: 0, 'not specified': 0, skipped: 0 }
  for (const { outcome } of results) counts[outcome]++
  return counts
}
