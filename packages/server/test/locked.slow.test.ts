// A file that another process writes to: what cannot be committed is not acknowledged, and not there.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { identity, noun, resource, text } from '@nomen/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

describe('a lock that another connection holds', () => {
  it('is waited for; then every write of the batch is 503, none is stored, and the next ones go through', async () => {
    const path = temporaryPath()
    const faults: string[] = []
    const app = await opened(notes, { database: `sqlite:${path}`, onFault: (message) => faults.push(message) })
    await app.ask('POST', '/note', { title: 'before' })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const begin = performance.now()
    const reads = pause(200).then(async () => [(await app.ask('GET', '/note/1')).status, performance.now() - begin])
    const titles = ['a', 'b', 'c']
    const answers = await Promise.all([
      ...titles.map((title) => app.ask('POST', '/note', { title })),
      app.ask('PATCH', '/note/1', { title: 'changed' }),
      app.ask('DELETE', '/note/1'),
    ])
    expect(performance.now() - begin).toBeGreaterThan(4000)
    // Reads do not wait for whoever writes.
    const [status, time] = await reads
    expect(status).toBe(200)
    expect(time).toBeLessThan(3000)
    for (const { status, body, headers } of answers)
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect(faults.length).toBeGreaterThan(0)
    expect(await app.column('title', '/note')).toEqual(['before'])
    other.exec('rollback')
    const after = await Promise.all(titles.map((title) => app.ask('POST', '/note', { title })))
    expect(after.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await app.column('title', '/note')).toEqual(['before', ...titles])
  })

  it('is waited for by each write for as long as by any other', async () => {
    const path = temporaryPath()
    const app = await opened(notes, { database: `sqlite:${path}`, onFault: () => undefined })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const early = app.ask('POST', '/note', { title: 'early' })
    await pause(2500)
    const late = app.ask('POST', '/note', { title: 'late' })
    expect((await early).status).toBe(503)
    other.exec('rollback')
    expect((await late).status).toBe(201)
    expect(await app.column('title', '/note')).toEqual(['late'])
  })

  it('for a short time costs nothing but that time', async () => {
    const path = temporaryPath()
    const app = await opened(notes, { database: `sqlite:${path}` })
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    other.exec('insert into "note" ("title") values (\'theirs\')')
    const written = app.ask('POST', '/note', { title: 'ours' })
    other.exec('commit')
    expect((await written).status).toBe(201)
    expect(await app.column('title', '/note')).toEqual(['theirs', 'ours'])
  })
})
