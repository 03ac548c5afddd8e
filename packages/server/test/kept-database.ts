/** An empty database that outlives the services which are opened on it, and not the test. */
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import { onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'

export async function keptDatabase(): Promise<string> {
  if (!isOnPostgres) return `sqlite:${temporaryPath()}`
  const { address, remove } = await testDatabase()
  onTestFinished(remove)
  return address
}
