/** The error that stops a start, or a migration, whose database does not fit the declarations. */
import { type Change, isAdoption } from './change.ts'

/** What is wrong in one sentence, then why and what to do, line by line. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'

  constructor(summary: string, lines: readonly string[]) {
    super([summary, ...lines.map((line) => `  ${line}`)].join('\n'))
  }
}

/** The error for changes that a mode does not make; undefined where all can be made. */
export function refusal(
  changes: readonly Change[],
  obstacles: readonly string[],
  mode: 'start' | 'apply' | 'adopt',
): MigrationError | undefined {
  const isMade = (change: Change) => change.isSafe || (isAdoption(change) ? mode === 'adopt' : mode === 'apply')
  const unsafe = changes.filter((change) => !isMade(change))
  if (unsafe.length === 0 && obstacles.length === 0) return undefined
  const lines = [
    ...unsafe.flatMap(({ sentence, warning }) => [
      `- ${sentence}`,
      `  ${warning?.reason} ${warning?.fix ?? ''}`.trimEnd(),
    ]),
    ...obstacles.map((obstacle) => `- ${obstacle}`),
    ...(obstacles.length > 0
      ? [`Change those ${mode === 'adopt' ? 'tables' : 'records'}, or the declaration, and try again.`]
      : []),
    ...(unsafe.length > 0
      ? [
          'See the exact steps with: nomen migrate --plan, and the service file and database that you serve with.',
          ...(obstacles.length > 0 || unsafe.some(isAdoption) ? [] : ['Make them with: nomen migrate --apply']),
        ]
      : []),
  ]
  return new MigrationError('The database does not fit the declarations. Nothing was changed.', lines)
}

/** The error for references that would be left without their record. */
export function brokenReferences(count: number, noun: string, target: string): MigrationError {
  const what = count === 1 ? 'A reference' : `${count} references`
  return new MigrationError(`${what} would point at nothing, such as one from "${noun}" to "${target}".`, [
    'Nothing was changed. Change those records first.',
  ])
}

/** The error for a database of other declarations where nothing is to be changed. */
export function doesNotFit(): MigrationError {
  return new MigrationError('The database does not fit the declarations. Nothing was changed.', [
    'See the exact steps with: nomen migrate --plan, and make them with --apply.',
  ])
}
