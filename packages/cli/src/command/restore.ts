/** `nomen restore`: puts a backup in the place of the database of a service. */
import { migrateDatabase, restoreDatabase } from '@nomen/server/admin'
import { redactedAddress } from '@nomen/server/internal'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { sqliteFlag } from '../flag/sqlite.ts'
import { byteSize, counted, duration } from '../output/figure.ts'
import { Progress } from '../output/progress.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  sqliteFlag,
  { name: 'replace', about: 'replace a database that is there; it is kept beside the new one under another name' },
  { name: 'unverified', about: 'take a backup whose checksum is lost' },
]

export const restoreCommand: Command = {
  name: 'restore',
  flags,
  help: `Usage: nomen restore <backup> [service file or folder] [options]

Makes a backup the database of a service. The backup is held against its checksum and against the rules of SQLite
before anything is changed; the database is then written in one transaction, so that a restore that is cut off has
changed nothing. Stop the service first: a database that is in use is refused.

${flagHelp(flags)}

A backup of an older form of the service is brought to the present one when the service starts, as any database is.`,
  async run(given) {
    const args = readArguments(flags, given, ['backup', 'service file or folder'])
    const [path, file] = args.positionals
    if (path === undefined)
      throw new CommandError('nomen restore needs a backup.', 'Such as: nomen restore data/backup/directory-….db')
    const service = await loadService(file)
    const database = args.text('database') ?? `sqlite:data/${service.name}.db`
    const progress = new Progress('Restoring', process.stderr, 'page')
    try {
      const { bytes, kept } = await restoreDatabase({
        database,
        path,
        isReplacing: args.isOn('replace'),
        isUnverified: args.isOn('unverified'),
        onProgress: (count, all) => progress.reach({ count, share: count / all }),
      })
      progress.clear()
      console.log(`${redactedAddress(database)}: ${byteSize(bytes)} from ${path}, ${duration(progress.seconds)}`)
      if (kept !== undefined) console.log(`What it held before is in ${kept}.`)
    } finally {
      progress.clear()
    }
    const { steps } = await migrateDatabase(database, service.operations, 'plan')
    if (steps.length > 0)
      console.log(
        `The service needs ${counted(steps.length, 'change')} of the schema: nomen migrate --plan shows them.`,
      )
  },
}
