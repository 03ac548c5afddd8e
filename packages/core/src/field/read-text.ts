/** Reads a value from the string of a path or query parameter. */
import type { FieldSpec } from './field.ts'
import { readDate, readTimestamp } from './read-date.ts'
import { isStorable, type ReadResult, readValue, unstorableFault } from './read-value.ts'

/**
 * Parses the value of a filter (query parameter). An empty string is null if the field is nullable. The string must be of the type
 * of the field, but `min`, `max`, lengths, and the format of e-mail addresses and URLs are not checked: no record has such a
 * value, so the filter matches nothing.
 *
 * @example
 * ```ts
 * readText({ kind: 'integer' }, '7') // { value: 7 }
 * readText({ kind: 'boolean' }, 'yes') // { fault: 'must be true or false' }
 * ```
 */
export function readText(spec: FieldSpec, text: string): ReadResult {
  if (text === '' && spec.nullable) return { value: null }
  if (!isStorable(text)) return { fault: unstorableFault }
  switch (spec.kind) {
    case 'integer':
      return readInteger(text)
    case 'identity':
    case 'reference':
      return spec.guid ? readValue(guidSpec, text) : readInteger(text)
    case 'number':
      return numberPattern.test(text) ? readValue({ kind: 'number' }, Number(text)) : { fault: 'must be a number' }
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'must be true or false' }
    case 'choice':
      return readValue(spec, text)
    case 'guid':
      return readValue(guidSpec, text)
    case 'date':
      return readDate(text) ? { value: text } : { fault: 'must be a date such as 2026-11-15' }
    case 'timestamp': {
      const timestamp = readTimestamp(text)
      return timestamp ? { value: timestamp } : { fault: timestampFault }
    }
    case 'decimal':
      return readValue(unlimited(spec), text)
    default:
      return { value: text }
  }
}

/**
 * Parses the bound of a range filter (query parameter). Unlike the value of an equality filter, it is never null, and the
 * bound of a timestamp may be a date, which begins at midnight UTC.
 *
 * @example
 * ```ts
 * readBound({ kind: 'date' }, 'soon') // { fault: 'must be a date such as 2026-11-15' }
 * ```
 */
export function readBound(spec: FieldSpec, text: string): ReadResult {
  if (spec.kind === 'timestamp') {
    const timestamp = readTimestamp(readDate(text) ? `${text}T00:00:00.000Z` : text)
    return timestamp ? { value: timestamp } : { fault: `${timestampFault}, or a date` }
  }
  return readText(unlimited(spec), text)
}

const guidSpec: FieldSpec = { kind: 'guid' }
const timestampFault = 'must be a timestamp such as 2026-11-15T03:29:00.000Z'
const integerPattern = /^-?\d+$/
const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Digits only: "1e3", "1.0" and " 1" are not integers. */
function readInteger(text: string): ReadResult {
  return integerPattern.test(text) ? readValue({ kind: 'integer' }, Number(text)) : { fault: 'must be an integer' }
}

function unlimited(spec: FieldSpec): FieldSpec {
  const { min: _min, max: _max, nullable: _nullable, ...others } = spec
  return others
}
