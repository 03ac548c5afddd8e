/** Writes what a command has made to where `--output` says, or to standard output. */
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
      `--output names ${path}, which cannot be written: ${reason}.`,
      'Name a file in a folder that is there.',
      1,
    )
  }
}
