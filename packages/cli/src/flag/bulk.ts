/** The flags and file formats that `nomen load` and `nomen export` share. */
import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { FileFormat } from '@nomen/server/admin'
import type { Arguments, Flag } from '../command.ts'
import { environmentValue } from '../environment.ts'
import { choiceOf } from './choice.ts'

export const databaseFlag: Flag = {
  name: 'database',
  environment: 'DATABASE_URL',
  value: 'URL',
  about:
    'sqlite:<file> or postgres://…; DATABASE_DIRECT_URL overrides DATABASE_URL (default: sqlite:data/<service>.db)',
}

/** The database of a command. It needs sessions of its own, which a pooler may not give. */
export function databaseOf(args: Arguments, service: { readonly name: string }): string {
  const direct = args.isOn('database') ? undefined : environmentValue('DATABASE_DIRECT_URL')
  return direct ?? args.text('database') ?? `sqlite:data/${service.name}.db`
}

const fileFormats: readonly FileFormat[] = ['csv', 'ndjson', 'json']

export const formatFlag: Flag = {
  name: 'format',
  value: 'name',
  choices: fileFormats,
  about: 'csv, ndjson or json (default: from the file name)',
}

const extensions: Readonly<Record<string, FileFormat>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
}

/** The format from --format, or else from the file name. */
export function formatOf(args: Arguments, path: string): FileFormat | undefined {
  const byName = extensions[extname(path.replace(/\.gz$/i, '')).toLowerCase()]
  return choiceOf(args, 'format', fileFormats, byName)
}

/** Whether a file name has the extension of gzip. */
export function isGzip(path: string): boolean {
  return /\.gz$/i.test(path)
}

/** Whether an argument names a service file, or a folder that may contain one, and not a file of records. */
export function isServiceFile(word: string): boolean {
  return isSourceFile(word) || statSync(word, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Whether an argument has the name of a JavaScript or TypeScript file. */
export function isSourceFile(word: string): boolean {
  return /\.[cm]?[jt]s$/.test(word)
}
