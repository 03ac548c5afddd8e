/** What a run comes to, in data. */
import type { Code } from './catalogue.ts'

export type Outcome = 'passed' | 'failed' | 'not specified' | 'skipped'

export interface Result {
  readonly code: Code
  /** What was looked at: `/user`, or `the document`. */
  readonly subject: string
  readonly outcome: Outcome
  /** Why it was skipped, or how much was seen. */
  readonly note?: string
  readonly expected?: string
  readonly actual?: string
  /** Shows the answer in a shell. */
  readonly curl?: string
}

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
