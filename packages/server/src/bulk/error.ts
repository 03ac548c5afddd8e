/** The error of a load or an export that cannot be begun, for a reason that whoever calls it can fix. */

export class BulkError extends Error {
  override readonly name = 'BulkError'

  constructor(message: string, fix: string) {
    super(`${message}\n  ${fix}`)
  }
}
