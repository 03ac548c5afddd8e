/** The limits of a schema as numbers that can be compared: lengths, ranges, counts. */
import type { JsonObject } from '../../document/read-document.ts'

export interface Limit {
  readonly value: number
  /** The value itself is out of bounds, as with `exclusiveMinimum`. */
  readonly isOpen: boolean
}

const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const lower = ['minimum', 'minLength', 'minItems', 'minProperties']

/** The tightest limit of each kind in any of the schemas. Those of integers are closed: above 0 is from 1. */
export function limitsOf(schemas: readonly JsonObject[], isInteger: boolean): ReadonlyMap<string, Limit> {
  const limits = new Map<string, Limit>()
  for (const schema of schemas) {
    for (const keyword of [...upper, ...lower]) {
      for (const limit of stated(schema, keyword)) {
        const given = isInteger ? closed(keyword, limit) : limit
        const known = limits.get(keyword)
        if (!known || isTighter(keyword, given, known)) limits.set(keyword, given)
      }
    }
  }
  return limits
}

/** Whether a limit lets less through than another; none lets everything through. */
export function isTighter(keyword: string, limit: Limit | undefined, than: Limit | undefined): boolean {
  if (!limit || !than) return limit !== undefined
  if (limit.value === than.value) return limit.isOpen && !than.isOpen
  return upper.includes(keyword) ? limit.value < than.value : limit.value > than.value
}

/** As a person says it. */
export function limitText(limit: Limit | undefined): string {
  return limit ? `${limit.value}${limit.isOpen ? ' (exclusive)' : ''}` : 'none'
}

/** OpenAPI 3.0 says by a flag that a limit is exclusive, 3.1 by a number of its own. */
function stated(schema: JsonObject, keyword: string): readonly Limit[] {
  const value = schema[keyword]
  const exclusive = schema[keyword === 'maximum' ? 'exclusiveMaximum' : 'exclusiveMinimum']
  const isRange = keyword === 'maximum' || keyword === 'minimum'
  // At least nothing is no limit.
  const isIdle = !isRange && lower.includes(keyword) && value === 0
  return [
    ...(typeof value === 'number' && !isIdle ? [{ value, isOpen: isRange && exclusive === true }] : []),
    ...(isRange && typeof exclusive === 'number' ? [{ value: exclusive, isOpen: true }] : []),
  ]
}

function closed(keyword: string, limit: Limit): Limit {
  if (!limit.isOpen) return limit
  return { value: keyword === 'maximum' ? Math.ceil(limit.value) - 1 : Math.floor(limit.value) + 1, isOpen: false }
}
