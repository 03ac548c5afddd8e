/** The error that stops a start or a migration if the database does not match the declarations. */
import { type Change, isAdoption } from './change/change.ts'

/**
 * The error of a database whose schema does not match the declarations and needs a migration. The message has a summary, then
 * one line for each reason and fix.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * try {
 *   await open(service, { database: 'sqlite:data/directory.db' })
 * } catch (error) {
 *   if (error instanceof MigrationError) console.error(error.message)
 * }
 * ```
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'

  constructor(summary: string, lines: readonly string[]) {
    super([summary, ...lines.map((line) => `  ${line}`)].join('\n'))
  }
}

/** The error for changes that a mode does not apply; undefined if all can be applied. */
export function unappliedChangesError(
  changes: readonly Change[],
  obstacles: readonly string[],
  mode: string,
): MigrationError | undefined {
  const isConfirmed = mode === 'apply' || mode === 'contract'
  const isApplied = (change: Change) => change.isSafe || (isAdoption(change) ? mode === 'adopt' : isConfirmed)
  const unsafe = changes.filter((change) => !isApplied(change))
  if (unsafe.length === 0 && obstacles.length === 0) return undefined
  const lines = [
    ...unsafe.flatMap(({ sentence, warning }) => [
      `- ${sentence}`,
      `  ${warning?.reason} ${warning?.fix ?? ''}`.trimEnd(),
    ]),
    ...obstacles.map((obstacle) => `- ${obstacle}`),
    ...(obstacles.length > 0
      ? [`Change these ${mode === 'adopt' ? 'tables' : 'records'} or the declaration, and try again.`]
      : []),
    ...(unsafe.length > 0
      ? [
          'To see the steps, run nomen migrate --plan with the same service file and the same --database.',
          ...(obstacles.length > 0 || unsafe.some(isAdoption)
            ? []
            : ['To apply them, stop all instances, create a backup, and run: nomen migrate --apply']),
        ]
      : []),
  ]
  return new MigrationError('The database does not match the declarations. Nothing was changed.', lines)
}

/** The error for references that would lose their target. */
export function danglingReferencesError(count: number, noun: string, target: string): MigrationError {
  const subject = count === 1 ? '1 reference refers to a record' : `${count} references refer to records`
  const verb = count === 1 ? 'does' : 'do'
  return new MigrationError(`${subject} that ${verb} not exist, for example from "${noun}" to "${target}".`, [
    'Nothing was changed. Correct these references first.',
  ])
}

/** The error for a database that does not match the declarations, if nothing may be changed. */
export function schemaMismatchError(): MigrationError {
  return new MigrationError('The database does not match the declarations. Nothing was changed.', [
    'To see the steps, run nomen migrate --plan. To apply them, stop all instances and run nomen migrate --apply.',
  ])
}
