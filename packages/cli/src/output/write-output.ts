/** Writes the result of a command to the file of `--output`, or to standard output. */
import { writeFileSync } from 'node:fs'
import { CommandError } from '../command-error.ts'

export function writeOutput(text: string, path: string | undefined): void {
  if (path === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    writeFileSync(path, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`
    throw new CommandError(
      `--output is ${path}, which cannot be written: ${reason}.`,
      'Use a file in an existing folder.',
      1,
    )
  }
}
