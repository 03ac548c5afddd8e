/** What a migration did, or would do. */
import type { Change } from './change.ts'

export interface MigrationReport {
  /** Whether the database was empty before. */
  readonly isFresh: boolean
  readonly changes: readonly Change[]
  /** What was done, or with `plan` would be done, in one transaction. */
  readonly steps: readonly Step[]
  /** What in the records themselves stands in the way. Only a plan has any: otherwise they are an error. */
  readonly obstacles: readonly string[]
}

export interface Step {
  /** What it does, such as: add field "nickname" to "user". */
  readonly sentence: string
  readonly isSafe: boolean
  /** Empty where nothing but the declaration changes. */
  readonly sql: readonly string[]
}

/** The sentence of the last step, by which the next start knows what the database holds. */
export const remembering = 'remember the schema'

/** The report of a database that needs no change. */
export const nothingToDo: MigrationReport = { isFresh: false, changes: [], steps: [], obstacles: [] }
