/** The result of a migration, or of its plan. */
import type { Change } from './change/change.ts'

/** The result, or the plan, of a schema migration. */
export interface MigrationReport {
  /** Whether the database was empty before. */
  readonly isFresh: boolean
  readonly changes: readonly Change[]
  /** The steps that were applied, or with `plan` would be applied, in one transaction. */
  readonly steps: readonly Step[]
  /** Stored data that blocks the migration. Only a plan reports it; other modes throw an error. */
  readonly obstacles: readonly string[]
}

export interface Step {
  /** The step in words: add field "nickname" to "user". */
  readonly sentence: string
  readonly isSafe: boolean
  /** Empty if only the declaration changes. */
  readonly sql: readonly string[]
}

/** The sentence of the last step, which stores the schema for the next start. */
export const recordSchemaSentence = 'record the schema'

/** The report for a database that needs no change. */
export const noChanges: MigrationReport = { isFresh: false, changes: [], steps: [], obstacles: [] }
