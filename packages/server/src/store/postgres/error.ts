/** Details of a PostgreSQL error beyond its SQLSTATE. */
import { faultOf, serverError } from '../fault/fault.ts'

/** Whether the connection is lost: the server or the network ended it. */
export function isConnectionLost(error: unknown): boolean {
  return !serverError(error) || faultOf(error) === 'lost'
}

/** The foreign key that a write violates. */
export function violatedKey(error: unknown): string | undefined {
  const { code, constraint } = serverError(error) ?? {}
  return code === '23503' ? `the foreign key "${constraint}"` : undefined
}

/** The reason for a rejection that no declaration explains: a check, an exclusion, a trigger, a column that is too small. */
export function databaseReason(error: unknown): string | undefined {
  const { constraint, message } = serverError(error) ?? {}
  const fault = faultOf(error)
  if (fault === 'out-of-range') return `a value is out of range (${message})`
  // A unique index on columns that are not declared.
  const isForeign = fault === 'taken' && !constraint?.startsWith('_')
  if (!isForeign && fault !== 'constraint') return undefined
  return constraint === undefined ? message : `the constraint "${constraint}"`
}

/** The name of the unique index that a write violates. */
export function takenIndex(error: unknown): string | undefined {
  return faultOf(error) === 'taken' ? serverError(error)?.constraint : undefined
}
