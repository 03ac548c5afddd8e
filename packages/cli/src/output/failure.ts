/** How a failure is told on the command line, and the exit code that it gives. */
import { inspect } from 'node:util'
import { CommandError } from '../command-error.ts'
import { ServiceFileError } from '../service-file/error.ts'

export interface Failure {
  readonly text: string
  readonly exitCode: number
  /** It is the files of the service that must be fixed. */
  readonly isOfFiles: boolean
}

/**
 * What a person can fix. By name: few commands load all of the packages that these are from, and a project may have a copy
 * of its own.
 */
const expected = new Set([
  'CommandError',
  'DeclarationError',
  'MigrationError',
  'DatabaseError',
  'BulkError',
  'BackupError',
  'DocumentError',
  'ShipError',
])

/** What a person can fix is told in words; anything else is a bug and shows where it came from. */
export function failureOf(error: unknown): Failure {
  const isExpected = error instanceof Error && expected.has(error.name)
  return {
    text: isExpected ? `nomen: ${error.message}` : inspect(error),
    exitCode: error instanceof CommandError ? error.exitCode : 1,
    isOfFiles: error instanceof ServiceFileError,
  }
}
