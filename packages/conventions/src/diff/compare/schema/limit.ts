/** The limits of a schema as comparable numbers: lengths, ranges, counts. */
import type { JsonObject } from '../../../document/read-document.ts'

export interface Limit {
  readonly value: number
  /** The string in the document, if it is not a number. */
  readonly text?: string
  /** Whether the limit is exclusive, as in `exclusiveMinimum`. */
  readonly isExclusive: boolean
}

const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains', 'x-nomen-maximum']
const lower = ['minimum', 'minLength', 'minItems', 'minProperties', 'minContains', 'x-nomen-minimum']

/** The strictest limit of each kind in the schemas. For integers, an exclusive limit becomes inclusive: above 0 is from 1. */
export function limitsOf(schemas: readonly JsonObject[], isInteger: boolean): ReadonlyMap<string, Limit> {
  const limits = new Map<string, Limit>()
  for (const schema of schemas) {
    for (const keyword of [...upper, ...lower]) {
      for (const limit of declaredLimits(schema, keyword)) {
        const inclusive = isInteger ? inclusiveLimit(keyword, limit) : limit
        const strictest = limits.get(keyword)
        if (!strictest || isTighter(keyword, inclusive, strictest)) limits.set(keyword, inclusive)
      }
    }
  }
  return limits
}

/** Whether a limit is stricter than another; undefined means unlimited. */
export function isTighter(keyword: string, limit: Limit | undefined, other: Limit | undefined): boolean {
  if (!limit || !other) return limit !== undefined
  if (limit.value === other.value) return limit.isExclusive && !other.isExclusive
  return upper.includes(keyword) ? limit.value < other.value : limit.value > other.value
}

/** The limit in a message. */
export function limitText(limit: Limit | undefined): string {
  return limit ? `${limit.text ?? limit.value}${limit.isExclusive ? ' (exclusive)' : ''}` : 'none'
}

/** In OpenAPI 3.0, a boolean makes a limit exclusive; 3.1 has a separate number. */
function declaredLimits(schema: JsonObject, keyword: string): readonly Limit[] {
  // Without minContains, one element must match contains.
  const value = schema[keyword] ?? (keyword === 'minContains' && schema.contains !== undefined ? 1 : undefined)
  if (typeof value === 'string' && keyword.startsWith('x-nomen-')) return [textLimit(value)]
  const exclusive = schema[keyword === 'maximum' ? 'exclusiveMaximum' : 'exclusiveMinimum']
  const isRange = keyword === 'maximum' || keyword === 'minimum'
  // A minimum of 0 elements or characters is not a limit.
  const hasNoEffect = !isRange && lower.includes(keyword) && value === 0
  return [
    ...(typeof value === 'number' && !hasNoEffect ? [{ value, isExclusive: isRange && exclusive === true }] : []),
    ...(isRange && typeof exclusive === 'number' ? [{ value: exclusive, isExclusive: true }] : []),
  ]
}

/** The limit of a date, a timestamp or a decimal. */
function textLimit(text: string): Limit {
  return { value: /^\d{4}-/.test(text) ? Date.parse(text) : Number(text), text, isExclusive: false }
}

function inclusiveLimit(keyword: string, limit: Limit): Limit {
  if (!limit.isExclusive) return limit
  return { value: keyword === 'maximum' ? Math.ceil(limit.value) - 1 : Math.floor(limit.value) + 1, isExclusive: false }
}
