/** The form of a record: its editable fields, and those that only the service sets. */

import type { Operation } from '../service/operation.ts'
import type { Collection } from '../service/service.ts'
import { type Field, fieldsOf } from './field.ts'
import type { Values } from './values.ts'

export interface Form {
  /** The editable fields, in the order of the record. */
  readonly fields: readonly Field[]
  /** Those that only the service sets. */
  readonly managed: readonly Field[]
  readonly operation: Operation | undefined
}

/** The form of a loaded record. If a list has only some of its fields, the whole form cannot be sent. */
export function loadedForm(collection: Collection, record: Values): Form {
  const form = visibleForm(formOf(collection, 'change'), record)
  const isPart = collection.operations.read === undefined && form.fields.some(({ name }) => !(name in record))
  if (!isPart) return form
  return { fields: [], managed: collection.fields.filter(({ name }) => name in record), operation: undefined }
}

/** The form without fields that the caller has no scope for, as a loaded record shows: it does not have them. */
export function visibleForm(form: Form, record: Values): Form {
  const isVisible = ({ name, scope }: Field) => scope === undefined || name in record
  return { ...form, fields: form.fields.filter(isVisible), managed: form.managed.filter(isVisible) }
}

/** The form for changing a record, or for creating one. */
export function formOf(collection: Collection, kind: 'create' | 'change'): Form {
  const { create, replace, update } = collection.operations
  const operation = kind === 'create' ? create : (replace ?? update)
  const { fields: shown, identity } = collection
  if (!operation?.body) return { fields: [], managed: shown, operation: undefined }
  const writable = fieldsOf(operation.body).filter(({ isReadOnly }) => !isReadOnly)
  const isManaged = ({ name }: Field) =>
    !writable.some((field) => field.name === name) || (name === identity && kind === 'change')
  const positionOf = ({ name }: Field) => {
    const index = shown.findIndex((field) => field.name === name)
    return index === -1 ? shown.length : index
  }
  const isPatch = kind === 'change' && operation === update
  // A body of PATCH has no required properties, but a value that the record must have cannot be removed.
  const isRequired = ({ name }: Field) => shown.some((field) => field.name === name && field.isRequired)
  const fields = writable
    .filter(({ name }) => name !== identity || kind === 'create')
    .map((field) => (isPatch && isRequired(field) ? { ...field, isRequired: true } : field))
    .sort((a, b) => positionOf(a) - positionOf(b))
  return { fields, managed: shown.filter(isManaged), operation }
}
