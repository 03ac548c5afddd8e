/** What a rule is. */
import type { Place } from '../place.ts'
import type { View } from '../view.ts'

export type Severity = 'error' | 'warning'

export interface Breach {
  readonly place: Place
  /** What is wrong, with the real value. */
  readonly message: string
  readonly mend: string
}

export interface Rule {
  readonly code: string
  readonly severity: Severity
  /** The convention, in one sentence. */
  readonly about: string
  readonly check: (view: View) => Iterable<Breach>
}
