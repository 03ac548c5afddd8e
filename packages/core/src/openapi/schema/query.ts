/** The schemas of values in a query. */
import type { JsonSchema } from '../../field/schema.ts'

/** Keywords that make the empty string invalid. */
const restrictions = ['$ref', 'enum', 'format', 'pattern', 'minLength']

/**
 * The schema of a nullable value in a query. Clients omit null or send the string `null`, so an empty string stands for null.
 */
export function withEmptyText(schema: JsonSchema): JsonSchema {
  const { default: value, examples, ...others } = schema
  const isFree = others.type === 'string' && restrictions.every((keyword) => others[keyword] === undefined)
  return {
    ...(isFree ? others : { anyOf: [others, { type: 'string', enum: [''] }] }),
    ...(value !== undefined && value !== null && { default: value }),
    ...(Array.isArray(examples) && { examples: examples.map((example) => example ?? '') }),
    'x-nomen-null': '',
  }
}
