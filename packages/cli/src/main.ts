/** Finds the requested command, runs it and reports its errors. */
import { existsSync } from 'node:fs'
import type { CommandEntry } from './command.ts'
import { unknownName } from './command-error.ts'
import { failureOf } from './output/failure.ts'
import { helpText, helpWidth, wrapParagraphs } from './output/help.ts'
import { packageVersion } from './source/package-version.ts'

/** All commands, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'new',
    summary: 'create a project: declarations, service, mocks, tests',
    load: async () => (await import('./command/new.ts')).newCommand,
  },
  {
    name: 'serve',
    summary: 'run a service file as an HTTP service',
    load: async () => (await import('./command/serve.ts')).serveCommand,
  },
  {
    name: 'token',
    summary: 'create a development token for nomen serve --auth dev',
    load: async () => (await import('./command/token.ts')).tokenCommand,
  },
  {
    name: 'migrate',
    summary: 'show or apply the schema changes that a service file needs',
    load: async () => (await import('./command/database/migrate.ts')).migrateCommand,
  },
  {
    name: 'openapi',
    summary: 'write the OpenAPI document of a service file',
    load: async () => (await import('./command/openapi.ts')).openapiCommand,
  },
  {
    name: 'usage',
    summary: 'report which applications call which endpoints',
    load: async () => (await import('./command/usage.ts')).usageCommand,
  },
  {
    name: 'ship',
    summary: 'send access logs to syslog, Loki, OpenTelemetry or OpenSearch',
    load: async () => (await import('./command/ship.ts')).shipCommand,
  },
  {
    name: 'load',
    summary: 'load records from a CSV, NDJSON or JSON file',
    load: async () => (await import('./command/database/load.ts')).loadCommand,
  },
  {
    name: 'export',
    summary: 'write all records of a noun to a CSV, NDJSON or JSON file',
    load: async () => (await import('./command/database/export.ts')).exportCommand,
  },
  {
    name: 'backup',
    summary: 'back up the SQLite database of a service, while it runs',
    load: async () => (await import('./command/database/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'restore the SQLite database of a service from a backup',
    load: async () => (await import('./command/database/restore.ts')).restoreCommand,
  },
  {
    name: 'recount',
    summary: 'check the stored totals against the records, and correct the totals',
    load: async () => (await import('./command/database/recount.ts')).recountCommand,
  },
  {
    name: 'explain',
    summary: 'show how the database reads a list, and which index would help',
    load: async () => (await import('./command/explain.ts')).explainCommand,
  },
  {
    name: 'diff',
    summary: 'find the breaking changes between two versions of an API',
    load: async () => (await import('./command/diff.ts')).diffCommand,
  },
  {
    name: 'lint',
    summary: 'check declarations or an OpenAPI document against the conventions',
    load: async () => (await import('./command/lint.ts')).lintCommand,
  },
  {
    name: 'check',
    summary: 'check a running service, in any language, against the conventions',
    load: async () => (await import('./command/check.ts')).checkCommand,
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./command/completion.ts')).completionCommand(commands),
  },
]

const introduction = `Nomen turns TypeScript declarations into REST services, and checks any REST service against Nomen's
conventions.`

const overviewNotes = `Run "nomen <command> --help" for details, and "nomen --version" for the version. Flags override
environment variables, which override the file .env in this folder. DATABASE_URL_FILE names a file with the value of
DATABASE_URL; the same works for every variable.

Exit codes: 0 success, 1 failure, 2 invalid arguments, or a file that does not exist. For some commands, 1 and 2 have a more
specific meaning: their help describes it.`

function overview(): string {
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')
  const paragraphs = [introduction, 'Usage: nomen <command> [options]', list, overviewNotes]
  return paragraphs.map((paragraph) => wrapParagraphs(paragraph, helpWidth())).join('\n\n')
}

/** Runs the command line: the name of a command and its arguments. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    const { text, exitCode } = failureOf(error)
    console.error(text)
    process.exitCode = exitCode
  }
}

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h') return console.log(overview())
  if (name === 'help') return help(args[0])
  if (name === '--version' || name === '-v') return console.log(packageVersion())
  const command = await entryOf(name).load()
  if (args.includes('--help') || args.includes('-h')) return console.log(helpText(command, helpWidth()))
  readEnvironmentFile()
  await command.run(args)
}

/** `nomen help serve` prints the same as `nomen serve --help`. */
async function help(name: string | undefined): Promise<void> {
  console.log(name === undefined ? overview() : helpText(await entryOf(name).load(), helpWidth()))
}

function entryOf(name: string): CommandEntry {
  const entry = commands.find((command) => command.name === name)
  if (entry) return entry
  const names = commands.map((command) => command.name)
  throw unknownName('Unknown command', name, names, 'Run "nomen --help" for a list.')
}

/** Reads `.env` of the current folder. Variables that are already set keep their values. */
function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
