/** The project of someone who has a contract already. */
import { CommandError } from '../../command-error.ts'
import { identifierOf } from '../identifier.ts'
import type { Project } from '../project.ts'
import type { Reading } from './from-document.ts'
import { notesText } from './note.ts'

export interface Imported {
  /** What it was read from, as it was named. */
  readonly source: string
  readonly reading: Reading
  readonly database: string | undefined
  /** Whether the source is a database, whose tables are to be served. */
  readonly isAdopted: boolean
}

export function importedProject(name: string, { source, reading, database, isAdopted }: Imported): Project {
  const { nouns, links = [], version, notes } = reading
  const [first, ...others] = nouns
  if (!first) {
    const reasons = notes.slice(0, 3).map(({ place, text }) => `${place}: ${text}`)
    throw new CommandError([`There is no noun in ${source}.`, ...reasons].join('\n  '), 'Begin without --from.', 1)
  }
  return {
    name,
    identifier: identifierOf(
      name,
      'Api',
      [...nouns, ...links].map(({ identifier }) => identifier),
    ),
    ...(version !== undefined && { version }),
    nouns: [first, ...others],
    ...(links.length > 0 && { links }),
    ...(isAdopted && { isAdopted }),
    ...(database !== undefined && { database }),
    ...(notes.length > 0 && { notes: notesText(source, notes) }),
  }
}
