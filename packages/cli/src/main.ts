/** Finds the command that is called, and tells how it failed. */
import { existsSync } from 'node:fs'
import { nearest } from '@nomen/core'
import type { CommandEntry } from './command.ts'
import { CommandError } from './command-error.ts'
import { failureOf } from './output/failure.ts'
import { packageVersion } from './source/package-version.ts'

const commands: readonly CommandEntry[] = [
  {
    name: 'new',
    summary: 'begin a project: declarations, service, mocks, tests',
    find: async () => (await import('./command/new.ts')).newCommand,
  },
  {
    name: 'serve',
    summary: 'serve a service file over HTTP',
    find: async () => (await import('./command/serve.ts')).serveCommand,
  },
  {
    name: 'migrate',
    summary: 'show or make the schema changes that a service file needs',
    find: async () => (await import('./command/migrate.ts')).migrateCommand,
  },
  {
    name: 'openapi',
    summary: 'write the OpenAPI document of a service file',
    find: async () => (await import('./command/openapi.ts')).openapiCommand,
  },
  {
    name: 'usage',
    summary: 'say who calls which endpoint, from access logs',
    find: async () => (await import('./command/usage.ts')).usageCommand,
  },
  {
    name: 'ship',
    summary: 'send access logs to syslog, Loki, OpenTelemetry or OpenSearch, at least once',
    find: async () => (await import('./command/ship.ts')).shipCommand,
  },
  {
    name: 'load',
    summary: 'load records from a CSV, NDJSON or JSON file, while the service serves',
    find: async () => (await import('./command/load.ts')).loadCommand,
  },
  {
    name: 'export',
    summary: 'write all records of a noun to a CSV, NDJSON or JSON file',
    find: async () => (await import('./command/export.ts')).exportCommand,
  },
  {
    name: 'backup',
    summary: 'copy the database of a service to a file, while it serves',
    find: async () => (await import('./command/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'make a backup the database of a service again',
    find: async () => (await import('./command/restore.ts')).restoreCommand,
  },
  {
    name: 'recount',
    summary: 'compare kept totals with the records, and make them right',
    find: async () => (await import('./command/recount.ts')).recountCommand,
  },
  {
    name: 'diff',
    summary: 'find the breaking changes between two OpenAPI documents',
    find: async () => (await import('./command/diff.ts')).diffCommand,
  },
  {
    name: 'lint',
    summary: 'hold declarations or an OpenAPI document against the conventions',
    find: async () => (await import('./command/lint.ts')).lintCommand,
  },
  {
    name: 'check',
    summary: 'check a running service, in any language, against the conventions',
    find: async () => (await import('./command/check.ts')).checkCommand,
  },
  {
    name: 'completion',
    summary: 'let the shell complete commands and flags: bash, zsh or fish',
    find: async () => (await import('./command/completion.ts')).completionCommand(commands),
  },
]

const overview = `nomen makes REST conventions executable: declare a noun once, serve it.

Usage: nomen <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}

nomen <command> --help tells more, nomen --version which one this is. Settings are read from flags, then from the
environment, then from a .env in this folder. Exit codes: 0 done, 1 failed, 2 called wrongly.`

/** Runs the command that the words name. */
export async function main(words: readonly string[]): Promise<void> {
  try {
    await run(words)
  } catch (error) {
    const { text, exitCode } = failureOf(error)
    console.error(text)
    process.exitCode = exitCode
  }
}

async function run([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h') return console.log(overview)
  if (name === 'help') return help(rest[0])
  if (name === '--version' || name === '-v') return console.log(packageVersion())
  const command = await entryOf(name).find()
  if (rest.includes('--help') || rest.includes('-h')) return console.log(command.help)
  readEnvironmentFile()
  await command.run(rest)
}

/** `nomen help serve` is `nomen serve --help`. */
async function help(name: string | undefined): Promise<void> {
  console.log(name === undefined ? overview : (await entryOf(name).find()).help)
}

function entryOf(name: string): CommandEntry {
  const entry = commands.find((one) => one.name === name)
  if (entry) return entry
  const near = nearest(
    name,
    commands.map((one) => one.name),
  )
  throw new CommandError(
    `There is no command "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
    'nomen --help lists them.',
  )
}

/** Settings of the folder that it is called in. What the environment says already counts before them. */
function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
