/** The behavior of a service after another process has migrated its database, the same on both databases. */
import { type AnyNoun, choice, identity, integer, noun, resource, text } from '@nomen/core'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const status = choice('OPEN', 'DONE').default('OPEN')
const book = noun('book', { id: identity(), title: text(), pages: integer().default(1), status })
const author = noun('author', { id: identity(), name: text() })

function libraryOf(...nouns: readonly AnyNoun[]) {
  return serviceOf([plainApi(...nouns.map((noun) => resource(noun, {})))])
}

const before = libraryOf(book, author)
const changes = {
  'dropped a field': libraryOf(noun('book', { id: identity(), title: text(), status }), author),
  'renamed a field': libraryOf(
    noun('book', { id: identity(), title: text(), sheets: integer().default(1).renamedFrom('pages'), status }),
    author,
  ),
  'changed the type of a field': libraryOf(
    noun('book', { id: identity(), title: text(), pages: text().default('1'), status }),
    author,
  ),
  'dropped a noun': libraryOf(author),
}

const reads = ['/book', '/book/1', '/book?pages=1', '/book?sort=-pages', '/book?status=OPEN&pageNumber=2&pageSize=1']

async function statuses(app: TestService, urls: readonly string[]): Promise<readonly number[]> {
  const codes: number[] = []
  for (const url of urls) codes.push((await app.get(url)).status)
  return codes
}

/** `address` gives an empty database that other processes reach too. */
export function outdatedSuite(address: () => Promise<string>): void {
  describe('a service whose database another process has migrated', () => {
    it.each(Object.entries(changes))('never responds with 500 after it %s', async (_, after) => {
      const database = await address()
      const faults: string[] = []
      const app = await openService(before, { database, onFault: (_message, error) => faults.push(`${error}`) })
      expect((await app.send('POST', '/book', { title: 'one' })).status).toBe(201)
      expect(await statuses(app, reads)).toEqual(reads.map(() => 200))
      await migrateDatabase(database, after, 'apply')
      const read = [...(await statuses(app, reads)), ...(await statuses(app, ['/book?title=one&sort=title']))]
      // Statements that also fit the new schema still work.
      for (const status of read) expect([200, 503]).toContain(status)
      const writes = [
        await app.send('POST', '/book', { title: 'two' }),
        await app.send('PATCH', '/book/1', { pages: 2 }),
        await app.send('DELETE', '/book/1'),
      ]
      for (const response of writes) expect([200, 201, 503]).toContain(response.status)
      expect(faults.join()).toContain('Restart this instance.')
    })

    it('reports it at /health/ready, and recovers when the schema matches again', async () => {
      const database = await address()
      const app = await openService(before, { database, onFault: () => undefined })
      expect((await app.send('POST', '/book', { title: 'one' })).status).toBe(201)
      expect((await app.get('/book')).status).toBe(200)
      await migrateDatabase(database, changes['dropped a field'], 'apply')
      expect((await app.get('/book')).status).toBe(503)
      const detail = 'Another version of the service changed the database schema. Restart this instance.'
      await expect
        .poll(async () => (await app.get('/health/ready')).body.parts.database)
        .toEqual({
          status: 'unavailable',
          detail,
        })
      expect((await app.get('/health/ready')).status).toBe(503)
      await migrateDatabase(database, before, 'apply')
      expect(await statuses(app, reads)).toEqual(reads.map(() => 200))
      expect((await app.send('PATCH', '/book/1', { pages: 3 })).body).toMatchObject({ title: 'one', pages: 3 })
      await expect.poll(async () => (await app.get('/health/ready')).status).toBe(200)
    })

    it('stays ready, and reports it, if the other version only added something', async () => {
      const database = await address()
      const app = await openService(changes['dropped a field'], { database, onFault: () => undefined })
      await migrateDatabase(database, before, 'apply')
      await expect.poll(async () => (await app.get('/health/ready')).body.parts.database.status).toBe('degraded')
      expect((await app.get('/health/ready')).status).toBe(200)
      expect((await app.get('/book')).status).toBe(200)
    })

    it('calls onSchemaChange once', async () => {
      const database = await address()
      let calls = 0
      const app = await openService(before, { database, onSchemaChange: () => calls++ })
      expect((await app.get('/book')).status).toBe(200)
      await migrateDatabase(database, changes['dropped a field'], 'apply')
      await expect.poll(() => calls).toBe(1)
      await migrateDatabase(database, before, 'apply')
      await expect.poll(() => calls).toBe(2)
    })
  })
}
