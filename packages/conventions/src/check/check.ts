/** What a check of a collection is. */
import type { Code } from './catalogue.ts'
import type { Collection } from './surface.ts'
import type { Survey } from './survey.ts'

/** Throws what it finds; may give a note, such as how much was seen. */
export type Run<Given extends unknown[]> = (...given: Given) => Promise<string | undefined> | Promise<void>

export interface Check {
  readonly code: Code
  /** Collections that it does not concern are not spoken of. */
  readonly isMeant?: (collection: Collection) => boolean
  /** Why it has nothing to look at here; undefined where it has. */
  readonly unfit?: (survey: Survey) => string | undefined
  readonly run: Run<[Survey]>
}
