/** A difference between two schemas, with a message that does not depend on the path to them. */
import type { Code } from '../code.ts'
import type { Location } from '../location.ts'

export interface Remark {
  readonly code: Code
  readonly message: RemarkMessage
  readonly location: Location | undefined
}

export type RemarkMessage = (name: Naming) => string

/** The name of the value, `address of response 200`, or of a field, `address.city of response 200`. */
export type Naming = (field?: string) => string

/** Adds a remark at the first location that exists. */
export type AddRemark = (code: Code, words: RemarkMessage, ...locations: readonly (Location | undefined)[]) => void

/** A name as the start of a sentence. */
export function capitalize(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** The name of the value at these steps: `results[].email of response 200`. */
export function naming(steps: string, wholeName: string): Naming {
  return (field) => {
    const path = `${steps}${field === undefined ? '' : `.${field}`}`
    return path === '' ? wholeName : `${path.replace(/^\./, '')} of ${wholeName}`
  }
}
