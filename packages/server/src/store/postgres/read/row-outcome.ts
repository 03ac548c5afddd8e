/** Result rows: a record's JSON, identity and version, then whether each ancestor exists. */
import type { Operation, Value } from '@nomen/core'
import { missingRecordOutcome } from '../../decide/rejection.ts'
import type { Outcome } from '../../outcome.ts'
import type { Row } from '../connect/text-query.ts'

/** The first missing ancestor. */
export function missingAncestor(ancestors: Row): Outcome | undefined {
  const level = ancestors.indexOf('f')
  return level === -1 ? undefined : { kind: 'missing', level }
}

/** The record of a row; otherwise what is missing. */
export function outcomeOfRow(operation: Operation, row: Row | undefined): Outcome {
  if (!row) return missingRecordOutcome(operation)
  const missing = row.length > 3 ? missingAncestor(row.slice(3)) : undefined
  if (missing) return missing
  const [json, identity, version] = row
  if (typeof json !== 'string') return missingRecordOutcome(operation)
  return { kind: 'record', json, identity: identityIn(operation, identity as string), version: Number(version) }
}

/** An identity arrives as a string. */
function identityIn({ shape: { noun } }: Operation, text: string): Value {
  return noun.fields[noun.identity].spec.guid ? text : Number(text)
}
