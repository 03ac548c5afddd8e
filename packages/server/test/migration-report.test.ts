// Whoever opens a service is told of the changes of the schema that the start has made, on both databases.
import { identity, noun, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import type { MigrationReport } from '@nomen/server/admin'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { expect, it, onTestFinished } from 'vitest'
import { plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

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

it.each(Object.keys(databases) as (keyof typeof databases)[])('is told once of each change, on %s', async (kind) => {
  const database = await databases[kind]()
  const told: MigrationReport[] = []
  for (const one of [before, before, after, after]) {
    const app = await open(one, { database, onMigration: (report) => void told.push(report) })
    await app.close()
  }
  expect(told.map(({ isFresh }) => isFresh)).toEqual([true, false])
  const sentences = told[1]?.changes.map(({ sentence }) => sentence)
  expect(sentences).toContain('add field "place" to "note"')
})
