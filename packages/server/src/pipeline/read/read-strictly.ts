/** Reads a value of a path or a query as strictly as one in a body, for handlers. */
import { type FieldSpec, type ReadResult, readText, readValue } from '@nomen/core'

/** Rejects values outside of the limits. A filter accepts such values, because it just finds nothing. */
export function readStrictly(spec: FieldSpec, text: string): ReadResult {
  const result = readText(spec, text)
  return 'fault' in result ? result : readValue(spec, result.value)
}
