/** Reads a value of a path or a query on which more relies than a search: code of the service's own, or what is stored. */
import { type FieldSpec, type Reading, readText, readValue } from '@nomen/core'

/** As in a body: a filter of records would also take a value that no record can hold, as it finds nothing by it. */
export function readStrictly(spec: FieldSpec, text: string): Reading {
  const reading = readText(spec, text)
  return 'fault' in reading ? reading : readValue(spec, reading.value)
}
