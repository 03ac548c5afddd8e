/** One difference between two documents, and the notebook that they are written into. */
import { type Code, verdictOf } from './code.ts'
import type { Place, Side } from './place.ts'

export interface Change {
  readonly code: Code
  readonly isBreaking: boolean
  /** In capitals; empty for what concerns the whole document. */
  readonly method: string
  /** The template in the old document; that of the new one for what was added. */
  readonly path: string
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

/** Writes a change down at the first of the places that is there. */
export type Note = (code: Code, message: string, ...places: readonly (Place | undefined)[]) => void

/** A notebook for the changes of one operation. */
export function notebook(method: string, path: string, home: Place, into: Change[]): Note {
  return (code, message, ...places) => {
    const place = places.find((one) => one !== undefined) ?? home
    const { pointer, side } = place
    into.push({ code, ...verdictOf(code), method: method.toUpperCase(), path, pointer, document: side, message })
  }
}

/** A breaking change that neither a version nor a notice nor a decision covers. */
export function isLoose({ isBreaking, under, announced, isAccepted }: Change): boolean {
  return isBreaking && under === undefined && announced === undefined && isAccepted !== true
}
