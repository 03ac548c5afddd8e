// A file that another process writes to: a write that cannot be committed is neither acknowledged nor stored.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { identity, noun, resource, text } from '@nomen/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

describe('a lock that another connection holds', () => {
  it('is waited for; then every write of the batch gets 503 and is not stored, and later writes succeed', async () => {
    const path = temporaryPath()
    const faults: string[] = []
    const app = await openService(notes, { database: `sqlite:${path}`, onFault: (message) => faults.push(message) })
    await app.send('POST', '/note', { title: 'before' })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const begin = performance.now()
    let written = 0
    const read = pause(200).then(async () => {
      const { status } = await app.send('GET', '/note/1')
      return { status, written }
    })
    const titles = ['a', 'b', 'c']
    const writes = [
      ...titles.map((title) => app.send('POST', '/note', { title })),
      app.send('PATCH', '/note/1', { title: 'changed' }),
      app.send('DELETE', '/note/1'),
    ]
    for (const write of writes) void write.then(() => written++)
    const responses = await Promise.all(writes)
    expect(performance.now() - begin).toBeGreaterThan(4000)
    // A read does not wait for writes: none of them had its response yet.
    expect(await read).toEqual({ status: 200, written: 0 })
    for (const { status, body, headers } of responses)
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect(faults.length).toBeGreaterThan(0)
    expect(await app.column('title', '/note')).toEqual(['before'])
    other.exec('rollback')
    const after = await Promise.all(titles.map((title) => app.send('POST', '/note', { title })))
    expect(after.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await app.column('title', '/note')).toEqual(['before', ...titles])
  })

  it('has the same wait limit for each write', async () => {
    const path = temporaryPath()
    const app = await openService(notes, { database: `sqlite:${path}`, onFault: () => undefined })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const early = app.send('POST', '/note', { title: 'early' })
    await pause(2500)
    const late = app.send('POST', '/note', { title: 'late' })
    expect((await early).status).toBe(503)
    other.exec('rollback')
    expect((await late).status).toBe(201)
    expect(await app.column('title', '/note')).toEqual(['late'])
  })

  it('for a short time only delays writes', async () => {
    const path = temporaryPath()
    const app = await openService(notes, { database: `sqlite:${path}` })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    other.exec('insert into "note" ("title") values (\'theirs\')')
    const written = app.send('POST', '/note', { title: 'ours' })
    other.exec('commit')
    expect((await written).status).toBe(201)
    expect(await app.column('title', '/note')).toEqual(['theirs', 'ours'])
  })
})
