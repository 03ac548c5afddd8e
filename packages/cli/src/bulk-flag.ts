/** What `nomen load` and `nomen export` have in common: the formats, and the flags for them. */
import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { FileFormat } from '@nomen/server'
import type { Arguments, Flag } from './command.ts'
import { CommandError } from './command-error.ts'

export const databaseFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'address',
  about: 'sqlite:data/<service>.db unless given; or postgres://…',
}

export const formatFlag: Flag = {
  name: 'format',
  value: 'name',
  choices: ['csv', 'ndjson'],
  about: 'csv or ndjson, where the name of the file does not tell',
}

const extensions: Readonly<Record<string, FileFormat>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' }

/** The format that --format names, else the one that the name of the file tells. */
export function formatOf(args: Arguments, path: string): FileFormat | undefined {
  const given = args.text('format')
  if (given === undefined) return extensions[extname(path).toLowerCase()]
  if (given === 'csv' || given === 'ndjson') return given
  throw new CommandError(`--format is "${given}".`, 'Give csv or ndjson.')
}

/** Whether a word of the command line names a service file, or a folder that may hold one, and no file of records. */
export function isServiceFile(word: string): boolean {
  return /\.[cm]?[jt]s$/.test(word) || statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}
