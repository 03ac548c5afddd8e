/** Converts stored values when the kind of a field changes, if no information is lost. */
import { readValue, scaledDecimal } from '@nomen/core'
import type { FieldSchema } from './schema/schema.ts'

/** A value as its column stores it. A decimal is an integer number of its smallest unit, a boolean is 1 or 0. */
export type StoredValue = string | number | bigint

/**
 * The value in its new form; undefined if no form means the same. Nothing is rounded or truncated. Numbers with a
 * fraction convert to and from strings with at most 15 digits, because every database writes those the same way.
 */
export function convert(before: FieldSchema, after: FieldSchema, value: StoredValue): StoredValue | undefined {
  if (isSameForm(before, after)) return after.kind === 'choice' ? toText(before, after, value) : value
  // Another kind of identity identifies other records, and a reference to another noun means another record.
  if (after.kind === 'identity' || (before.kind === 'reference' && after.kind === 'reference')) return undefined
  switch (formOf(after)) {
    case 'whole':
      return toInteger(before, after, value)
    case 'number':
      return toNumber(before, value)
    case 'decimal':
      return toDecimal(before, after, value)
    case 'boolean':
      return toFlag(before, value)
    case 'text':
      return toText(before, after, value)
  }
}

/** Whether both fields store the same form of value with the same meaning, apart from limits and choices. */
export function isSameForm(before: FieldSchema, after: FieldSchema): boolean {
  const { kind, scale, guid, target } = before
  return kind === after.kind && scale === after.scale && guid === after.guid && target === after.target
}

/** A field's default in its stored form. The declaration may write a date or a guid in another form. */
export function storedDefault({
  kind,
  scale = 0,
  choices = [],
  limits = {},
  guid,
  default: value = null,
}: FieldSchema) {
  const result = readValue({ kind, scale, choices, ...limits, ...(guid && { guid: true }) }, value)
  return 'value' in result ? result.value : value
}

/** Converts an SQL expression from one field's form to another's. */
type ExpressionConversion = (before: FieldSchema, after: FieldSchema, expression: string) => string

/** Converts the value of an expression through the forms of these fields, one after the other. */
export function pathConversion(converted: ExpressionConversion) {
  return (path: readonly FieldSchema[], expression: string): string =>
    path.reduce((value, form, index) => converted(path[index - 1] ?? form, form, value), expression)
}

export type Form = 'whole' | 'number' | 'decimal' | 'boolean' | 'text'

/** The storage form of a field's values. */
export function formOf({ kind, guid }: FieldSchema): Form {
  switch (kind) {
    case 'integer':
      return 'whole'
    case 'identity':
    case 'reference':
      return guid ? 'text' : 'whole'
    case 'number':
    case 'decimal':
    case 'boolean':
      return kind
    default:
      return 'text'
  }
}

function toInteger(before: FieldSchema, after: FieldSchema, value: StoredValue): bigint | undefined {
  const integer = before.kind === 'boolean' && after.kind === 'reference' ? undefined : integerOf(before, value)
  if (integer === undefined || abs(integer) > Number.MAX_SAFE_INTEGER) return undefined
  return after.kind === 'reference' && integer < 1 ? undefined : integer
}

function integerOf(before: FieldSchema, value: StoredValue): bigint | undefined {
  switch (formOf(before)) {
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : undefined
    case 'decimal':
      return BigInt(value) % unit(before) === 0n ? BigInt(value) / unit(before) : undefined
    case 'text':
      return /^(0|-?[1-9]\d*)$/.test(`${value}`) ? BigInt(value) : undefined
    default:
      return BigInt(value)
  }
}

function toNumber(before: FieldSchema, value: StoredValue): number | undefined {
  switch (formOf(before)) {
    case 'whole':
      return Number(value)
    case 'decimal':
      return abs(BigInt(value)) > Number.MAX_SAFE_INTEGER ? undefined : Number(value) / Number(unit(before))
    case 'text':
      return isShortNumber(`${value}`) && !Object.is(Number(value), -0) ? Number(value) : undefined
    default:
      return undefined
  }
}

function toDecimal(before: FieldSchema, after: FieldSchema, value: StoredValue): bigint | undefined {
  const text = before.kind === 'boolean' ? undefined : plainText(before, value)
  if (text === undefined) return undefined
  const { scale = 0, limits: { precision = 18 } = {} } = after
  // Trailing zeros may be dropped if the new scale is smaller.
  const trimmed = before.kind === 'decimal' && text.includes('.') ? text.replace(/\.?0+$/, '') : text
  const result = readValue({ kind: 'decimal', precision, scale }, trimmed)
  return 'value' in result ? scaledDecimal(`${result.value}`, scale) : undefined
}

function toFlag(before: FieldSchema, value: StoredValue): bigint | undefined {
  if (before.kind === 'integer') return BigInt(value) === 0n || BigInt(value) === 1n ? BigInt(value) : undefined
  if (formOf(before) !== 'text') return undefined
  return value === 'true' ? 1n : value === 'false' ? 0n : undefined
}

function toText(before: FieldSchema, after: FieldSchema, value: StoredValue): string | undefined {
  const text = textIn(before, after, value)
  if (text === undefined) return undefined
  const { kind, guid, choices = [] } = after
  const result = readValue({ kind, choices, ...(guid && { guid }) }, text)
  return 'value' in result && result.value === text ? text : undefined
}

const midnight = 'T00:00:00.000Z'

function textIn(before: FieldSchema, after: FieldSchema, value: StoredValue): string | undefined {
  if (before.kind === 'date' && after.kind === 'timestamp') return `${value}${midnight}`
  if (before.kind === 'timestamp' && after.kind === 'date') return `${value}`.replace(midnight, '')
  return before.kind === 'boolean' ? `${BigInt(value) === 1n}` : plainText(before, value)
}

/** A number in decimal digits; other values as they are. */
function plainText(before: FieldSchema, value: StoredValue): string | undefined {
  switch (formOf(before)) {
    case 'decimal':
      return decimalText(BigInt(value), before.scale ?? 0)
    case 'number':
      if (Number.isSafeInteger(value)) return `${BigInt(value)}`
      return Math.abs(Number(value)) >= 1e-4 && isShortNumber(`${value}`) ? `${value}` : undefined
    default:
      return `${value}`
  }
}

function decimalText(value: bigint, scale: number): string {
  if (scale === 0) return `${value}`
  const digits = `${abs(value)}`.padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function isShortNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && text.replace(/^-?[0.]*|\./g, '').length <= 15
}

function unit({ scale = 0 }: FieldSchema): bigint {
  return 10n ** BigInt(scale)
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
