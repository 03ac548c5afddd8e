/** The interface of a check of a collection. */
import type { Code } from './catalog.ts'
import type { Collection } from './surface.ts'
import type { Survey } from './survey.ts'

/** Throws its findings; may return a note, such as how much was checked. */
export type Run<Arguments extends unknown[]> = (...args: Arguments) => Promise<string | undefined> | Promise<void>

export interface Check {
  readonly code: Code
  /** Whether the check applies to a collection. If not, the report does not mention it for that collection. */
  readonly appliesTo?: (collection: Collection) => boolean
  /** Why the check cannot run here; undefined if it can. */
  readonly skipReason?: (survey: Survey) => string | undefined
  readonly run: Run<[Survey]>
}
