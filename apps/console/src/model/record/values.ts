/** The values of fields: what they begin with, which of them are others now, and the body that becomes of them. */

import type { Json } from '../service/openapi.ts'
import type { Field } from './field.ts'

export type Values = { readonly [name: string]: unknown }

/** What a new record's form begins with: defaults, and nothing where someone has to say it. */
export function initialValues(fields: readonly Field[], given: Values = {}): Values {
  return Object.fromEntries(fields.map((field) => [field.name, given[field.name] ?? initialValue(field)]))
}

/** What a copy begins with: all that may be the same for two records. */
export function copiedValues(fields: readonly Field[], record: Values, identity: string): Values {
  const shared = fields.filter(({ name, isUnique }) => name !== identity && !isUnique)
  return Object.fromEntries(shared.map(({ name }) => [name, record[name]]))
}

/** What the next of several new records begins with: what these mostly share, and nothing of what tells them apart. */
export function sharedValues(fields: readonly Field[], values: Values): Values {
  const shared = fields.filter(({ kind, isUnique }) => !isUnique && ['reference', 'choice', 'boolean'].includes(kind))
  return Object.fromEntries(shared.map(({ name }) => [name, values[name]]))
}

function initialValue({ default: known, kind, isNullable, isRequired, choices }: Field): unknown {
  if (known !== undefined) return known
  if (isNullable) return null
  if (kind === 'boolean') return false
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
