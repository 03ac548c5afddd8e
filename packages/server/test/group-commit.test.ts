// Group commit: writes of one tick share a commit, and each is atomic.

import { DatabaseSync } from 'node:sqlite'
import { identity, noun, reference, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { describe, expect, it, vi } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const folder = noun('folder', { id: identity(), name: text().unique() })
const note = noun('note', { id: identity(), folder: reference(() => folder), title: text() })
const failing = rule(folder, ({ name }) => {
  if (name === 'bug') throw new Error('a bug')
  return name === 'bad' ? { field: 'name', detail: 'A bad name.' } : undefined
})
const service = serviceOf([plainApi(resource(folder, { children: [resource(note)] }))], [failing])

const folders = (count: number) => Array.from({ length: count }, (_, at) => `folder ${at}`)

const post = ({ send }: TestService, name: string) => send('POST', '/folder', { name })

describe('many writes at once', () => {
  it('take far fewer commits than there are writes', async () => {
    const app = await openService(service, { database: `sqlite:${temporaryPath()}` })
    const ran = vi.spyOn(DatabaseSync.prototype, 'exec')
    try {
      const responses = await Promise.all(folders(200).map((name) => post(app, name)))
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
      expect(new Set(responses.map(({ body }) => body.id)).size).toBe(200)
      const commits = ran.mock.calls.filter(([sql]) => /^commit/i.test(sql)).length
      expect(commits).toBeGreaterThan(0)
      expect(commits).toBeLessThan(50)
    } finally {
      ran.mockRestore()
    }
    expect(await app.column('name', '/folder?sort=id')).toHaveLength(200)
  })

  it('of which some are rejected store all the others', async () => {
    const app = await openService(service, { database: `sqlite:${temporaryPath()}`, onFault: () => undefined })
    await post(app, 'taken')
    const names = ['a', 'bug', 'b', 'bad', 'c', 'taken', 'd', 'bug', 'e']
    const responses = await Promise.all([
      ...names.map((name) => post(app, name)),
      app.send('PATCH', '/folder/1', { name: 'bug' }),
      app.send('POST', '/folder/99/note', { title: 'x' }),
      app.send('DELETE', '/folder/99'),
      app.send('POST', '/folder/1/note', { title: 'kept' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([
      201, 500, 201, 422, 201, 409, 201, 500, 201, 500, 404, 404, 201,
    ])
    expect(await app.column('name', '/folder?sort=name')).toEqual(['a', 'b', 'c', 'd', 'e', 'taken'])
    expect(await app.column('title', '/folder/1/note')).toEqual(['kept'])
  })

  it('see each other in the order of arrival', async () => {
    const app = await openService(service)
    const responses = await Promise.all([
      post(app, 'one'),
      app.send('POST', '/folder/1/note', { title: 'in it' }),
      post(app, 'one'),
      app.send('PATCH', '/folder/1', { name: 'two' }),
      post(app, 'one'),
      app.send('PATCH', '/folder/2', { name: 'two' }),
      app.send('PUT', '/folder/2', { name: 'three' }),
    ])
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 409, 200, 201, 409, 200])
    expect(await app.column('name', '/folder')).toEqual(['two', 'three'])
    // A rejected write does not use up an identity.
    expect((await post(app, 'four')).body.id).toBe(3)
  })

  it('complete or are rejected when the service closes: none is acknowledged and lost', async () => {
    const path = temporaryPath()
    const app = await openService(service, { database: `sqlite:${path}`, onFault: () => undefined })
    const responses = folders(50).map((name) => post(app, name))
    await app.app.close()
    const acknowledged = (await Promise.allSettled(responses)).flatMap((result) =>
      result.status === 'fulfilled' && result.value.status === 201 ? [result.value.body.name] : [],
    )
    const again = await openService(service, { database: `sqlite:${path}` })
    const stored = await again.column('name', '/folder')
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
  })
})
