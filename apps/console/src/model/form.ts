/** The form of a record: which fields it has, what they begin with, and the body that becomes of them. */
import { type Field, fieldsOf } from './field.ts'
import type { Json } from './openapi.ts'
import type { Operation } from './operation.ts'
import type { Collection } from './service.ts'

export type Values = { readonly [name: string]: unknown }

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
  const { fields: shown, api, identity } = collection
  if (!operation?.body) return { fields: [], managed: shown, operation: undefined }
  const taken = fieldsOf(api.document, operation.body).filter(({ isReadOnly }) => !isReadOnly)
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

/** What a new record's form begins with: defaults, and nothing where someone has to say it. */
export function initialValues(fields: readonly Field[], given: Values = {}): Values {
  return Object.fromEntries(fields.map((field) => [field.name, given[field.name] ?? initialValue(field)]))
}

/** What a copy begins with: all that may be the same for two records. */
export function copiedValues(fields: readonly Field[], record: Values, identity: string): Values {
  const shared = fields.filter(({ name, isUnique }) => name !== identity && !isUnique)
  return Object.fromEntries(shared.map(({ name }) => [name, record[name]]))
}

function initialValue({ default: known, kind, isNullable, isRequired, choices }: Field): unknown {
  if (known !== undefined) return known
  if (isNullable) return null
  if (kind === 'flag') return false
  return kind === 'choice' && isRequired ? choices[0] : ''
}

/** The names of the fields whose values are not those of the record any more. */
export function changedNames(fields: readonly Field[], values: Values, record: Values): readonly string[] {
  return fields.map(({ name }) => name).filter((name) => !isSame(values[name], record[name]))
}

export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The whole form, for PUT. */
export function wholeBody(fields: readonly Field[], values: Values): Json {
  return Object.fromEntries(fields.map((field) => [field.name, sent(field, values[field.name])]))
}

/** For POST: what nobody touched and has a default is left to the service. */
export function newBody(fields: readonly Field[], values: Values): Json {
  const begun = initialValues(fields)
  const isLeft = (field: Field) =>
    (field.hasDefault || !field.isRequired) && isSame(values[field.name], begun[field.name])
  return wholeBody(
    fields.filter((field) => !isLeft(field)),
    values,
  )
}

/** What was typed as the value that the field holds. What is none is sent as it is: the service says what is wrong with it. */
export function sent(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  // Only a text can be empty: of any other kind there is then no value, and the service says so if it needs one.
  if (value === '' && field.kind !== 'text' && field.kind !== 'paragraph') return field.isNullable ? null : undefined
  if (field.isNumeric && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())) return Number(value)
  if (field.kind === 'json') return parsed(value)
  if (field.kind === 'moment' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return moment(value)
  return value
}

function moment(text: string): string {
  const time = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
