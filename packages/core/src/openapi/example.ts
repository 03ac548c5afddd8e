/** Values that a field could hold, for those who read a document. */
import type { FieldSpec } from '../field/field.ts'

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
      return within(spec)
    case 'decimal':
      return spec.scale ? `1.${'0'.repeat(spec.scale)}` : '1'
    case 'flag':
      return true
    case 'choice':
      return spec.choices?.[0]
    case 'date':
      return `${spec.min ?? '2026-11-15'}`.slice(0, 10)
    case 'timestamp':
      return spec.min ?? '2026-11-15T09:30:00.000Z'
    case 'email':
      return 'ada@example.com'
    case 'url':
      return 'https://example.com/'
    default:
      return textOf(spec)
  }
}

const guid = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

function within({ min, max }: FieldSpec): number {
  if (min !== undefined) return Number(min)
  return max === undefined ? 1 : Math.min(1, Number(max))
}

function textOf({ minLength = 0, maxLength = 255 }: FieldSpec): string {
  return 'text'.padEnd(minLength, '.').slice(0, maxLength)
}
