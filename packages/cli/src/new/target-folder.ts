/** The folder that a project is written into. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'

/** Nothing is ever written over. A fresh clone of an empty repository counts as empty. */
export function refuseUsedFolder(folder: string): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new CommandError(`${folder} is a file.`, 'Name a folder that is not there yet, or an empty one.', 1)
  }
  const [held] = readdirSync(folder).filter((name) => name !== '.git')
  if (held === undefined) return
  throw new CommandError(
    `${resolve(folder)} is not empty: it holds ${held}.`,
    'Name a folder that is not there yet, or an empty one.',
    1,
  )
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
