/** `nomen migrate`: shows or makes the changes that a database needs for a service file. */
import { migrateDatabase } from '@nomen/server/admin'
import { redactedAddress } from '@nomen/server/internal'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { databaseFlag } from '../flag/bulk.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  { name: 'plan', about: 'print the steps with their exact SQL, and change nothing' },
  { name: 'apply', about: 'make all of them in one transaction, those that lose data too' },
  { name: 'adopt', about: 'serve tables of PostgreSQL that are there already; with --plan, only compare them' },
  databaseFlag,
]

export const migrateCommand: Command = {
  name: 'migrate',
  flags,
  help: `Usage: nomen migrate [service file or folder] --plan | --apply | --adopt [options]

nomen serve makes safe changes by itself and stops at those that could lose data; this command shows and makes those.

${flagHelp(flags)}`,
  async run(given) {
    const args = readArguments(flags, given)
    const [isPlan, isApply, isAdopt] = [args.isOn('plan'), args.isOn('apply'), args.isOn('adopt')]
    if (isApply === (isPlan || isAdopt)) {
      const hint = '--plan changes nothing: begin with it.'
      throw new CommandError('nomen migrate needs one of --plan, --apply and --adopt.', hint)
    }
    const service = await loadService(args.positionals[0])
    const database = args.text('database') ?? `sqlite:data/${service.name}.db`
    const mode = isAdopt ? (isPlan ? 'adopt-plan' : 'adopt') : isPlan ? 'plan' : 'apply'
    const { steps, obstacles } = await migrateDatabase(database, service.operations, mode)
    const shown = redactedAddress(database)
    if (steps.length === 0) return console.log(`${shown} is up to date.`)
    for (const { sentence, isSafe, sql } of steps) {
      console.log(`${isSafe ? 'safe  ' : 'UNSAFE'} ${sentence}`)
      if (isPlan) for (const statement of sql) console.log(`${statement};`.replace(/^/gm, '         '))
    }
    for (const obstacle of obstacles) console.log(`IN THE WAY ${obstacle}`)
    if (obstacles.length > 0) process.exitCode = 1
    console.log(summary(steps.length, obstacles.length, isPlan ? `--${isAdopt ? 'adopt' : 'apply'}` : undefined, shown))
  },
}

/** `next` is the flag that makes what was planned; absent where it is made. */
function summary(steps: number, obstacles: number, next: string | undefined, database: string): string {
  const counted = steps === 1 ? '1 step' : `${steps} steps`
  if (next === undefined) return `${counted} made in ${database}.`
  return obstacles > 0
    ? `${counted}. Nothing was changed, and ${next} cannot be run before what is in the way is changed.`
    : `${counted}. Nothing was changed: ${next} makes them.`
}
