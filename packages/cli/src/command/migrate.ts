/** `nomen migrate`: shows or applies the schema changes that a service file needs. */
import { createInterface } from 'node:readline/promises'
import { migrateDatabase } from '@nomen/server/admin'
import { redactedAddress } from '@nomen/server/internal'
import { type Command, type Flag, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { databaseFlag } from '../flag/bulk.ts'
import { loadService } from '../service-file/load.ts'

const flags: readonly Flag[] = [
  { name: 'plan', about: 'print the steps with their exact SQL, and change nothing' },
  { name: 'apply', about: 'apply all steps in one transaction; ask first if a step is unsafe' },
  { name: 'yes', about: 'do not ask before unsafe steps; without a terminal, unsafe steps require --yes' },
  {
    name: 'adopt',
    about:
      'take over existing PostgreSQL tables: compare them with the declarations, then add a version column and triggers; with --plan, change nothing',
  },
  databaseFlag,
]

export const migrateCommand: Command = {
  name: 'migrate',
  flags,
  help: `Usage: nomen migrate [service file or folder] (--plan | --apply | --adopt [--plan]) [options]

Shows or applies the schema changes that a service file needs. nomen serve applies safe changes itself. It does not
start if a change is unsafe, or if existing records violate the new declaration. An unsafe change deletes or converts
stored values, or needs values that existing records do not have.

${flagHelp(flags)}`,
  async run(argv) {
    const args = readArguments(flags, argv)
    const [isPlan, isApply, isAdopt] = [args.isOn('plan'), args.isOn('apply'), args.isOn('adopt')]
    const hint = 'Start with --plan, which changes nothing.'
    if (isApply && (isPlan || isAdopt))
      throw new CommandError(`--apply cannot be combined with ${isPlan ? '--plan' : '--adopt'}.`, hint)
    if (!isApply && !isPlan && !isAdopt) throw new CommandError('migrate needs --plan, --apply or --adopt.', hint)
    const service = await loadService(args.positionals[0])
    const database = args.text('database') ?? `sqlite:data/${service.name}.db`
    const mode = isAdopt ? (isPlan ? 'adopt-plan' : 'adopt') : isPlan ? 'plan' : 'apply'
    const redacted = redactedAddress(database)
    const isShown =
      isApply && !args.isOn('yes') && (await confirm(await migrateDatabase(database, service, 'plan'), redacted))
    const { steps, obstacles } = await migrateDatabase(database, service, mode)
    if (steps.length === 0) return console.log(`${redacted} is up to date.`)
    if (!isShown) show(steps, isPlan)
    for (const obstacle of obstacles) console.log(`BLOCKED ${obstacle}`)
    if (obstacles.length > 0) process.exitCode = 1
    console.log(
      summary(steps.length, obstacles.length, isPlan ? `--${isAdopt ? 'adopt' : 'apply'}` : undefined, redacted),
    )
  },
}

type Migration = Awaited<ReturnType<typeof migrateDatabase>>

function show(steps: Migration['steps'], hasSql: boolean): void {
  for (const { sentence, isSafe, sql } of steps) {
    console.log(`${isSafe ? 'safe  ' : 'UNSAFE'} ${sentence}`)
    if (hasSql) for (const statement of sql) console.log(`${statement};`.replace(/^/gm, '         '))
  }
}

/** Asks before unsafe steps, and throws if the answer is not yes. Returns whether the steps were shown. */
async function confirm({ steps, obstacles }: Migration, database: string): Promise<boolean> {
  const unsafe = steps.filter(({ isSafe }) => !isSafe).length
  // With an obstacle, nothing can be applied: the reason follows.
  if (unsafe === 0 || obstacles.length > 0) return false
  show(steps, false)
  const subject = unsafe === 1 ? '1 step is unsafe' : `${unsafe} steps are unsafe`
  const warning = `${subject} and can delete or convert values in ${database}.`
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandError(`${warning} Nothing was changed.`, 'Create a backup, then run the command with --yes.', 1)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${warning} Type yes to apply the changes: `)
  terminal.close()
  if (answer.trim() !== 'yes') throw new CommandError('Nothing was changed.', 'Type yes to apply the changes.', 1)
  return true
}

/** `next` is the flag that applies the plan; undefined if the steps were applied. */
function summary(steps: number, obstacles: number, next: string | undefined, database: string): string {
  const counted = steps === 1 ? '1 step' : `${steps} steps`
  if (next === undefined) return `${counted} applied to ${database}.`
  return obstacles > 0
    ? `${counted}. Nothing was changed. Resolve the lines marked BLOCKED, then run ${next}.`
    : `${counted}. Nothing was changed. Run ${next} to apply ${steps === 1 ? 'it' : 'them'}.`
}
