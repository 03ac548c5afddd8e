/** What an operation of a service's own has answered: its fields, those that its document does not tell included. */

import { recordIn, type Shape } from '@nomen/core/openapi'
import { type Field, fieldOf, fieldsOf } from './record/field.ts'
import { isObject, type Json } from './service/openapi.ts'

/** The records of an answer that is a list: a plain array, or a page. */
export function answeredRecords(body: unknown): readonly Json[] | undefined {
  const list = isObject(body) && isObject(body.pageInfo) ? body.results : body
  return Array.isArray(list) && list.every(isObject) ? list : undefined
}

/** The fields of these records: as the answer's schema has them, then those that came beside. */
export function answeredFields(answer: Shape | undefined, records: readonly Json[]): readonly Field[] {
  const told = answer ? fieldsOf(recordIn(answer, undefined)) : []
  const came = new Map(records.flatMap((record) => Object.entries(record)))
  const known = told.map((field) => (isPlain(came.get(field.name)) ? field : { ...field, kind: 'json' as const }))
  const names = new Set(told.map(({ name }) => name))
  const others = [...came].filter(([name]) => !names.has(name))
  return [...known, ...others.map(([name, value]) => fieldOf(name, { type: typeOf(value), schema: {} }))]
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function typeOf(value: unknown): Shape['type'] {
  return isPlain(value) ? (typeof value === 'boolean' ? 'boolean' : 'string') : 'object'
}
