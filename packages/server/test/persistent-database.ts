/** An empty database that several services may open one after the other. It is removed after the test. */
import { DatabaseSync } from 'node:sqlite'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { isOnPostgres } from '@nomen/testing/test-database'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'

export async function persistentDatabase(): Promise<string> {
  if (!isOnPostgres) return `sqlite:${temporaryPath()}`
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

/** Runs SQL as another program would. Returns the rows on PostgreSQL. */
export async function execute(database: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  if (!database.startsWith('postgres')) {
    const file = new DatabaseSync(database.replace('sqlite:', ''))
    file.exec(statement)
    file.close()
    return []
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

/** The rows of a query, each as its values in their order. */
export async function select(database: string, query: string): Promise<readonly (readonly unknown[])[]> {
  if (database.startsWith('postgres')) return (await execute(database, query)).map((row) => Object.values(row))
  const file = new DatabaseSync(database.replace('sqlite:', ''))
  const rows = file.prepare(query).all()
  file.close()
  return rows.map((row) => Object.values(row))
}
