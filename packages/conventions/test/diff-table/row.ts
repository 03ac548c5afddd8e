/** One row of the table of single changes, and the JSON pointers that the rows use. */
import type { Edits } from '../base-document.ts'

export interface Row {
  readonly name: string
  readonly edits: Edits
  /** The sorted codes of the changes from the base document to the edited one, each with its verdict. */
  readonly forward: readonly string[]
  /** The same for the changes from the edited document back to the base document. */
  readonly backward: readonly string[]
}

export const row = (
  name: string,
  edits: Edits,
  forward: string | readonly string[],
  backward: string | readonly string[],
): Row => ({ name, edits, forward: [forward].flat(), backward: [backward].flat() })

export const user = '/paths/~1user'
export const record = '/paths/~1user~1{id}'
export const lookup = '/paths/~1user~1by-email~1{email}'
export const list = `${user}/get/parameters`
export const schemas = '/components/schemas'
export const read = `${schemas}/User/properties`
export const put = `${schemas}/UpdateUser/properties`
export const post = `${schemas}/NewUser`
export const department = '/paths/~1department'

export const text = { type: 'string' }
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
