/** Settings from environment variables, or from files that other variables name. */
import { readFileSync } from 'node:fs'
import { CommandError } from './command-error.ts'

/**
 * The value of a variable, or the content of the file that `<name>_FILE` names, such as a secret that a container runtime mounts.
 * Undefined if both are missing or empty.
 */
export function environmentValue(name: string): string | undefined {
  const value = process.env[name] || undefined
  const file = process.env[`${name}_FILE`] || undefined
  if (file === undefined) return value
  if (value !== undefined) throw new CommandError(`${name} and ${name}_FILE are both set.`, 'Set only one of them.')
  return contentOf(file, `${name}_FILE`) || undefined
}

function contentOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new CommandError(
      `${variable} is "${file}", but the file cannot be read${reason}.`,
      'Check the path, and that this user may read the file.',
    )
  }
}
