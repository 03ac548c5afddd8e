/** The formats of OpenAPI 3.0 that are written with another keyword in 3.1. */
import type { Pair } from '../../pair.ts'
import type { Shape } from '../../shape.ts'

/** Each format with the keyword of OpenAPI 3.1 and its value as a JSON string. */
const keywords: Readonly<Record<string, readonly [keyword: string, text: string]>> = {
  binary: ['contentMediaType', '"application/octet-stream"'],
  byte: ['contentEncoding', '"base64"'],
}

/** The pair with both sides in the notation of OpenAPI 3.1, if one of them uses it for the format of the other. */
export function inSameNotation({ old, next, ...pair }: Pair): Pair {
  return { ...pair, old: inNotationOf(next, old), next: inNotationOf(old, next) }
}

function inNotationOf(other: Shape, shape: Shape): Shape {
  const [keyword = '', text = ''] = keywords[shape.format ?? ''] ?? []
  if (other.format !== undefined || other.restrictions.get(keyword) !== text) return shape
  const restrictions = new Map([[keyword, text], ...shape.restrictions])
  return { ...shape, format: undefined, restrictions }
}
