/** What a shell knows of a command. */
import type { Flag } from '../command.ts'

export interface Completed {
  readonly name: string
  readonly summary: string
  readonly flags: readonly Flag[]
  /** What may stand behind it without a flag, where that is no file. */
  readonly words: readonly string[]
}

export const helpFlag: Flag = { name: 'help', about: 'tell what the command does' }
