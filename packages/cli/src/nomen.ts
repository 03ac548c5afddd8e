#!/usr/bin/env node
/** The command `nomen`. */
import { nearest } from '@nomen/core'
import manifest from '../package.json' with { type: 'json' }
import { CommandError } from './command-error.ts'
import { exportCommand } from './export.ts'
import { failureOf } from './failure.ts'
import { loadCommand } from './load.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'

const commands = [serveCommand, migrateCommand, loadCommand, exportCommand]

const overview = `nomen makes REST conventions executable: declare a noun once, serve it.

Usage: nomen <command> [options]

${commands.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`).join('\n')}

nomen <command> --help tells more, nomen --version which one this is. Exit codes: 0 done, 1 failed, 2 called wrongly.`

async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return console.log(overview)
  if (name === '--version') return console.log(manifest.version)
  const command = commands.find((one) => one.name === name)
  if (!command) {
    const near = nearest(
      name,
      commands.map((one) => one.name),
    )
    throw new CommandError(
      `There is no command "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
      'nomen --help lists them.',
    )
  }
  if (rest.includes('--help') || rest.includes('-h')) return console.log(command.help)
  await command.run(rest)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const { text, exitCode } = failureOf(error)
  console.error(text)
  process.exitCode = exitCode
})
