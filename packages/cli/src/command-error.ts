/** An error that the user of the command line can fix. */
import { nearest } from '@nomen/core'

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  /** Exit code 2 (the default) means invalid arguments, or that `nomen usage --retire` cannot say; 1 means that the command failed. */
  constructor(message: string, fix: string | undefined, exitCode: 1 | 2 = 2) {
    super(fix === undefined ? message : `${message}\n  ${fix}`)
    this.exitCode = exitCode
  }
}

/** The error for a flag or environment variable whose value is not allowed. `expected` describes the allowed values. */
export function invalidValue(source: string, text: string, expected: string): CommandError {
  return new CommandError(`${source} must be ${expected}, but is "${text}".`, undefined)
}

/** The error for a name that does not exist, such as `Unknown command "serv".` It suggests a similar one. */
export function unknownName(problem: string, name: string, names: Iterable<string>, fix: string): CommandError {
  const suggestion = nearest(name, names)
  return new CommandError(`${problem} "${name}".${suggestion ? ` Did you mean "${suggestion}"?` : ''}`, fix)
}

/** Lists alternatives: `csv, ndjson or json`. */
export function alternatives(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1')
}
