/** The target folder of a new project. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'

/** Rejects a folder with files, so that none is overwritten. A folder with only `.git` counts as empty. */
export function checkIsEmpty(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new CommandError(`${folder} is a file.`, 'Use a new or empty folder.', 1)
  }
  const [first] = readdirSync(folder).filter((name) => name !== '.git')
  if (first === undefined) return
  throw new CommandError(`${resolve(folder)} is not empty: it contains ${first}.`, 'Use a new or empty folder.', 1)
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
