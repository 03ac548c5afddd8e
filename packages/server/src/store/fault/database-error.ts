/** The error for a database that cannot be opened. */

/**
 * The error of a database that cannot be opened, for a reason that the operator can fix: the message says how.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * try {
 *   await open(service, { database: 'sqlite:data/directory.db' })
 * } catch (error) {
 *   if (error instanceof DatabaseError) console.error(error.message)
 * }
 * ```
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'

  constructor(database: string, reason: string, fix: string) {
    super(`The database "${database}" cannot be opened${reason}.\n  ${fix}`)
  }
}
