/** Errors of loads and exports, with advice on how to fix them. */

/**
 * The error of a bulk load or export that could not start; the message says how to fix it.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * try {
 *   await exportRecords(service, { database: 'sqlite:data/directory.db', noun: 'usr', format: 'csv' })
 * } catch (error) {
 *   if (error instanceof BulkError) console.error(error.message)
 * }
 * ```
 */
export class BulkError extends Error {
  override readonly name = 'BulkError'

  constructor(message: string, fix: string) {
    super(`${message}\n  ${fix}`)
  }
}
