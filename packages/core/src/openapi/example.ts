/** Values that a field could hold, for those who read a document. */
import type { FieldSpec } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'

export function exampleOf(spec: FieldSpec): unknown {
  if (spec.default !== undefined) return spec.default
  switch (spec.kind) {
    case 'identity':
    case 'reference':
      return spec.guid ? guid : 1
    case 'guid':
      return guid
    case 'integer':
    case 'number':
      return firstFitting(spec, [spec.min, 1, spec.max])
    case 'decimal':
      return firstFitting(spec, [spec.min, '1', spec.max])
    case 'boolean':
      return true
    case 'choice':
      return spec.choices?.[0]
    case 'date':
      return firstFitting(spec, [spec.min, '2026-11-15', spec.max])
    case 'timestamp':
      return firstFitting(spec, [spec.min, '2026-11-15T09:30:00.000Z', spec.max])
    case 'email':
      return 'ada@example.com'
    case 'url':
      return firstFitting(
        spec,
        addresses.map((one) => one.padEnd(spec.minLength ?? 0, 'x')),
      )
    default:
      return textOf(spec)
  }
}

const guid = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

/** The usual one first; the shorter ones where it is too long. */
const addresses = ['https://example.com/', 'https://a.test', 'http://a']

/** The first of these that the field can hold, in the form in which it would hold it. */
function firstFitting(spec: FieldSpec, given: readonly unknown[]): unknown {
  const readings = given.map((one) => readValue(spec, one))
  return readings.find((reading) => 'value' in reading)?.value
}

function textOf({ minLength = 0, maxLength = 255 }: FieldSpec): string {
  return 'text'.padEnd(minLength, '.').slice(0, maxLength)
}
