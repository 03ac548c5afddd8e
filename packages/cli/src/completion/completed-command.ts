/** The parts of a command that a shell completes. */
import type { Flag } from '../command.ts'

export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly flags: readonly Flag[]
  /** The allowed positional arguments, unless they are files. */
  readonly words: readonly string[]
}

export const helpFlag: Flag = { name: 'help', about: 'show the help of the command' }
