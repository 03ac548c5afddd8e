/** Files, folders and URLs that a command reads. A file that does not exist counts as an invalid argument (exit code 2), in every command. */
import { type Stats, statSync } from 'node:fs'
import { CommandError } from './command-error.ts'

export function statsOf(path: string, fix: string): Stats {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats) return stats
  throw new CommandError(`File not found: ${path}.`, fix)
}

/** Whether the cause of an error is that a file does not exist. */
export function isMissingFile(error: unknown): boolean {
  if (!(error instanceof Error && error.cause instanceof Error)) return false
  return 'code' in error.cause && error.cause.code === 'ENOENT'
}

export function isUrl(word: string): boolean {
  return /^https?:\/\//i.test(word)
}

/** Whether an argument names a service file, or a folder that may contain one, and not a file of records. */
export function isServiceFile(word: string): boolean {
  return isSourceFile(word) || statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Whether an argument has the name of a JavaScript or TypeScript file. */
export function isSourceFile(word: string): boolean {
  return /\.[cm]?[jt]s$/.test(word)
}
