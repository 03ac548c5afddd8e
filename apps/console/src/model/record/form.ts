/** The form of a record: which fields it has, and which only the service sets. */

import type { Operation } from '../service/operation.ts'
import type { Collection } from '../service/service.ts'
import { type Field, fieldsOf } from './field.ts'

export interface Form {
  /** Those that can be changed, in the order in which the record shows them. */
  readonly fields: readonly Field[]
  /** Those that only the service sets. */
  readonly managed: readonly Field[]
  readonly operation: Operation | undefined
}

/** The form for changing a record, or for creating one. */
export function formOf(collection: Collection, kind: 'create' | 'change'): Form {
  const { create, replace, update } = collection.operations
  const operation = kind === 'create' ? create : (replace ?? update)
  const { fields: shown, identity } = collection
  if (!operation?.body) return { fields: [], managed: shown, operation: undefined }
  const taken = fieldsOf(operation.body).filter(({ isReadOnly }) => !isReadOnly)
  const isManaged = ({ name }: Field) =>
    !taken.some((field) => field.name === name) || (name === identity && kind === 'change')
  const place = ({ name }: Field) => {
    const index = shown.findIndex((field) => field.name === name)
    return index === -1 ? shown.length : index
  }
  const fields = taken
    .filter(({ name }) => name !== identity || kind === 'create')
    .sort((one, other) => place(one) - place(other))
  return { fields, managed: shown.filter(isManaged), operation }
}
