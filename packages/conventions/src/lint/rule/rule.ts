/** The interface of a lint rule, and functions that several rules use. */
import type { DescribedOperation, DocumentOperation } from '@nomen/core/openapi'
import type { Location } from '../location.ts'
import type { View } from '../view.ts'

/** The severity of a lint rule. */
export type Severity = 'error' | 'warning'

/** A violation of a rule in the operation table. */
export interface Violation {
  /** JSON pointer in the operation table. */
  readonly pointer: string
  /** The description, with the actual value. */
  readonly message: string
  readonly fix: string
}

/** A violation with its file. */
export interface LocatedViolation extends Omit<Violation, 'pointer'> {
  readonly location: Location
}

export interface Rule {
  readonly code: string
  readonly severity: Severity
  /** The convention, in one sentence. */
  readonly about: string
  readonly check: (view: View) => Iterable<Violation>
}

/** The name of an operation in messages: `GET /user`. */
export function nameOf({ method, path }: DescribedOperation): string {
  return `${method.toUpperCase()} ${path}`
}

/** The operations with these methods, without removed and custom operations and those on the history of a record. */
export function withMethod({ table }: View, ...methods: readonly string[]): readonly DocumentOperation[] {
  return table.operations.filter(
    ({ method, role, isGone }) => methods.includes(method) && !isGone && !['custom', 'restore', 'erase'].includes(role),
  )
}
