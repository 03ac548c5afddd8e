/** The access logs for `nomen ship`: one file, or all of a folder. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '../command-error.ts'

/** Paths of the current logs. Their rotated files are in the same folder. */
export function shippedLogs(path: string, isOnce: boolean): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return logsIn(path)
  const folder = dirname(path)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : undefined
  if (!names) throw new CommandError(`Folder not found: ${folder}.`, 'Use an existing log or folder of logs.')
  // Without --once, the log may be created later.
  if (isOnce && !names.some((name) => name.startsWith(basename(path))))
    throw new CommandError(`File not found: ${path}.`, 'Use an existing log or folder of logs.')
  return [path]
}

function logsIn(folder: string): readonly string[] {
  // A link without a target is not a file.
  const isFile = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()
  const names = readdirSync(folder).filter((name) => name.endsWith('.log') && isFile(name))
  if (names.length === 0)
    throw new CommandError(
      `The folder ${folder} contains no log.`,
      'Names of logs in a folder must end with .log. To send another file, pass its path: nomen ship <file> --to <URL>',
    )
  return names.sort().map((name) => join(folder, name))
}
