// The schema changes of a start are reported, on both databases.
import { identity, noun, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import type { MigrationReport } from '@nomen/server/admin'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { plainApi, serviceOf } from './test-service.ts'

const before = serviceOf([plainApi(resource(noun('note', { id: identity(), title: text() })))])
const after = serviceOf([
  plainApi(resource(noun('note', { id: identity(), title: text(), place: text().default('desk') }))),
])

const databases = {
  SQLite: async () => `sqlite:${temporaryPath()}`,
  PostgreSQL: async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    return url
  },
}

it.each(Object.keys(databases) as (keyof typeof databases)[])('each change is reported once, on %s', async (kind) => {
  const database = await databases[kind]()
  const reports: MigrationReport[] = []
  for (const service of [before, before, after, after]) {
    const app = await open(service, { database, onMigration: (report) => void reports.push(report) })
    await app.close()
  }
  expect(reports.map(({ isFresh }) => isFresh)).toEqual([true, false])
  const sentences = reports[1]?.changes.map(({ sentence }) => sentence)
  expect(sentences).toContain('add field "place" to "note"')
})
