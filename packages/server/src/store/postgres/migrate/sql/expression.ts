/** PostgreSQL expressions for stored values: literals, and the conversions that `convert` allows. */
import { scaledDecimal } from '@nomen/core'
import { formOf, isSameForm, pathConversion, type StoredValue } from '../../../migrate/convert.ts'
import type { FieldSchema } from '../../../migrate/schema/schema.ts'
import { typeOf } from './table.ts'

/** Converts the value of an expression through the forms of these fields, one after the other. */
export const convertByPath = pathConversion(convertExpression)

/** Converts the value of an expression from one field's form to another's. Null stays null. */
function convertExpression(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (isSameForm(before, after)) return expression
  // Another kind of identity identifies other records, and a reference to another noun means another record.
  if (after.kind === 'identity' || (before.kind === 'reference' && after.kind === 'reference')) return nullOf(after)
  switch (formOf(after)) {
    case 'whole':
    case 'number':
    case 'decimal':
      return toNumeric(before, after, expression)
    case 'boolean':
      return toFlag(before, after, expression)
    case 'text':
      return toText(before, after, expression)
  }
}

/** The value if nothing can be converted. */
function nullOf(after: FieldSchema): string {
  return `null::${typeOf(after)}`
}

function toNumeric(before: FieldSchema, after: FieldSchema, expression: string): string {
  const type = typeOf(after)
  if (typeOf(before) === type) return expression
  switch (formOf(before)) {
    case 'boolean':
      return after.kind === 'integer' ? `(${expression})::integer::bigint` : nullOf(after)
    case 'number':
      // Through text: PostgreSQL would truncate a number to 15 digits in a cast to numeric.
      return after.kind === 'decimal' ? `(${expression})::text::${type}` : `(${expression})::${type}`
    case 'text':
      return `${jsonText(before, expression)}::${type}`
    default:
      return `(${expression})::${type}`
  }
}

function toFlag(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (before.kind === 'integer') return `(${expression} = 1)`
  return formOf(before) === 'text' ? `(${jsonText(before, expression)} = 'true')` : nullOf(after)
}

function toText(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (typeOf(before) === typeOf(after)) return expression
  if (before.kind === 'date' && after.kind === 'timestamp') return `((${expression})::timestamp at time zone 'UTC')`
  if (before.kind === 'timestamp' && after.kind === 'date') return `((${expression}) at time zone 'UTC')::date`
  return fromText(after, jsonText(before, expression))
}

/** A value in its JSON form. */
function jsonText(before: FieldSchema, expression: string): string {
  switch (before.kind) {
    case 'date':
      return `to_char((${expression})::timestamp, 'YYYY-MM-DD')`
    case 'timestamp':
      return `to_char((${expression}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    case 'number':
      // Through numeric, which is written without an exponent.
      return `(${expression})::text::numeric::text`
    default:
      return typeOf(before) === 'text' ? `(${expression})` : `(${expression})::text`
  }
}

function fromText(after: FieldSchema, text: string): string {
  const type = typeOf(after)
  return type === 'text' ? text : `${text}::${type}`
}

/** A value of a field, from its string. */
export function storedValue(field: FieldSchema, text: string): StoredValue {
  switch (formOf(field)) {
    case 'whole':
      return BigInt(text)
    case 'number':
      return Number(text)
    case 'decimal':
      return scaledDecimal(text, field.scale ?? 0)
    case 'boolean':
      return text === 'true' ? 1n : 0n
    case 'text':
      return text
  }
}
