/** The error of a backup or restore, for a reason that the caller can fix. */

/**
 * The error of a failed backup or restore; the message says how to fix it.
 *
 * @example
 * ```ts
 * try {
 *   await restoreDatabase({ database: 'sqlite:data/directory.db', path: 'backup/directory.db' })
 * } catch (error) {
 *   if (error instanceof BackupError) console.error(error.message)
 * }
 * ```
 */
export class BackupError extends Error {
  override readonly name = 'BackupError'

  constructor(message: string, fix: string) {
    super(`${message}\n  ${fix}`)
  }
}

/** Other failures, such as a full disk, with the message of the system. */
export function backupFailure(summary: string, error: unknown): unknown {
  if (error instanceof BackupError || !(error instanceof Error) || !('code' in error)) return error
  return new BackupError(`${summary}: ${error.message}.`, 'Nothing was changed. Fix the cause, and run this again.')
}
