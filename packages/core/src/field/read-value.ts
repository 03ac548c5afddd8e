/** Reads a JSON value as the value of a field: checked against its kind and limits, in its one normal form. */
import type { FieldSpec, Value } from './field.ts'
import { readDate, readTimestamp } from './moment.ts'

/** A value that fits, or what is wrong with it, as the end of a sentence: "must be a string". */
export type Reading = { readonly value: Value } | { readonly fault: string }

const fromOne: FieldSpec = { kind: 'integer', min: 1 }

/**
 * Reads a value from a request body.
 *
 * ```ts
 * readValue({ kind: 'text', maxLength: 3 }, 'Ada') // { value: 'Ada' }
 * ```
 */
export function readValue(spec: FieldSpec, given: unknown): Reading {
  if (given === null) return spec.nullable ? { value: null } : { fault: 'must not be null' }
  switch (spec.kind) {
    case 'identity':
    case 'reference':
      return spec.guid ? readGuid(given) : readInteger(fromOne, given)
    case 'integer':
      return readInteger(spec, given)
    case 'number':
      return readNumber(spec, given)
    case 'boolean':
      return typeof given === 'boolean' ? { value: given } : { fault: 'must be true or false' }
    default:
      return typeof given === 'string' ? readString(spec, given) : { fault: 'must be a string' }
  }
}

function readString(spec: FieldSpec, given: string): Reading {
  if (!isStorable(given)) return { fault: 'must hold neither U+0000 nor half of a surrogate pair' }
  switch (spec.kind) {
    case 'choice':
      return spec.choices?.includes(given) ? { value: given } : { fault: `must be ${oneOf(spec.choices ?? [])}` }
    case 'guid':
      return readGuid(given)
    case 'date':
      return inRange(spec, readDate(given), 'must be a date such as "2026-11-15"')
    case 'timestamp':
      return inRange(spec, readTimestamp(given), 'must be a timestamp such as "2026-11-15T03:29:00.000Z"')
    case 'decimal':
      return readDecimal(spec, given)
    case 'email':
      return emailForm.test(given) ? readLength(spec, given) : { fault: 'must be an e-mail address' }
    case 'url':
      return isWebAddress(given) ? readLength(spec, given) : { fault: 'must be an absolute http or https address' }
    default:
      return readLength(spec, given)
  }
}

/**
 * Whether both databases can hold the text unchanged.
 *
 * ```ts
 * isStorable('Ada') // true
 * isStorable('A\u0000') // false
 * ```
 */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

const emailForm =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
/** The characters of RFC 3986; others are to be percent-encoded, and host names to be in their ASCII form. */
const uriForm = /^https?:\/\/(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i
const guidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function readGuid(given: unknown): Reading {
  if (typeof given !== 'string' || !guidForm.test(given)) {
    return { fault: 'must be a guid such as "0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10"' }
  }
  return { value: given.toLowerCase() }
}

function readInteger(spec: FieldSpec, given: unknown): Reading {
  if (!Number.isInteger(given)) return { fault: 'must be an integer' }
  if (!Number.isSafeInteger(given)) return { fault: 'must lie within ±9007199254740991' }
  return inRange(spec, Object.is(given, -0) ? 0 : (given as number), '')
}

function readNumber(spec: FieldSpec, given: unknown): Reading {
  if (typeof given !== 'number' || !Number.isFinite(given)) return { fault: 'must be a number' }
  return inRange(spec, Object.is(given, -0) ? 0 : given, '')
}

/** `given` is undefined where it could not be read at all; `form` then says what was expected. */
function inRange(spec: FieldSpec, given: number | string | undefined, form: string): Reading {
  if (given === undefined) return { fault: form }
  if (spec.min !== undefined && given < spec.min) return { fault: `must be at least ${spec.min}` }
  if (spec.max !== undefined && given > spec.max) return { fault: `must be at most ${spec.max}` }
  return { value: given }
}

function readLength(spec: FieldSpec, given: string): Reading {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = spec
  // A text has at most as many characters as UTF-16 units, so most texts need no counting.
  if (minLength === 0 && given.length <= maxLength) return { value: given }
  const length = characters(given)
  if (length < minLength)
    return { fault: `must have at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}` }
  if (length > maxLength) return { fault: `must have at most ${maxLength} characters` }
  return { value: given }
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The one form of a decimal: no leading zeros, always `scale` digits behind the point, no negative zero. */
function readDecimal(spec: FieldSpec, given: string): Reading {
  const { precision = 18, scale = 0 } = spec
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(given)
  const [, sign = '', padded = '', fraction = ''] = parts ?? []
  // In a step of its own: as part of the form, a long row of zeros would be tried at each of them.
  const whole = padded.replace(/^0+(?=\d)/, '')
  if (!parts || fraction.length > scale || whole.length > precision - scale) {
    const example = scale === 0 ? '12' : `12.${'50'.padEnd(scale, '0').slice(0, scale)}`
    return {
      fault: `must be a decimal string such as "${example}", at most ${precision - scale} digits before the point and ${scale} behind it`,
    }
  }
  const digits = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  const value = /[1-9]/.test(digits) ? sign + digits : digits
  const scaled = scaledDecimal(value, scale)
  if (spec.min !== undefined && scaled < scaledDecimal(`${spec.min}`, scale))
    return { fault: `must be at least ${spec.min}` }
  if (spec.max !== undefined && scaled > scaledDecimal(`${spec.max}`, scale))
    return { fault: `must be at most ${spec.max}` }
  return { value }
}

/**
 * A decimal as a whole number of its smallest unit, so that it compares and sorts exactly.
 *
 * ```ts
 * scaledDecimal('12.5', 2) // 1250n
 * ```
 */
export function scaledDecimal(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

function isWebAddress(text: string): boolean {
  return uriForm.test(text) && URL.canParse(text)
}

function oneOf(choices: readonly string[]): string {
  return choices.length === 1 ? `"${choices[0]}"` : `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`
}
