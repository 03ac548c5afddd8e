/** An empty database that several services may open one after the other. It is removed after the test. */
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { isOnPostgres } from '@nomen/testing/test-database'
import { onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'

export async function persistentDatabase(): Promise<string> {
  if (!isOnPostgres) return `sqlite:${temporaryPath()}`
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}
