/** `nomen backup`: copies the database of a service to a file, while it serves. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backupDatabase, removeBackup } from '@nomen/server/admin'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { sqliteFlag } from '../flag/sqlite.ts'
import { byteSize, counted, duration } from '../output/figure.ts'
import { Progress } from '../output/progress.ts'
import { stopSignal } from '../process/stop-signal.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  sqliteFlag,
  { name: 'keep', value: 'number', about: 'leave so many backups of the service in the folder, and remove older ones' },
]

export const backupCommand: Command = {
  name: 'backup',
  flags,
  help: `Usage: nomen backup [file or folder] [service file or folder] [options]

Writes all that is in the database of a service at one moment to one file, while the service goes on reading and
writing. In a folder (data/backup unless given) the file is named after the service and the moment. It is there when it
has been read again, page by page, and found whole; its SHA-256 stands beside it, for nomen restore and sha256sum -c.

${flagHelp(flags)}

For PostgreSQL use its own tools: docs/operations.md has the lines.`,
  async run(given) {
    const args = readArguments(flags, given, ['file or folder', 'service file or folder'])
    const [target = 'data/backup', file] = args.positionals
    const keep = keepOf(args.text('keep'))
    const service = await loadService(file)
    const isFolder = await isFolderAt(target)
    if (keep !== undefined && !isFolder)
      throw new CommandError(`--keep is for a folder of backups, and ${target} is a file.`, 'Name a folder.')
    const path = isFolder ? join(target, `${service.name}-${momentName()}.db`) : target
    const progress = new Progress('Backing up', process.stderr, 'page')
    try {
      const { bytes, checksum } = await backupDatabase({
        database: args.text('database') ?? `sqlite:data/${service.name}.db`,
        path,
        signal: stopSignal(),
        onProgress: (count, all) => progress.reach({ count, share: count / all }),
      })
      progress.clear()
      console.log(`${path}: ${byteSize(bytes)}, ${duration(progress.seconds)}\nSHA-256 ${checksum}`)
    } finally {
      progress.clear()
    }
    if (keep !== undefined) await removeOlder(target, service.name, keep)
  },
}

function keepOf(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new CommandError(`--keep is "${text}".`, 'Give the number of backups to keep, at least 1.')
}

/** What is not there yet is a folder unless its name says that it is a file. */
async function isFolderAt(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found ? found.isDirectory() : !/\.[a-z0-9]+$/i.test(path)
}

/** `20261115T131500Z`: sorts by time, and is a file's name everywhere. */
function momentName(): string {
  return new Date().toISOString().replace(/[-:]|\.\d+/g, '')
}

async function removeOlder(folder: string, service: string, keep: number): Promise<void> {
  const isBackup = new RegExp(`^${service}-\\d{8}T\\d{6}Z\\.db$`)
  const names = (await readdir(folder)).filter((name) => isBackup.test(name)).sort()
  const older = names.slice(0, -keep)
  for (const name of older) await removeBackup(join(folder, name))
  if (older.length > 0) console.log(`${counted(older.length, 'older backup')} removed.`)
}
