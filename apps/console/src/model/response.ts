/** The response of a custom operation: its fields, including those that the document does not describe. */

import { recordIn, type Shape } from '@nomen/core/openapi'
import { type Field, fieldOf, fieldsOf } from './record/field.ts'
import { isObject, type Json } from './service/openapi.ts'

/** The records of a response that is an array or a page. */
export function responseRecords(body: unknown): readonly Json[] | undefined {
  const list = isObject(body) && isObject(body.pageInfo) ? body.results : body
  return Array.isArray(list) && list.every(isObject) ? list : undefined
}

/** The fields of these records: those of the schema, then the others. */
export function responseFields(shape: Shape | undefined, records: readonly Json[]): readonly Field[] {
  const describedFields = shape ? fieldsOf(recordIn(shape, undefined)) : []
  const values = new Map(records.flatMap((record) => Object.entries(record)))
  const fields = describedFields.map((field) =>
    isPlain(values.get(field.name)) ? field : { ...field, kind: 'json' as const },
  )
  const describedNames = new Set(describedFields.map(({ name }) => name))
  const otherValues = [...values].filter(([name]) => !describedNames.has(name))
  return [...fields, ...otherValues.map(([name, value]) => fieldOf(name, { type: typeOf(value), schema: {} }))]
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function typeOf(value: unknown): Shape['type'] {
  return isPlain(value) ? (typeof value === 'boolean' ? 'boolean' : 'string') : 'object'
}
