/** An error of the command line that a person can fix. */

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  /** 2, the usual exit code, says that the command was called wrongly; 1 that it could not do its work. */
  constructor(message: string, fix: string, exitCode: 1 | 2 = 2) {
    super(`${message}\n  ${fix}`)
    this.exitCode = exitCode
  }
}
