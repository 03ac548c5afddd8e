/** The values of a form: initial values, changes, and the request body. */

import type { Json } from '../service/openapi.ts'
import type { Field } from './field.ts'

export type Values = { readonly [name: string]: unknown }

/** The initial values of a new record: its defaults. */
export function initialValues(fields: readonly Field[], preset: Values = {}): Values {
  const firstValue = (field: Field) => (preset[field.name] === undefined ? initialValue(field) : preset[field.name])
  return Object.fromEntries(fields.map((field) => [field.name, firstValue(field)]))
}

/** The initial values of a copy: all except the ID and unique fields. */
export function copiedValues(fields: readonly Field[], record: Values, identity: string): Values {
  const shared = fields.filter(({ name, isUnique }) => name !== identity && !isUnique)
  return Object.fromEntries(shared.map(({ name }) => [name, record[name]]))
}

/** The initial values of the next new record: the references, choices and booleans of the last one. */
export function sharedValues(fields: readonly Field[], values: Values): Values {
  const shared = fields.filter(({ kind, isUnique }) => !isUnique && ['reference', 'choice', 'boolean'].includes(kind))
  return Object.fromEntries(shared.map(({ name }) => [name, values[name]]))
}

function initialValue({ default: defaultValue, kind, isNullable, isRequired, choices }: Field): unknown {
  if (defaultValue !== undefined) return defaultValue
  if (isNullable) return null
  if (kind === 'boolean') return false
  // A required choice starts empty, so that the user selects a value. With a single value, there is nothing to select.
  return kind === 'choice' && isRequired && choices.length === 1 ? choices[0] : ''
}

/** The names of the fields that differ from the record. */
export function changedNames(fields: readonly Field[], values: Values, record: Values): readonly string[] {
  return fields.map(({ name }) => name).filter((name) => !isSame(values[name], record[name]))
}

export function isSame(first: unknown, second: unknown): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second)
}

/** The whole form for a record that is changed. Unchanged values stay as the record has them. */
export function changedBody(fields: readonly Field[], values: Values, record: Values): Json {
  const sent = (field: Field) =>
    isSame(values[field.name], record[field.name]) ? record[field.name] : valueToSend(field, values[field.name])
  return Object.fromEntries(fields.map((field) => [field.name, sent(field)]))
}

/** The whole form, for PUT. */
export function wholeBody(fields: readonly Field[], values: Values): Json {
  return Object.fromEntries(fields.map((field) => [field.name, valueToSend(field, values[field.name])]))
}

/** The body of POST, without unchanged fields that have a default. */
export function newBody(fields: readonly Field[], values: Values): Json {
  const initial = initialValues(fields)
  const isLeftOut = (field: Field) =>
    (field.hasDefault || !field.isRequired) && isSame(values[field.name], initial[field.name])
  return wholeBody(
    fields.filter((field) => !isLeftOut(field)),
    values,
  )
}

/** The typed text as a value of the field. Invalid text is sent unchanged, and the service reports the error. */
export function valueToSend(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  // Only text fields have empty values. Other empty fields are missing, and the service rejects them if they are required.
  if (value === '' && field.kind !== 'text' && field.kind !== 'paragraph') return field.isNullable ? null : undefined
  if (field.isNumeric && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())) return Number(value)
  if (field.kind === 'json') return parseJson(value)
  if (field.kind === 'timestamp' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return utcTimestamp(value)
  return value
}

function utcTimestamp(text: string): string {
  const time = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
