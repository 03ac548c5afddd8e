/** Whether a value of a document is an object, and neither null nor an array. */
import type { JsonObject } from '../../document/read-document.ts'

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
