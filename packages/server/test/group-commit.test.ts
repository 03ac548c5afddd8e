// Writes of one tick share a commit, and each is still all or nothing by itself.

import { DatabaseSync } from 'node:sqlite'
import { identity, noun, reference, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { describe, expect, it, vi } from 'vitest'
import { type Opened, opened, plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const folder = noun('folder', { id: identity(), name: text().unique() })
const note = noun('note', { id: identity(), folder: reference(() => folder), title: text() })
const failing = rule(folder, ({ name }) => {
  if (name === 'bug') throw new Error('a bug')
  return name === 'bad' ? { field: 'name', detail: 'A bad name.' } : undefined
})
const service = serviceOf([plainApi(resource(folder, { children: [resource(note)] }))], [failing])

const folders = (count: number) => Array.from({ length: count }, (_, at) => `folder ${at}`)

const post = ({ ask }: Opened, name: string) => ask('POST', '/folder', { name })

describe('many writes at once', () => {
  it('take far fewer commits than there are writes', async () => {
    const app = await opened(service, { database: `sqlite:${temporaryPath()}` })
    const ran = vi.spyOn(DatabaseSync.prototype, 'exec')
    try {
      const answers = await Promise.all(folders(200).map((name) => post(app, name)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(200)
      const commits = ran.mock.calls.filter(([sql]) => /^commit/i.test(sql)).length
      expect(commits).toBeGreaterThan(0)
      expect(commits).toBeLessThan(50)
    } finally {
      ran.mockRestore()
    }
    expect(await app.column('name', '/folder?sort=id')).toHaveLength(200)
  })

  it('of which some are refused keep all the others', async () => {
    const app = await opened(service, { database: `sqlite:${temporaryPath()}`, onFault: () => undefined })
    await post(app, 'taken')
    const names = ['a', 'bug', 'b', 'bad', 'c', 'taken', 'd', 'bug', 'e']
    const answers = await Promise.all([
      ...names.map((name) => post(app, name)),
      app.ask('PATCH', '/folder/1', { name: 'bug' }),
      app.ask('POST', '/folder/99/note', { title: 'x' }),
      app.ask('DELETE', '/folder/99'),
      app.ask('POST', '/folder/1/note', { title: 'kept' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      201, 500, 201, 422, 201, 409, 201, 500, 201, 500, 404, 404, 201,
    ])
    expect(await app.column('name', '/folder?sort=name')).toEqual(['a', 'b', 'c', 'd', 'e', 'taken'])
    expect(await app.column('title', '/folder/1/note')).toEqual(['kept'])
  })

  it('see each other in the order in which they came', async () => {
    const app = await opened(service)
    const answers = await Promise.all([
      post(app, 'one'),
      app.ask('POST', '/folder/1/note', { title: 'in it' }),
      post(app, 'one'),
      app.ask('PATCH', '/folder/1', { name: 'two' }),
      post(app, 'one'),
      app.ask('PATCH', '/folder/2', { name: 'two' }),
      app.ask('PUT', '/folder/2', { name: 'three' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409, 200, 201, 409, 200])
    expect(await app.column('name', '/folder')).toEqual(['two', 'three'])
    // What was refused took no identity that another could miss.
    expect((await post(app, 'four')).body.id).toBe(3)
  })

  it('are all done when the service is closed meanwhile, or refused: none is acknowledged and lost', async () => {
    const path = temporaryPath()
    const app = await opened(service, { database: `sqlite:${path}`, onFault: () => undefined })
    const answers = folders(50).map((name) => post(app, name))
    await app.app.close()
    const made = (await Promise.allSettled(answers)).flatMap((one) =>
      one.status === 'fulfilled' && one.value.status === 201 ? [one.value.body.name] : [],
    )
    const again = await opened(service, { database: `sqlite:${path}` })
    const kept = await again.column('name', '/folder')
    expect(kept).toEqual(expect.arrayContaining(made))
  })
})
