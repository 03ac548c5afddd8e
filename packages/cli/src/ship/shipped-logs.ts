/** The logs that are to be shipped: one by its name, or all of a folder. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '../command-error.ts'

/** Paths of logs as they are written; what was put aside of each is found beside it. */
export function shippedLogs(path: string, isOnce: boolean): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return logsIn(path)
  const folder = dirname(path)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : undefined
  if (!names) throw new CommandError(`There is no folder ${folder}.`, 'Name a log, or a folder of logs.', 1)
  // one that is not there yet may be begun later
  if (isOnce && !names.some((name) => name.startsWith(basename(path))))
    throw new CommandError(`There is no ${path}.`, 'Name a log, or a folder of logs.', 1)
  return [path]
}

function logsIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.log') && statSync(join(folder, name)).isFile())
  if (names.length === 0)
    throw new CommandError(`${folder} holds no log.`, 'Logs are called .log: name others one by one.', 1)
  return names.sort().map((name) => join(folder, name))
}
