/** What differs between two schemas, in words that leave open by which way they are reached. */
import type { Code } from '../code.ts'
import type { Place } from '../place.ts'

export interface Remark {
  readonly code: Code
  readonly words: Words
  readonly place: Place | undefined
}

export type Words = (name: Naming) => string

/** What the value is called, `address of answer 200`, or a field of it, `address.city of answer 200`. */
export type Naming = (field?: string) => string

/** Takes a remark down, at the first of the places that is there. */
export type Remarks = (code: Code, words: Words, ...places: readonly (Place | undefined)[]) => void

/** The name of what is reached by these steps within a value: `results[].email of answer 200`. */
export function naming(steps: string, whole: string): Naming {
  return (field) => {
    const path = `${steps}${field === undefined ? '' : `.${field}`}`
    return path === '' ? whole : `${path.replace(/^\./, '')} of ${whole}`
  }
}
