/** Explains the statement of a list on the database of a URL. */
import { isPostgresUrl } from '../connection/postgres-url.ts'
import { existingSqlitePath } from '../connection/sqlite-path.ts'
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

export async function explainPlan(url: string, model: Model, plan: ListPlan): Promise<PlanExplanation> {
  if (isPostgresUrl(url)) {
    // Imported on demand: a command on SQLite starts faster without the driver.
    const { explainOnServer } = await import('../postgres/read/explain.ts')
    return explainOnServer(url, model, plan)
  }
  return explainFile(existingSqlitePath(url), model, plan)
}
