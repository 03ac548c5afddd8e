/** What a rule is, and the words that rules share. */
import type { Place } from '../place.ts'
import type { SurfaceOperation } from '../surface.ts'
import type { View } from '../view.ts'

export type Severity = 'error' | 'warning'

export interface Breach {
  readonly place: Place
  /** What is wrong, with the real value. */
  readonly message: string
  readonly fix: string
}

export interface Rule {
  readonly code: string
  readonly severity: Severity
  /** The convention, in one sentence. */
  readonly about: string
  readonly check: (view: View) => Iterable<Breach>
}

/** How an operation is called in messages: `GET /user`. */
export function called({ method, path }: SurfaceOperation): string {
  return `${method.toUpperCase()} ${path}`
}

/** Those that read or write records. */
export function withMethod({ surface }: View, ...methods: readonly string[]): readonly SurfaceOperation[] {
  return surface.operations.filter(({ method, isCustom }) => methods.includes(method) && !isCustom)
}
