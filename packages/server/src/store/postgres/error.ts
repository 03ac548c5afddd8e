/** What PostgreSQL's errors mean, by their SQLSTATE. */

/** An error that the server has answered with. Where the way to it breaks, there is none. */
interface ServerError extends Error {
  readonly code: string
  readonly severity?: string
  readonly constraint?: string
  readonly detail?: string
}

export function serverError(error: unknown): ServerError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object)
    ? (error as ServerError)
    : undefined
}

/** Whether the connection is of no more use: the server ended it, or the way to it broke. */
export function isLost(error: unknown): boolean {
  const { code = '', severity } = serverError(error) ?? {}
  return code === '' || severity === 'FATAL' || severity === 'PANIC' || code.startsWith('08')
}

/** Full, out of memory or connections, a lock that was not got in time, shutting down, failed reading or writing. */
const passing = /^(53|55P03|57014|57P0|58)/

/** Whether the server may be able in a moment. */
export function isPassing(error: unknown): boolean {
  return passing.test(serverError(error)?.code ?? '') || isReadOnly(error)
}

/** The server takes no writes: it is a standby, or has become one. */
export function isReadOnly(error: unknown): boolean {
  return serverError(error)?.code === '25006'
}

/** A table or column is not as the service knows it: another version of the service has changed the schema since. */
export function isOutdated(error: unknown): boolean {
  return /^(23502|42703|42P01|42804)$/.test(serverError(error)?.code ?? '')
}

/** The statement was to be prepared by one that went out before it, and failed. */
export function isUnprepared(error: unknown): boolean {
  return serverError(error)?.code === '26000'
}

/** The statement took longer than it may. */
export function isTimeout(error: unknown): boolean {
  return serverError(error)?.code === '57014'
}

/** Two transactions stood in each other's way, and this one has been undone: it can be tried again. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(serverError(error)?.code ?? '')
}

/** A lock was not to be had in time. */
export function isLockTimeout(error: unknown): boolean {
  return serverError(error)?.code === '55P03'
}

/** A reference would point at nothing, or has a number that is too large for the identities there. */
export function isBrokenReference(error: unknown): boolean {
  return /^(23503|22003)$/.test(serverError(error)?.code ?? '')
}

/** The foreign key that a row breaks, or would break in others by going. */
export function brokenKey(error: unknown): string | undefined {
  const { code, constraint } = serverError(error) ?? {}
  return code === '23503' ? `the foreign key "${constraint}"` : undefined
}

/** What the database itself demands of a record beside its declaration: a check, an exclusion, a trigger of others. */
export function demandOf(error: unknown): string | undefined {
  const found = serverError(error)
  // A value that is taken in an index of columns that are not declared.
  const isForeign = found?.code === '23505' && !found.constraint?.startsWith('_')
  if (!found || !(isForeign || /^(23514|23P01|P0001)$/.test(found.code))) return undefined
  return found.constraint === undefined ? found.message : `the constraint "${found.constraint}"`
}

/** A value is too long for an index on it. */
export function isTooLong(error: unknown): boolean {
  return serverError(error)?.code === '54000'
}

/** The name of the unique index that a value is already in. */
export function takenIndex(error: unknown): string | undefined {
  const found = serverError(error)
  return found?.code === '23505' ? found.constraint : undefined
}
