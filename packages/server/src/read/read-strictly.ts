/** Reads a value of the query that the service's own code is given: it relies on what the declaration says of it. */
import { type FieldSpec, type Reading, readText, readValue } from '@nomen/core'

/** As in a body: a filter of records would also take a value that no record can hold, as it finds nothing by it. */
export function readStrictly(spec: FieldSpec, text: string): Reading {
  const reading = readText(spec, text)
  return 'fault' in reading ? reading : readValue(spec, reading.value)
}
