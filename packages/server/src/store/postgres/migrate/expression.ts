/** SQL expressions of PostgreSQL for stored values: literals, and conversions that `convert` has found possible. */
import { scaledDecimal } from '@nomen/core'
import { carriedBy, formOf, isSameForm, type Stored, storedDefault } from '../../migrate/convert.ts'
import type { FieldSchema } from '../../migrate/schema.ts'
import { textLiteral } from '../../sql/sql.ts'
import { typeOf } from './table.ts'

/** A field's default as it is stored, with its type. */
export function defaultLiteral(field: FieldSchema): string {
  const value = storedDefault(field)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return `${value}`
  return `${textLiteral(`${value}`)}::${typeOf(field)}`
}

/** The expression's value, carried through the forms of these fields one after the other. */
export const carried = carriedBy(converted)

/** The expression's value, carried over from one field's form to another's. Null stays null. */
function converted(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (isSameForm(before, after)) return expression
  // An identity of another kind is another identity, and a reference to another noun means another record.
  if (after.kind === 'identity' || (before.kind === 'reference' && after.kind === 'reference')) return nothing(after)
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

/** Where no value can be carried over there is none but null. */
function nothing(after: FieldSchema): string {
  return `null::${typeOf(after)}`
}

function toNumeric(before: FieldSchema, after: FieldSchema, expression: string): string {
  const type = typeOf(after)
  if (typeOf(before) === type) return expression
  switch (formOf(before)) {
    case 'boolean':
      return after.kind === 'integer' ? `(${expression})::integer::bigint` : nothing(after)
    case 'number':
      // Not directly: PostgreSQL would cut a number to 15 digits on its way to a decimal.
      return after.kind === 'decimal' ? `(${expression})::text::${type}` : `(${expression})::${type}`
    case 'text':
      return `${written(before, expression)}::${type}`
    default:
      return `(${expression})::${type}`
  }
}

function toFlag(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (before.kind === 'integer') return `(${expression} = 1)`
  return formOf(before) === 'text' ? `(${written(before, expression)} = 'true')` : nothing(after)
}

function toText(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (typeOf(before) === typeOf(after)) return expression
  if (before.kind === 'date' && after.kind === 'timestamp') return `((${expression})::timestamp at time zone 'UTC')`
  if (before.kind === 'timestamp' && after.kind === 'date') return `((${expression}) at time zone 'UTC')::date`
  return fromText(after, written(before, expression))
}

/** A value in the one form in which it is written on the wire. */
function written(before: FieldSchema, expression: string): string {
  switch (before.kind) {
    case 'date':
      return `to_char((${expression})::timestamp, 'YYYY-MM-DD')`
    case 'timestamp':
      return `to_char((${expression}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    case 'number':
      // By way of a decimal, which is written without an exponent.
      return `(${expression})::text::numeric::text`
    default:
      return typeOf(before) === 'text' ? `(${expression})` : `(${expression})::text`
  }
}

function fromText(after: FieldSchema, text: string): string {
  const type = typeOf(after)
  return type === 'text' ? text : `${text}::${type}`
}

/** A value of a field, from its text. */
export function storedValue(field: FieldSchema, text: string): Stored {
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
