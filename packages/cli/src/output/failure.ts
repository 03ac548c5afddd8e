/** The message and the exit code of an error on the command line. */
import { inspect } from 'node:util'
import { CommandError } from '../command-error.ts'
import { isMissingFile } from '../input-file.ts'
import { ServiceFileError } from '../service-file/error.ts'

export interface Failure {
  readonly text: string
  readonly exitCode: number
  /** Whether the error is in the files of the service. */
  readonly isInServiceFiles: boolean
}

/**
 * Errors that the user can fix, by name. A command does not load all packages that define them, and a project may have
 * its own copy of a package.
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

/** Expected errors show only their message. Any other error is a bug and shows its stack. */
export function failureOf(error: unknown): Failure {
  const isExpected = error instanceof Error && expected.has(error.name)
  return {
    text: isExpected ? `nomen: ${error.message}` : inspect(error),
    exitCode: error instanceof CommandError ? error.exitCode : isMissingFile(error) ? 2 : 1,
    isInServiceFiles: error instanceof ServiceFileError,
  }
}
