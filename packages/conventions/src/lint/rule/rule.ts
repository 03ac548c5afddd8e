/** What a rule is, and the words that rules share. */
import type { DescribedOperation, DocumentOperation } from '@nomen/core/openapi'
import type { Place } from '../place.ts'
import type { View } from '../view.ts'

export type Severity = 'error' | 'warning'

export interface Breach {
  /** As the table has it. */
  readonly pointer: string
  /** What is wrong, with the real value. */
  readonly message: string
  readonly fix: string
}

/** A breach whose file is known. */
export interface PlacedBreach extends Omit<Breach, 'pointer'> {
  readonly place: Place
}

export interface Rule {
  readonly code: string
  readonly severity: Severity
  /** The convention, in one sentence. */
  readonly about: string
  readonly check: (view: View) => Iterable<Breach>
}

/** How an operation is called in messages: `GET /user`. */
export function called({ method, path }: DescribedOperation): string {
  return `${method.toUpperCase()} ${path}`
}

/** Those that read or write records. */
export function withMethod({ table }: View, ...methods: readonly string[]): readonly DocumentOperation[] {
  return table.operations.filter(({ method, role }) => methods.includes(method) && role !== 'custom')
}
