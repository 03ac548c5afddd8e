/** `nomen restore`: replaces the database of a service with a backup. */
import { migrateDatabase, restoreDatabase } from '@nomen/server/admin'
import { redactedUrl } from '@nomen/server/internal'
import { type Command, type Flag, readArguments } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import { databaseUrlOf, sqliteFlag } from '../../flag/database-url.ts'
import { statsOf } from '../../input-file.ts'
import { byteSize, countText, duration } from '../../output/number-text.ts'
import { Progress } from '../../output/progress.ts'
import { loadService } from '../../service-file/load.ts'

const flags: readonly Flag[] = [
  sqliteFlag,
  { name: 'replace', about: 'replace an existing database; the old one is kept under another name' },
  { name: 'unverified', about: 'accept a backup without its checksum file' },
]

export const restoreCommand: Command = {
  name: 'restore',
  flags,
  usage: 'restore <backup> [service file or folder] [options]',
  description: `Restores the SQLite database of a service from a backup. The command first verifies the checksum and the integrity of the
backup, then writes the database in one transaction: an interrupted restore changes nothing. Stop the service first: the
command does not replace a database that is in use.`,
  notes: `If the backup has an older schema, the service applies safe schema changes when it starts. Apply unsafe ones with
nomen migrate --apply.`,
  async run(argv) {
    const args = readArguments(flags, argv, ['backup', 'service file or folder'])
    const [path, serviceFile] = args.positionals
    if (path === undefined)
      throw new CommandError(
        'restore needs the path of a backup file.',
        'For example: nomen restore data/backup/directory-….db',
      )
    statsOf(path, 'Use a file that nomen backup wrote.')
    const service = await loadService(serviceFile)
    const database = databaseUrlOf(args, service)
    const progress = new Progress('Restoring', process.stderr, 'page')
    const restore = restoreDatabase({
      database,
      path,
      isReplacing: args.isOn('replace'),
      isUnverified: args.isOn('unverified'),
      onProgress: (count, total) => progress.update({ count, share: count / total }),
    })
    const { bytes, kept: previousDatabase } = await progress.during(restore)
    console.log(`${redactedUrl(database)}: ${byteSize(bytes)} from ${path}, ${duration(progress.seconds)}`)
    if (previousDatabase !== undefined) console.log(`The previous database is in ${previousDatabase}.`)
    const { steps } = await migrateDatabase(database, service, 'plan')
    if (steps.length > 0)
      console.log(
        `The service needs ${countText(steps.length, 'schema change')}. Run nomen migrate --plan to see ${steps.length === 1 ? 'it' : 'them'}.`,
      )
  },
}
