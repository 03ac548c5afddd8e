/** How a failure is told on the command line, and the exit code that it gives. */
import { inspect } from 'node:util'
import { DeclarationError } from '@nomen/core'
import { BackupError, BulkError, DatabaseError, MigrationError } from '@nomen/server'
import { CommandError } from './command-error.ts'

export interface Failure {
  readonly text: string
  readonly exitCode: number
}

const expected = [CommandError, DeclarationError, MigrationError, DatabaseError, BulkError, BackupError]

/** Of parts that few commands need: they are not loaded for their names. */
const expectedNames = ['DocumentError', 'ShipError']

/** What a person can mend is told in words; anything else is a bug and shows where it came from. */
export function failureOf(error: unknown): Failure {
  const isExpected =
    expected.some((kind) => error instanceof kind) || (error instanceof Error && expectedNames.includes(error.name))
  return {
    text: isExpected ? `nomen: ${(error as Error).message}` : inspect(error),
    exitCode: error instanceof CommandError ? error.exitCode : 1,
  }
}
