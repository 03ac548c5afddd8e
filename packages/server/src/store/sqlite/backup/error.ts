/** The error of a backup or a restore that cannot be done, for a reason that whoever calls it can fix. */

export class BackupError extends Error {
  override readonly name = 'BackupError'

  constructor(message: string, fix: string) {
    super(`${message}\n  ${fix}`)
  }
}

/** Anything else that went wrong, such as a disk that is full, in the words of whoever told it. */
export function backupFailure(what: string, error: unknown): unknown {
  if (error instanceof BackupError || !(error instanceof Error) || !('code' in error)) return error
  return new BackupError(`${what}: ${error.message}.`, 'Nothing was changed. Fix that, and run this again.')
}
