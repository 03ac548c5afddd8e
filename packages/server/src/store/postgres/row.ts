/** Rows that statements answer with: a record's JSON, identity and version, then whether each ancestor is there. */
import type { Operation, Value } from '@nomen/core'
import { missingHere } from '../decide/refusal.ts'
import type { Outcome } from '../outcome.ts'
import type { Row } from './connect/pooled-connection.ts'

/** The first of the ancestors that is not there. */
export function missingAncestor(ancestors: Row): Outcome | undefined {
  const level = ancestors.indexOf('f')
  return level === -1 ? undefined : { kind: 'missing', level }
}

/** The record of a row; or what is missing, where there is no row or none but the ancestors' part. */
export function foundOutcome(operation: Operation, row: Row | undefined): Outcome {
  if (!row) return missingHere(operation)
  const missing = row.length > 3 ? missingAncestor(row.slice(3)) : undefined
  if (missing) return missing
  const [json, identity, version] = row
  if (typeof json !== 'string') return missingHere(operation)
  return { kind: 'record', json, identity: identityIn(operation, identity as string), version: Number(version) }
}

/** An identity comes as text, whatever it is. */
function identityIn({ shape: { noun } }: Operation, text: string): Value {
  return noun.fields[noun.identity].spec.guid ? text : Number(text)
}
