/** An empty database for each test: SQLite in memory, or a schema of PostgreSQL if the run is for PostgreSQL. */
import { type Template, temporaryPostgres, temporarySchema } from './shared.ts'

/** Whether this run is for PostgreSQL. */
export const isOnPostgres = process.env.NOMEN_TEST_DATABASE === 'postgres'

export interface TestDatabase {
  /** The URL of the database, for a service. */
  readonly address: string
  remove(): Promise<void>
}

/** With a template, PostgreSQL copies it; SQLite in memory is filled by the service that opens it. */
export async function testDatabase(template?: Template): Promise<TestDatabase> {
  if (!isOnPostgres) return { address: 'sqlite::memory:', remove: async () => {} }
  const { url, remove } = await (template ? temporaryPostgres(template) : temporarySchema())
  return { address: url, remove }
}
