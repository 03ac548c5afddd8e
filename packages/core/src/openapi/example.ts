/** Example values of fields for OpenAPI documents. */
import type { FieldSpec } from '../field/field.ts'
import { patternOf } from '../field/pattern/pattern.ts'
import { readValue } from '../field/read-value.ts'

export function exampleOf(spec: FieldSpec): unknown {
  if (spec.example !== undefined) return spec.example
  if (spec.default !== undefined) return spec.default
  switch (spec.kind) {
    case 'identity':
    case 'reference':
      return spec.guid ? guid : 1
    case 'guid':
      return guid
    case 'integer':
    case 'number':
      return firstValid(spec, [spec.min, 1, spec.max])
    case 'decimal':
      return firstValid(spec, [spec.min, '1', spec.max])
    case 'boolean':
      return true
    case 'choice':
      return spec.choices?.[0]
    case 'date':
      return firstValid(spec, [spec.min, '2026-11-15', spec.max])
    case 'timestamp':
      return firstValid(spec, [spec.min, '2026-11-15T09:30:00.000Z', spec.max])
    case 'email':
      return firstValid(spec, ['ada@example.com', 'ada@a.test', 'a@b'])
    case 'url':
      return firstValid(
        spec,
        addresses.map((address) => address.padEnd(spec.minLength ?? 0, 'x')),
      )
    default:
      return textOf(spec)
  }
}

const guid = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

/** Examples, the usual one first; shorter ones if it is too long. */
const addresses = ['https://example.com/', 'https://a.test', 'http://a']

/** The first example that is valid for the field, in canonical form. */
function firstValid(spec: FieldSpec, candidates: readonly unknown[]): unknown {
  const readings = candidates.map((candidate) => readValue(spec, candidate))
  return readings.find((reading) => 'value' in reading)?.value
}

function textOf({ minLength = 0, maxLength = 255, pattern }: FieldSpec): string | undefined {
  if (pattern) return patternOf(pattern).sample({ minLength, maxLength })
  return 'text'.padEnd(minLength, '.').slice(0, maxLength)
}
