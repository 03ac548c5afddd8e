/** `nomen backup`: copies the database of a running service to a file. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backupDatabase, removeBackup } from '@nomen/server/admin'
import { type Command, type Flag, readArguments } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import { databaseUrlOf, sqliteFlag } from '../../flag/database-url.ts'
import { wholeNumber } from '../../flag/whole-number.ts'
import { isSourceFile } from '../../input-file.ts'
import { docsPage } from '../../output/docs-page.ts'
import { byteSize, countText, duration } from '../../output/number-text.ts'
import { Progress } from '../../output/progress.ts'
import { stopSignal } from '../../process/stop-signal.ts'
import { loadService } from '../../service-file/load.ts'

const flags: readonly Flag[] = [
  sqliteFlag,
  {
    name: 'keep',
    value: 'number',
    about: 'keep this number of backups in the folder, and remove older ones',
  },
  { name: 'replace', about: 'replace a backup of the same name; other files are never replaced' },
]

export const backupCommand: Command = {
  name: 'backup',
  flags,
  usage: 'backup [file or folder] [service file or folder] [options]',
  description: `Writes a consistent snapshot of the SQLite database of a service to a file. The service may keep running. If the target is
a folder (default: data/backup), the file is named after the service and the time. The command writes a
temporary file, verifies it and renames it. A file next to the backup has the SHA-256 checksum, for nomen restore and
sha256sum -c.`,
  notes: `For PostgreSQL, use pg_dump or the backups of your provider. See ${docsPage('backup.md')}`,
  async run(argv) {
    const args = readArguments(flags, argv, ['file or folder', 'service file or folder'])
    const [first, second] = args.positionals
    const isService = first !== undefined && isSourceFile(first)
    const [target = 'data/backup', serviceFile] = isService ? [second, first] : [first, second]
    if (isSourceFile(target))
      throw new CommandError(
        `${target} is the name of a source file, not of a backup.`,
        'Use another name, such as backup.db.',
      )
    const keep = wholeNumber(args, 'keep', undefined, [1, 999_999_999])
    const service = await loadService(serviceFile)
    const isFolder = await isFolderAt(target)
    if (keep !== undefined && !isFolder)
      throw new CommandError(`--keep needs a folder of backups, but ${target} is a file.`, 'Use a folder.')
    const path = isFolder ? join(target, `${service.name}-${timestampName()}.db`) : target
    const progress = new Progress('Backing up', process.stderr, 'page')
    const backup = backupDatabase({
      database: databaseUrlOf(args, service),
      path,
      isReplacing: args.isOn('replace'),
      signal: stopSignal(),
      onProgress: (count, total) => progress.update({ count, share: count / total }),
    })
    const { bytes, checksum } = await progress.during(backup)
    console.log(`${path}: ${byteSize(bytes)}, ${duration(progress.seconds)}\nSHA-256 ${checksum}`)
    if (keep !== undefined) await removeOlderBackups(target, service.name, keep)
  },
}

/** A path that does not exist yet is a folder unless its name has an extension. */
async function isFolderAt(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats ? stats.isDirectory() : !/\.[a-z0-9]+$/i.test(path)
}

/** `20261115T131500Z`: sorts by time, and is a valid file name on every system. */
function timestampName(): string {
  return new Date().toISOString().replace(/[-:]|\.\d+/g, '')
}

async function removeOlderBackups(folder: string, service: string, keep: number): Promise<void> {
  const isBackup = new RegExp(`^${service}-\\d{8}T\\d{6}Z\\.db$`)
  const names = (await readdir(folder)).filter((name) => isBackup.test(name)).sort()
  const older = names.slice(0, -keep)
  for (const name of older) await removeBackup(join(folder, name))
  if (older.length > 0) console.log(`${countText(older.length, 'older backup')} removed.`)
}
