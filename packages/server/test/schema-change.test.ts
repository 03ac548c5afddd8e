// A schema that another process changes while a service is open.
import { DatabaseSync } from 'node:sqlite'
import { boolean, identity, noun, resource, text } from '@nomen/core'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const before = serviceOf([plainApi(resource(note))])
const searched = serviceOf([plainApi(resource(note, { search: ['title'] }))])
const widened = serviceOf([
  plainApi(resource(noun('note', { id: identity(), title: text(), done: boolean().default(false) }))),
])

describe('a schema that another process changes', () => {
  it.each([
    ['by a field', widened],
    ['by a text that is searched', searched],
  ])('%s is not written in its old form, and is still readable', async (_, after) => {
    const database = `sqlite:${temporaryPath()}`
    const faults: unknown[] = []
    const app = await openService(before, { database, onFault: (_message, error) => faults.push(error) })
    expect((await app.send('POST', '/note', { title: 'one' })).status).toBe(201)
    await migrateDatabase(database, after, 'apply')
    const responses = [
      await app.send('POST', '/note', { title: 'two' }),
      await app.send('PATCH', '/note/1', { title: 'changed' }),
      await app.send('DELETE', '/note/1'),
    ]
    for (const { status, body } of responses) expect([status, body.code]).toEqual([503, 'unavailable'])
    // Told once for all of them.
    expect(faults).toHaveLength(1)
    expect(`${faults[0]}`).toContain('Restart this instance.')
    expect((await app.get('/note/1')).body).toEqual({ id: 1, title: 'one' })
    expect(await app.column('title', '/note')).toEqual(['one'])

    const next = await openService(after, { database })
    expect((await next.send('PATCH', '/note/1', { title: 'by the next' })).status).toBe(200)
    expect((await app.get('/note/1')).body).toEqual({ id: 1, title: 'by the next' })
  })

  it('in parts that do not concern it is written as before', async () => {
    const path = temporaryPath()
    const app = await openService(before, { database: `sqlite:${path}` })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('create index "note_of_theirs" on "note" ("title", "id")')
    expect((await app.send('POST', '/note', { title: 'one' })).status).toBe(201)
  })
})
