/** The health of a PostgreSQL database: healthy, only readable, or unavailable. */
import { setTimeout as pause } from 'node:timers/promises'
import { type SchemaFit, schemaIssue } from '../migrate/schema/fit.ts'
import type { StoreIssue } from '../store.ts'
import type { PostgresDatabase } from './connect/database.ts'
import type { ReadReplicas } from './replica/replicas.ts'

/** How long the primary may take to respond if replicas can serve reads. Shorter than the limit of a health check. */
const timeoutMs = 700

const readOnlyIssue: StoreIssue = { detail: 'The database accepts only reads.', isReadable: true }
const primaryIssue: StoreIssue = {
  detail: 'The primary database server does not respond. Replicas serve reads.',
  isReadable: true,
}

/** Rejects if the primary does not respond, and no replica can serve reads. */
export async function databaseIssue(
  database: PostgresDatabase,
  replicas: ReadReplicas | undefined,
  fit: () => Promise<SchemaFit>,
): Promise<StoreIssue | undefined> {
  try {
    const fitCheck = fit()
    const issue = schemaIssue(await (replicas?.areReadable ? Promise.race([fitCheck, timeout()]) : fitCheck))
    return issue ?? (database.pool.isReadOnly ? readOnlyIssue : undefined)
  } catch (error) {
    if (replicas?.areReadable) return primaryIssue
    throw error
  }
}

async function timeout(): Promise<never> {
  await pause(timeoutMs, undefined, { ref: false })
  throw new Error(`The primary did not respond within ${timeoutMs} ms.`)
}
