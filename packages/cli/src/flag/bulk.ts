/** What `nomen load` and `nomen export` have in common: the formats, and the flags for them. */
import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { FileFormat } from '@nomen/server/admin'
import type { Arguments, Flag } from '../command.ts'
import { CommandError } from '../command-error.ts'

export const databaseFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'address',
  about: 'sqlite:data/<service>.db unless given; or postgres://…',
}

export const formatFlag: Flag = {
  name: 'format',
  value: 'name',
  choices: ['csv', 'ndjson', 'json'],
  about: 'csv, ndjson or json, where the name of the file does not tell',
}

const extensions: Readonly<Record<string, FileFormat>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
}

/** The format that --format names, else the one that the name of the file tells. */
export function formatOf(args: Arguments, path: string): FileFormat | undefined {
  const given = args.text('format')
  if (given === undefined) return extensions[extname(withoutGzip(path)).toLowerCase()]
  if (given === 'csv' || given === 'ndjson' || given === 'json') return given
  throw new CommandError(`--format is "${given}".`, 'Give csv, ndjson or json.')
}

/** Whether the name of a file says that it is compressed. */
export function isGzip(path: string): boolean {
  return /\.gz$/i.test(path)
}

function withoutGzip(path: string): string {
  return path.replace(/\.gz$/i, '')
}

/** Whether a word of the command line names a service file, or a folder that may hold one, and no file of records. */
export function isServiceFile(word: string): boolean {
  return /\.[cm]?[jt]s$/.test(word) || statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}
