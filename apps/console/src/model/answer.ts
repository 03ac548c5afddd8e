/** What an operation of a service's own has answered: its fields, those that its document does not tell included. */
import { type Field, fieldOf, fieldsOf } from './record/field.ts'
import { isObject, type Json, type Schema, schemaOf } from './service/openapi.ts'
import { itemsOf } from './service/operation.ts'

/** The records of an answer that is a list: a plain array, or a page. */
export function answeredRecords(body: unknown): readonly Json[] | undefined {
  const list = isObject(body) && isObject(body.pageInfo) ? body.results : body
  return Array.isArray(list) && list.every(isObject) ? list : undefined
}

/** The fields of these records: as the answer's schema has them, then those that came beside. */
export function answeredFields(document: Json, answer: Schema, records: readonly Json[]): readonly Field[] {
  const told = fieldsOf(document, itemsOf(document, answer)?.items ?? answer)
  const came = new Map(records.flatMap((record) => Object.entries(record)))
  const known = told.map((field) => (isPlain(came.get(field.name)) ? field : { ...field, kind: 'json' as const }))
  const names = new Set(told.map(({ name }) => name))
  const others = [...came].filter(([name]) => !names.has(name))
  return [...known, ...others.map(([name, value]) => fieldOf(name, schemaOf(document, { type: typeOf(value) }), false))]
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function typeOf(value: unknown): string {
  return isPlain(value) ? (typeof value === 'boolean' ? 'boolean' : 'string') : 'object'
}
