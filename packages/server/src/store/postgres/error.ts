/** What an error of PostgreSQL says beyond its SQLSTATE. */
import { faultOf, serverError } from '../fault.ts'

/** Whether the connection cannot be used any more: the server ended it, or the network did. */
export function isLost(error: unknown): boolean {
  return !serverError(error) || faultOf(error) === 'lost'
}

/** The foreign key that a row breaks, or would break in others by going. */
export function brokenKey(error: unknown): string | undefined {
  const { code, constraint } = serverError(error) ?? {}
  return code === '23503' ? `the foreign key "${constraint}"` : undefined
}

/** What the database demands of a record beside its declaration: a check, an exclusion, a trigger. */
export function demandOf(error: unknown): string | undefined {
  const { constraint, message } = serverError(error) ?? {}
  const fault = faultOf(error)
  // A value that is taken in an index of columns that are not declared.
  const isForeign = fault === 'taken' && !constraint?.startsWith('_')
  if (!isForeign && fault !== 'demand') return undefined
  return constraint === undefined ? message : `the constraint "${constraint}"`
}

/** The name of the unique index that a value is already in. */
export function takenIndex(error: unknown): string | undefined {
  return faultOf(error) === 'taken' ? serverError(error)?.constraint : undefined
}
