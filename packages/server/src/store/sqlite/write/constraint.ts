/** Reads the errors with which SQLite rejects a row. */
import { type AnyNoun, tenantField } from '@nomen/core'
import { rejectionOutcome } from '../../decide/rejection.ts'
import { faultOf } from '../../fault/fault.ts'
import type { Outcome } from '../../outcome.ts'
import { fieldName, tableName } from '../../stored-name.ts'

/** The fields of a unique constraint that a row violates. */
export function takenFields(noun: AnyNoun, error: unknown): readonly string[] | undefined {
  const columns = faultOf(error) === 'taken' ? /failed: (.*)$/.exec(`${error}`)?.[1] : undefined
  const table = `${tableName(noun)}.`
  // A name may contain a comma.
  return columns
    ?.slice(table.length)
    .split(`, ${table}`)
    .map((name) => fieldName(noun, name))
    .filter((field) => field !== tenantField(noun))
}

/** The rejection of a delete by a foreign key that no declaration explains. Throws every other error. */
export function undeclaredReference(error: unknown): Outcome {
  if (faultOf(error) !== 'no-target') throw error
  const detail = 'The database rejected the delete: a field that is no longer declared refers to the record.'
  const hint = 'Drop such fields when no version of the service uses them: nomen migrate --contract'
  return rejectionOutcome({ reason: 'rule', breach: { detail, hint } })
}
