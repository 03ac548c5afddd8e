/** Explains the statement of a list on the database of a URL. */
import { existsSync } from 'node:fs'
import { isPostgresUrl } from '../connection/postgres-url.ts'
import { sqlitePath } from '../connection/sqlite-path.ts'
import { DatabaseError } from '../fault/database-error.ts'
import type { Model } from '../model.ts'
import type { ListPlan } from '../plan.ts'
import { explainFile } from '../sqlite/read/explain.ts'

export interface PlanExplanation {
  /** Undefined if the database stopped the statement. */
  readonly numberOfRecords: number | undefined
  readonly durationMs: number
  readonly statement: string
  readonly steps: readonly string[]
}

export async function explainPlan(address: string, model: Model, plan: ListPlan): Promise<PlanExplanation> {
  if (isPostgresUrl(address)) {
    // Imported on demand: a command on SQLite starts faster without the driver.
    const { explainOnServer } = await import('../postgres/read/explain.ts')
    return explainOnServer(address, model, plan)
  }
  const path = sqlitePath(address)
  if (!existsSync(path))
    throw new DatabaseError(path, ': the file does not exist', 'Use the database URL of the service.')
  return explainFile(path, model, plan)
}
