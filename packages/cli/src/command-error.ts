/** An error that the user of the command line can fix. */

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  /** Exit code 2 (the default) means wrong usage, or that `nomen usage --retire` cannot say; 1 means that the command failed. */
  constructor(message: string, fix: string | undefined, exitCode: 1 | 2 = 2) {
    super(fix === undefined ? message : `${message}\n  ${fix}`)
    this.exitCode = exitCode
  }
}

/** The error for a flag or environment variable whose value is not allowed. `expected` describes the allowed values. */
export function invalidValue(source: string, text: string, expected: string): CommandError {
  return new CommandError(`${source} must be ${expected}, but is "${text}".`, undefined)
}

/** Lists alternatives: `csv, ndjson or json`. */
export function alternatives(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1')
}
