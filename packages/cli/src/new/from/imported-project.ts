/** The project of `nomen new --from`: from an OpenAPI document or a database. */
import { CommandError } from '../../command-error.ts'
import { identifierOf } from '../identifier.ts'
import type { Project } from '../project.ts'
import type { ImportedParts } from './imported-parts.ts'
import { notesText } from './note.ts'

export interface Imported {
  /** The document or database, as the user gave it. */
  readonly source: string
  readonly parts: ImportedParts
  readonly database: string | undefined
  /** Whether the source is a database whose tables the service uses. */
  readonly isAdopted: boolean
}

export function importedProject(
  name: string,
  { source, parts: importedParts, database, isAdopted }: Imported,
): Project {
  const { nouns, links = [], version, notes } = importedParts
  const description = importedParts.description?.trim()
  const [first, ...others] = nouns
  if (!first) {
    const reasons = notes.slice(0, 3).map(({ source, text }) => `${source}: ${text}`)
    throw new CommandError(
      [`${source} has nothing that can become a noun.`, ...reasons].join('\n  '),
      'Create the project without --from.',
      1,
    )
  }
  return {
    name,
    identifier: identifierOf(
      name,
      'Api',
      [...nouns, ...links].map(({ identifier }) => identifier),
    ),
    ...(description && { description }),
    ...(version !== undefined && { version }),
    nouns: [first, ...others],
    ...(links.length > 0 && { links }),
    ...(isAdopted && { isAdopted }),
    ...(database !== undefined && { database }),
    ...(notes.length > 0 && { notes: notesText(source, notes) }),
  }
}
