/** The flags and file formats that `nomen load` and `nomen export` share. */
import { extname } from 'node:path'
import type { FileFormat } from '@nomen/server/admin'
import type { Arguments, Flag } from '../command.ts'
import { choiceOf } from './choice.ts'

const fileFormats: readonly FileFormat[] = ['csv', 'ndjson', 'json']

export const formatFlag: Flag = {
  name: 'format',
  value: 'name',
  choices: fileFormats,
  about: 'csv, ndjson or json (default: from the file name, or else from the first character)',
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
