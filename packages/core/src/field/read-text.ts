/** Reads a value from the text of a path or of a query: checked for type and choice, never for format. */
import type { FieldSpec } from './field.ts'
import { readDate, readTimestamp } from './moment.ts'
import { isStorable, type Reading, readValue } from './read-value.ts'

/**
 * Reads the value of a filter. The empty text is null where the field is nullable. A text that is of the right type
 * and yet no possible value (no date, no guid) is let through: no record has it.
 *
 * ```ts
 * readText({ kind: 'integer' }, '7') // { value: 7 }
 * readText({ kind: 'boolean' }, 'yes') // { fault: 'must be true or false' }
 * ```
 */
export function readText(spec: FieldSpec, text: string): Reading {
  if (text === '' && spec.nullable) return { value: null }
  if (!isStorable(text)) return { fault: 'must hold neither U+0000 nor half of a surrogate pair' }
  switch (spec.kind) {
    case 'integer':
      return readInteger(text)
    case 'identity':
    case 'reference':
      return spec.guid ? { value: text.toLowerCase() } : readInteger(text)
    case 'number':
      return numberForm.test(text) ? readValue({ kind: 'number' }, Number(text)) : { fault: 'must be a number' }
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'must be true or false' }
    case 'choice':
      return readValue(spec, text)
    case 'guid':
      return { value: text.toLowerCase() }
    case 'timestamp':
      return { value: readTimestamp(text) ?? text }
    case 'decimal':
      return readDecimalText(spec, text)
    default:
      return { value: text }
  }
}

/**
 * Reads the bound of a range. Unlike an exact value it must be one: there is no telling what lies beyond "soon".
 *
 * ```ts
 * readBound({ kind: 'date' }, 'soon') // { fault: … }
 * ```
 */
export function readBound(spec: FieldSpec, text: string): Reading {
  if (spec.kind === 'timestamp') {
    const moment = readTimestamp(readDate(text) ? `${text}T00:00:00.000Z` : text)
    if (moment) return { value: moment }
    return { fault: 'must be a timestamp such as 2026-11-15T03:29:00.000Z, or a date' }
  }
  if (spec.kind === 'date') return readDate(text) ? { value: text } : { fault: 'must be a date such as 2026-11-15' }
  if (spec.kind === 'decimal') return readValue(unlimited(spec), text)
  return readText(unlimited(spec), text)
}

const integerForm = /^-?\d+$/
const numberForm = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Digits only: "1e3", "1.0" and " 1" are no integers here. */
function readInteger(text: string): Reading {
  return integerForm.test(text) ? readValue({ kind: 'integer' }, Number(text)) : { fault: 'must be an integer' }
}

/** A decimal is compared by its one form; a text that is none equals no record's value. */
function readDecimalText(spec: FieldSpec, text: string): Reading {
  const reading = readValue(unlimited(spec), text)
  return 'value' in reading ? reading : { value: text }
}

function unlimited(spec: FieldSpec): FieldSpec {
  const { min: _min, max: _max, nullable: _nullable, ...rest } = spec
  return rest
}
