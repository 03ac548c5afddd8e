/** SQLite expressions for stored values: literals, and the conversions that `convert` allows. */
import { scaledDecimal } from '@nomen/core'
import { formOf, isSameForm, pathConversion, storedDefault } from '../../migrate/convert.ts'
import type { FieldSchema } from '../../migrate/schema/schema.ts'
import { stringLiteral } from '../../sql/sql.ts'

/** A field's default in its stored form. */
export function defaultLiteral(field: FieldSchema): string {
  const { kind, scale = 0 } = field
  const value = storedDefault(field)
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (kind === 'decimal') return `${scaledDecimal(`${value}`, scale)}`
  if (kind === 'number') return Number.isInteger(value) && !`${value}`.includes('e') ? `${value}.0` : `${value}`
  return typeof value === 'number' ? `${value}` : stringLiteral(value)
}

/** Converts the value of an expression through the forms of these fields, one after the other. */
export const convertByPath = pathConversion(convertExpression)

/** Converts the value of an expression from one field's form to another's. Null stays null. */
export function convertExpression(before: FieldSchema, after: FieldSchema, expression: string): string {
  if (isSameForm(before, after)) return expression
  switch (formOf(after)) {
    case 'whole':
      return toWhole(before, expression)
    case 'number':
      return toNumber(before, expression)
    case 'decimal':
      return toDecimal(before, after, expression)
    case 'boolean':
      return formOf(before) === 'text' ? `(${expression} = 'true')` : expression
    case 'text':
      return toText(before, after, expression)
  }
}

function toWhole(before: FieldSchema, expression: string): string {
  switch (formOf(before)) {
    case 'decimal':
      return `(${expression} / ${unit(before.scale)})`
    case 'number':
    case 'text':
      return `CAST(${expression} AS INTEGER)`
    default:
      return expression
  }
}

function toNumber(before: FieldSchema, expression: string): string {
  const number = `CAST(${expression} AS REAL)`
  return formOf(before) === 'decimal' ? `(${number} / ${unit(before.scale)})` : number
}

function toDecimal(before: FieldSchema, { scale = 0 }: FieldSchema, expression: string): string {
  switch (formOf(before)) {
    case 'decimal': {
      const difference = scale - (before.scale ?? 0)
      return difference < 0 ? `(${expression} / ${unit(-difference)})` : `(${expression} * ${unit(difference)})`
    }
    case 'number':
      // By its digits: a multiplication could give a wrong neighboring integer.
      return unitsOf(`(${numberText(expression)})`, scale)
    case 'text':
      return unitsOf(expression, scale)
    default:
      return `(${expression} * ${unit(scale)})`
  }
}

/** The integer number of smallest units in a decimal string. */
function unitsOf(digits: string, scale: number): string {
  const fractionDigits = `iif(instr(${digits}, '.'), length(${digits}) - instr(${digits}, '.'), 0)`
  const zeros = `substr('${'0'.repeat(scale)}', 1 + ${fractionDigits})`
  return `CAST(replace(${digits}, '.', '') || ${zeros} AS INTEGER)`
}

function toText(before: FieldSchema, after: FieldSchema, expression: string): string {
  switch (formOf(before)) {
    case 'text':
      if (before.kind === 'date' && after.kind === 'timestamp') return `(${expression} || 'T00:00:00.000Z')`
      return before.kind === 'timestamp' && after.kind === 'date' ? `substr(${expression}, 1, 10)` : expression
    case 'boolean':
      return `CASE ${expression} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    case 'number':
      return numberText(expression)
    case 'decimal':
      return decimalText(expression, before.scale ?? 0)
    default:
      return `CAST(${expression} AS TEXT)`
  }
}

function numberText(expression: string): string {
  const integer = `CAST(${expression} AS INTEGER)`
  // A cast writes 17 digits, and so 5.1257283053408402 for 5.12572830534084.
  const fraction = `WHEN ${expression} IS NOT NULL THEN format('%.15g', ${expression})`
  return `CASE WHEN ${expression} = ${integer} THEN CAST(${integer} AS TEXT) ${fraction} END`
}

function decimalText(expression: string, scale: number): string {
  if (scale === 0) return `CAST(${expression} AS TEXT)`
  const sign = `iif(${expression} < 0, '-', '')`
  const fraction = `format('%0${scale}d', abs(${expression}) % ${unit(scale)})`
  // Unlike format(), || gives null for null.
  return `(${sign} || (abs(${expression}) / ${unit(scale)}) || '.' || ${fraction})`
}

function unit(scale = 0): string {
  return `1${'0'.repeat(scale)}`
}
