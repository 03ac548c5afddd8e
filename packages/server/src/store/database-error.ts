/** The error for a database that cannot be opened, for a reason that whoever starts the service can fix. */

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'

  constructor(database: string, reason: string, fix: string) {
    super(`The database "${database}" cannot be opened${reason}.\n  ${fix}`)
  }
}
