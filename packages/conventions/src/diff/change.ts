/** One difference between two documents. */
import type { Code } from './code.ts'
import type { Side } from './location.ts'

/** A difference between two OpenAPI documents. */
export interface Change {
  readonly code: Code
  readonly isBreaking: boolean
  /** The method of the nearest operation, in capitals; empty for a change of the whole document. */
  readonly method: string
  /** The path template in the old document, or in the new one for additions. */
  readonly path: string
  /** All affected operations, such as `PUT /user/{id}`, the nearest first. */
  readonly operations: readonly string[]
  /** A JSON pointer into the old or new document, see `document`. */
  readonly pointer: string
  readonly document: Side
  readonly message: string
  readonly why: string
  /** The new version that allows the breaking change, such as `/v2`. */
  readonly newVersion?: string
  /** The announced sunset, which is in the past. */
  readonly sunset?: string
  /** Whether the option `accept` allows the change. */
  readonly isAccepted?: boolean
}

/** A breaking change that no new version, sunset or option allows. */
export function needsVersion({ isBreaking, newVersion, sunset, isAccepted }: Change): boolean {
  return isBreaking && newVersion === undefined && sunset === undefined && isAccepted !== true
}
