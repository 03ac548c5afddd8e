/** Validates a JSON value against a field, and converts it to its canonical form. */
import type { FieldSpec, Value } from './field.ts'
import { patternOf } from './pattern/pattern.ts'
import { readDate, readTimestamp } from './read-date.ts'

/** The result of a validation: the value, or the end of a sentence that says what is wrong, such as "must be a string". */
export type ReadResult = { readonly value: Value } | { readonly fault: string }

const identitySpec: FieldSpec = { kind: 'integer', min: 1 }

/**
 * Validates a value of a request body against a field, and returns it in canonical form.
 *
 * @example
 * ```ts
 * readValue({ kind: 'text', maxLength: 3 }, 'Ada') // { value: 'Ada' }
 * readValue({ kind: 'text', maxLength: 3 }, 'Grace') // { fault: 'must have at most 3 characters' }
 * ```
 */
export function readValue(spec: FieldSpec, value: unknown): ReadResult {
  if (value === null) return spec.nullable ? { value: null } : { fault: 'must not be null' }
  switch (spec.kind) {
    case 'identity':
    case 'reference':
      return spec.guid ? readGuid(value) : readInteger(identitySpec, value)
    case 'integer':
      return readInteger(spec, value)
    case 'number':
      return readNumber(spec, value)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' }
    default:
      return typeof value === 'string' ? readString(spec, value) : { fault: 'must be a string' }
  }
}

function readString(spec: FieldSpec, value: string): ReadResult {
  if (!isStorable(value)) return { fault: unstorableFault }
  switch (spec.kind) {
    case 'choice':
      return spec.choices?.includes(value) ? { value } : { fault: `must be ${alternatives(spec.choices ?? [])}` }
    case 'guid':
      return readGuid(value)
    case 'date':
      return checkTime(spec, readDate(value), 'must be a date such as "2026-11-15"')
    case 'timestamp':
      return checkTime(spec, readTimestamp(value), 'must be a timestamp such as "2026-11-15T03:29:00.000Z"')
    case 'decimal':
      return readDecimal(spec, value)
    case 'email':
      return emailPattern.test(value) ? readLength(spec, value) : { fault: 'must be an e-mail address' }
    case 'url':
      return isWebUrl(value) ? readLength(spec, value) : { fault: 'must be an absolute http or https URL' }
    default:
      return readPattern(spec, value)
  }
}

/** The fault of a string that `isStorable` rejects. */
export const unstorableFault = 'must not contain U+0000 or an unpaired surrogate'

/**
 * Returns whether SQLite and PostgreSQL can store a string unchanged: it has no U+0000 and no unpaired surrogate.
 *
 * @example
 * ```ts
 * isStorable('Ada') // true
 * isStorable('A\u0000') // false
 * ```
 */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

const emailPattern =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
/** The characters of RFC 3986. Others must be percent-encoded, and host names in ASCII (punycode). */
const urlPattern = /^https?:\/\/(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/i
const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function readGuid(value: unknown): ReadResult {
  if (typeof value !== 'string' || !guidPattern.test(value)) {
    return { fault: 'must be a guid such as "0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10"' }
  }
  return { value: value.toLowerCase() }
}

function readInteger(spec: FieldSpec, value: unknown): ReadResult {
  if (!Number.isInteger(value)) return { fault: 'must be an integer' }
  if (!Number.isSafeInteger(value)) return { fault: 'must be within ±9007199254740991' }
  return checkRange(spec, Object.is(value, -0) ? 0 : (value as number))
}

function readNumber(spec: FieldSpec, value: unknown): ReadResult {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { fault: 'must be a number' }
  return checkRange(spec, Object.is(value, -0) ? 0 : value)
}

/** The value of a date or timestamp: undefined if it is malformed, and `fault` then says what is expected. */
function checkTime(spec: FieldSpec, value: string | undefined, fault: string): ReadResult {
  return value === undefined ? { fault } : checkRange(spec, value)
}

function checkRange(spec: FieldSpec, value: number | string): ReadResult {
  if (spec.min !== undefined && value < spec.min) return { fault: `must be at least ${spec.min}` }
  if (spec.max !== undefined && value > spec.max) return { fault: `must be at most ${spec.max}` }
  return { value }
}

function readLength(spec: FieldSpec, value: string): ReadResult {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = spec
  // A string has at most as many code points as UTF-16 units, so most strings need not be counted.
  if (minLength === 0 && value.length <= maxLength) return { value }
  const length = countCodePoints(value)
  if (length < minLength)
    return { fault: `must have at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}` }
  if (length > maxLength) return { fault: `must have at most ${maxLength} characters` }
  return { value }
}

function readPattern(spec: FieldSpec, value: string): ReadResult {
  const result = readLength(spec, value)
  if (spec.pattern === undefined || 'fault' in result || patternOf(spec.pattern).matches(value)) return result
  return { fault: `must match the pattern ${spec.pattern.source}` }
}

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A decimal in canonical form: no leading zeros, always `scale` digits after the point, no negative zero. */
function readDecimal(spec: FieldSpec, value: string): ReadResult {
  const { precision = 18, scale = 0 } = spec
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  const [, sign = '', padded = '', fraction = ''] = match ?? []
  // A separate step: within the pattern above, many leading zeros would make matching quadratic.
  const integerDigits = padded.replace(/^0+(?=\d)/, '')
  if (!match || fraction.length > scale || integerDigits.length > precision - scale) {
    const example = scale === 0 ? '12' : `12.${'50'.padEnd(scale, '0').slice(0, scale)}`
    return {
      fault: `must be a decimal string with at most ${precision - scale} digits before the decimal point and ${scale} after it, such as "${example}"`,
    }
  }
  const digits = scale === 0 ? integerDigits : `${integerDigits}.${fraction.padEnd(scale, '0')}`
  const canonical = /[1-9]/.test(digits) ? sign + digits : digits
  const scaled = scaledDecimal(canonical, scale)
  if (spec.min !== undefined && scaled < scaledDecimal(`${spec.min}`, scale))
    return { fault: `must be at least ${spec.min}` }
  if (spec.max !== undefined && scaled > scaledDecimal(`${spec.max}`, scale))
    return { fault: `must be at most ${spec.max}` }
  return { value: canonical }
}

/**
 * Converts a decimal string to an integer in its smallest unit (fixed-point), for exact comparison and sorting.
 *
 * @example
 * ```ts
 * scaledDecimal('12.5', 2) // 1250n
 * ```
 */
export function scaledDecimal(text: string, scale: number): bigint {
  const [integerDigits = '0', fraction = ''] = text.split('.')
  return BigInt(integerDigits + fraction.padEnd(scale, '0'))
}

function isWebUrl(text: string): boolean {
  return urlPattern.test(text) && URL.canParse(text)
}

/** Such as `"A", "B" or "C"`. */
function alternatives(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `"${choice}"`)
  const allButLast = quoted.slice(0, -1)
  return allButLast.length === 0 ? quoted.join() : `${allButLast.join(', ')} or ${quoted.at(-1)}`
}
