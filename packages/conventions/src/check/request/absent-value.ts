/** An ID, or a value of another property, that no record has. */
import type { Json, JsonObject } from '../../document/read-document.ts'
import type { Random } from './random.ts'

/** A value of the type of the schema, or else of the type of a known value. */
export function absentValue(random: Random, schema: JsonObject | undefined, knownValue: Json | undefined): string {
  if (typeof knownValue === 'number' || schema?.type === 'integer') return `${900_000_000 + random.below(99_999_999)}`
  const word = random.word(12)
  if (schema?.format === 'uuid' || /^[\da-f]{8}-[\da-f]{4}-/i.test(`${knownValue}`)) {
    const hex = (length: number) => Array.from({ length }, () => random.below(16).toString(16)).join('')
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  }
  return schema?.format === 'email' ? `nomen-check-${word}@example.com` : `nomen-check-${word}`
}
