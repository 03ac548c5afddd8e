/** Errors of values that are known before they are sent: missing values, format, length, pattern, minimum and maximum. */
import { compilePattern, type Pattern, PatternError } from '@nomen/core/openapi'
import { format, text } from '../../language/language.ts'
import { type Field, isMandatory } from './field.ts'
import { isSame, type Values, wholeBody } from './values.ts'

/**
 * The errors of a form, by field name. Unchanged values of a stored record are left to the service: it may have values that its
 * document does not allow.
 */
export function faultsIn(
  fields: readonly Field[],
  values: Values,
  stored: Values = {},
): { readonly [name: string]: string } {
  const body = wholeBody(fields, values)
  const faults = fields.flatMap((field) => {
    if (field.name in stored && isSame(values[field.name], stored[field.name])) return []
    const fault = faultOf(field, body[field.name])
    return fault === undefined ? [] : [[field.name, fault]]
  })
  return Object.fromEntries(faults)
}

function faultOf(field: Field, value: unknown): string | undefined {
  if (value === '' || value === null || value === undefined)
    return isMandatory(field) ? text().record.required(field.title) : undefined
  return formatFault(field, value) ?? textFault(field, value) ?? limitFault(field, value)
}

/** The service accepts no other format, but may have stricter rules. */
function formatFault({ kind, pattern, choices }: Field, value: unknown): string | undefined {
  const { notBoolean, notChoice, notDate, notDecimal, notEmail, notInteger, notJson, notNumber, notTime, notUrl } =
    text().record
  switch (kind) {
    case 'integer':
      return Number.isInteger(value) ? undefined : notInteger
    case 'number':
      return typeof value === 'number' ? undefined : notNumber
    case 'decimal':
      return pattern === undefined || patternFor(pattern)?.matches(`${value}`) !== false ? undefined : notDecimal
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(`${value}`) ? undefined : notEmail
    case 'url':
      return URL.canParse(`${value}`) ? undefined : notUrl
    case 'json':
      return typeof value === 'object' ? undefined : notJson
    case 'boolean':
      return typeof value === 'boolean' ? undefined : notBoolean
    case 'choice':
      return choices.includes(value) ? undefined : notChoice(choices.map(String))
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(`${value}`) && !Number.isNaN(Date.parse(`${value}`)) ? undefined : notDate
    case 'timestamp':
      return Number.isNaN(Date.parse(`${value}`)) ? notTime : undefined
    default:
      return undefined
  }
}

function textFault({ kind, pattern, minLength, maxLength }: Field, value: unknown): string | undefined {
  if (typeof value !== 'string' || !['text', 'paragraph', 'color'].includes(kind)) return undefined
  const length = [...value].length
  if (length < minLength) return text().record.tooShort(minLength)
  if (length > maxLength) return text().record.tooLong(maxLength, length)
  if (pattern !== undefined && patternFor(pattern)?.matches(value) === false) return text().record.wrongPattern(pattern)
  return undefined
}

function limitFault({ kind, minimum, maximum }: Field, value: unknown): string | undefined {
  const { tooEarly, tooLarge, tooLate, tooSmall } = text().record
  const isTime = kind === 'date' || kind === 'timestamp'
  // Invalid input is NaN, which is not compared: the service reports it.
  const comparable = (limit: unknown) => (isTime ? Date.parse(`${limit}`) : Number(limit))
  if (minimum !== undefined && comparable(value) < comparable(minimum))
    return isTime ? tooEarly(limitText(kind, minimum)) : tooSmall(limitText(kind, minimum))
  if (maximum !== undefined && comparable(value) > comparable(maximum))
    return isTime ? tooLate(limitText(kind, maximum)) : tooLarge(limitText(kind, maximum))
  return undefined
}

function limitText(kind: Field['kind'], limit: number | string): string {
  const { number, day, time } = format()
  if (typeof limit === 'number') return number(limit)
  if (kind === 'date') return day(limit)
  return kind === 'timestamp' ? `${day(limit)}, ${time(limit)}` : limit
}

const patternsBySource = new Map<string, Pattern | undefined>()

/** Undefined for a pattern that only the service can check. */
function patternFor(source: string): Pattern | undefined {
  if (!patternsBySource.has(source)) patternsBySource.set(source, compileSafely(source))
  return patternsBySource.get(source)
}

function compileSafely(source: string): Pattern | undefined {
  try {
    return compilePattern(source)
  } catch (error) {
    if (error instanceof PatternError) return undefined
    throw error
  }
}
