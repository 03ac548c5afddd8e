/** `nomen migrate`: shows or applies the schema changes that a service file needs. */
import { createInterface } from 'node:readline/promises'
import { migrateDatabase } from '@nomen/server/admin'
import { redactedUrl } from '@nomen/server/internal'
import { type Command, type Flag, readArguments } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import { databaseFlag, directDatabaseOf } from '../../flag/database-url.ts'
import { loadService } from '../../service-file/load.ts'

const flags: readonly Flag[] = [
  {
    name: 'plan',
    about:
      'change nothing, and print the steps of --expand, --contract or --adopt with their SQL; without one of these flags, the steps of --apply',
  },
  {
    name: 'expand',
    about: 'add missing tables, columns and indexes, as nomen serve does, while other versions of the service run',
  },
  {
    name: 'contract',
    about:
      'drop tables, columns and indexes that are no longer declared, while the service runs; asks for confirmation if a step is unsafe',
  },
  {
    name: 'apply',
    about: 'apply all steps in one transaction, while no instance runs; asks for confirmation if a step is unsafe',
  },
  { name: 'yes', about: 'do not ask for confirmation; without a terminal, unsafe steps require --yes' },
  {
    name: 'adopt',
    about:
      'adopt existing PostgreSQL tables to serve them: compare them with the declarations, then add a version column and triggers; with --plan, change nothing',
  },
  databaseFlag,
]

export const migrateCommand: Command = {
  name: 'migrate',
  flags,
  usage: `migrate [service file or folder] (--apply | --expand | --contract | --adopt) [options]
migrate [service file or folder] --plan [options]`,
  description: `Shows or applies the schema changes that a service file needs. nomen serve itself adds missing tables,
columns and indexes. It leaves undeclared tables, columns and indexes in place, because other versions of the service may still use them.
Exception: on SQLite, it drops search and sort columns that are no longer declared. nomen serve does not start if adding is not enough, for example if a field was renamed or changed its type. A step is unsafe
if it may delete or convert values, or break instances of other versions.`,
  async run(argv) {
    const args = readArguments(flags, argv)
    const isPlan = args.isOn('plan')
    const action = actionOf(args)
    const service = await loadService(args.positionals[0])
    const database = directDatabaseOf(args, service)
    const plan = action === 'apply' ? 'plan' : (`${action}-plan` as const)
    const shownDatabase = redactedUrl(database)
    const needsConfirmation = !isPlan && !args.isOn('yes') && (action === 'apply' || action === 'contract')
    const areStepsShown =
      needsConfirmation && (await confirm(await migrateDatabase(database, service, plan), shownDatabase))
    const { steps, obstacles } = await migrateDatabase(database, service, isPlan ? plan : action)
    if (steps.length === 0) return console.log(`${shownDatabase} is up to date.`)
    if (!areStepsShown) printSteps(steps, isPlan)
    for (const obstacle of obstacles) console.log(`BLOCKED ${obstacle}`)
    if (obstacles.length > 0) process.exitCode = 1
    console.log(summary(steps.length, obstacles.length, isPlan ? `--${action}` : undefined, shownDatabase))
  },
}

const actions = ['apply', 'expand', 'contract', 'adopt'] as const

/** A plan without an action is that of `--apply`. */
function actionOf(args: ReturnType<typeof readArguments>): (typeof actions)[number] {
  const chosenActions = actions.filter((action) => args.isOn(action))
  const isPlan = args.isOn('plan')
  if (chosenActions.length > 1)
    throw new CommandError(`--${chosenActions[0]} cannot be combined with --${chosenActions[1]}.`, 'Use one of them.')
  if (chosenActions.length === 0 && !isPlan)
    throw new CommandError(
      'migrate needs --plan, --apply, --expand, --contract or --adopt.',
      'Start with --plan, which changes nothing.',
    )
  return chosenActions[0] ?? 'apply'
}

type Migration = Awaited<ReturnType<typeof migrateDatabase>>

function printSteps(steps: Migration['steps'], hasSql: boolean): void {
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
  printSteps(steps, false)
  const subject = unsafe === 1 ? '1 step is unsafe' : `${unsafe} steps are unsafe`
  const warning = `${subject}: the migration may delete or convert values in ${database}, and instances of other versions may fail.`
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandError(`${warning} Nothing was changed.`, 'Create a backup, then run the command with --yes.', 1)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${warning} Type yes to apply the changes: `)
  terminal.close()
  if (answer.trim() !== 'yes') throw new CommandError('Nothing was changed.', 'Type yes to apply the changes.', 1)
  return true
}

/** `nextFlag` applies the plan; undefined if the steps were applied. */
function summary(steps: number, obstacles: number, nextFlag: string | undefined, database: string): string {
  const stepsText = steps === 1 ? '1 step' : `${steps} steps`
  if (nextFlag === undefined) return `${stepsText} applied to ${database}.`
  return obstacles > 0
    ? `${stepsText}. Nothing was changed. Resolve the lines marked BLOCKED, then run ${nextFlag}.`
    : `${stepsText}. Nothing was changed. Run ${nextFlag} to apply ${steps === 1 ? 'it' : 'them'}.`
}
