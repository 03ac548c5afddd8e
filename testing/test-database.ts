/** A database of its own for each test: SQLite in memory, or PostgreSQL in a run that is for it. */
import { type Template, temporaryPostgres } from './shared-postgres.ts'

/** Whether this run is for PostgreSQL. */
export const isOnPostgres = process.env.NOMEN_TEST_DATABASE === 'postgres'

export interface TestDatabase {
  /** As a service takes it. */
  readonly address: string
  remove(): Promise<void>
}

/** Empty; or a copy of a template, where that saves time. SQLite in memory is quickest filled by whoever opens it. */
export async function testDatabase(template?: Template): Promise<TestDatabase> {
  if (!isOnPostgres) return { address: 'sqlite::memory:', remove: async () => {} }
  const { url, remove } = await temporaryPostgres(template)
  return { address: url, remove }
}
