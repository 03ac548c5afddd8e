/** One difference between two documents. */
import type { Code } from './code.ts'
import type { Side } from './place.ts'

export interface Change {
  readonly code: Code
  readonly isBreaking: boolean
  /** Of the operation that is nearest to it, in capitals; empty for what concerns the whole document. */
  readonly method: string
  /** The template in the old document; that of the new one for what was added. */
  readonly path: string
  /** Every operation that it shows in, such as `PUT /user/{id}`, the nearest first. */
  readonly operations: readonly string[]
  /** A JSON pointer into the document that `document` names. */
  readonly pointer: string
  readonly document: Side
  readonly message: string
  readonly why: string
  /** The version under which a breaking change is in order, such as `/v2`. */
  readonly under?: string
  /** The day, by now past, on which it was to go as callers were told. */
  readonly announced?: string
  /** Whoever runs the comparison wants it as it is. */
  readonly isAccepted?: boolean
}

/** A breaking change that neither a version nor a notice nor a decision covers. */
export function isLoose({ isBreaking, under, announced, isAccepted }: Change): boolean {
  return isBreaking && under === undefined && announced === undefined && isAccepted !== true
}
