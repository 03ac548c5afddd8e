/** The parts of a project that come from a document or a database. */
import type { LinkDraft, NounDraft } from '../project.ts'
import type { Note } from './note.ts'

export interface ImportedParts {
  readonly nouns: readonly NounDraft[]
  readonly links?: readonly LinkDraft[]
  /** Description of the api. */
  readonly description?: string | undefined
  readonly version?: number | undefined
  readonly notes: readonly Note[]
}
