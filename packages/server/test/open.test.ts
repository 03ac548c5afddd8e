// A service in process: asked without a port, listening on one, closed; and whom it answers.

import { existsSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { applicationLog, open } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

describe('open', () => {
  it('answers without a port, by a URL or by a whole request', async () => {
    const { app } = await opened(notes)
    expect((await inject(app, '/note')).json()).toEqual({
      pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 },
      results: [],
    })
    const made = await inject(app, { method: 'POST', url: '/note', payload: { title: 'a' } })
    expect([made.statusCode, made.headers.location, made.json()]).toEqual([201, '/note/1', { id: 1, title: 'a' }])
  })

  it('listens where it is told, and says where', async () => {
    const { app } = await opened(notes)
    const base = await app.listen({ port: 0 })
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${base}/note`)).status).toBe(200)
  })

  it('writes an IPv6 address as a URL has it', async () => {
    const { app } = await opened(notes, { isLocalOnly: true })
    const base = await app.listen({ port: 0, host: '::1' }).catch(() => undefined)
    if (base === undefined) return
    expect(base).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${base}/note`)).status).toBe(200)
  })

  it('keeps its records in the file, and lets it go when closed', async () => {
    const path = temporaryPath()
    const first = await open(notes, { database: `sqlite:${path}` })
    await inject(first, { method: 'POST', url: '/note', payload: { title: 'kept' } })
    await first.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const { get } = await opened(notes, { database: `sqlite:${path}` })
    expect((await get('/note/1')).body).toEqual({ id: 1, title: 'kept' })
  })

  it('leaves no open file behind where it cannot start', async () => {
    const path = temporaryPath()
    const broken = { ...notes, sample: () => [{ noun: 'note', rows: [{ id: 1, title: null }] }] }
    await expect(open(broken, { database: `sqlite:${path}` })).rejects.toThrow()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('fills an empty database with the sample once', async () => {
    const path = temporaryPath()
    const sampled = { ...notes, sample: () => [{ noun: 'note', rows: [{ id: 7, title: 'sample' }] }] }
    const first = await opened(sampled, { database: `sqlite:${path}` })
    expect(await first.column('id', '/note')).toEqual([7])
    expect((await first.ask('POST', '/note', { title: 'next' })).body.id).toBe(8)
    await first.app.close()
    const second = await opened(sampled, { database: `sqlite:${path}` })
    expect(await second.column('id', '/note')).toEqual([7, 8])
  })

  const failing = {
    ...notes,
    rules: [
      {
        noun: note,
        check: () => {
          throw new Error('a secret of the house')
        },
      },
    ],
  }

  it('tells of a bug by its own door, and the client nothing of it', async () => {
    const faults: unknown[] = []
    const { ask } = await opened(failing, { onFault: (_, error) => faults.push(error) })
    const answer = await ask('POST', '/note', { title: 'a' })
    expect([answer.status, answer.body.code]).toEqual([500, 'internal'])
    expect(answer.text).not.toContain('secret')
    expect(faults).toMatchObject([{ message: 'a secret of the house' }])
  })

  it.each([
    ['/note', 'a-request'],
    ['/note', undefined],
    // Left to the framework, since it is encoded.
    ['/%6Eote', undefined],
  ])('tells the application log of a bug at %s with the identity that the client knows', async (url, id) => {
    const lines: string[] = []
    const log = applicationLog({ isPlain: false, write: (line) => lines.push(line) })
    const { ask } = await opened(failing, { log })
    const { headers } = await ask('POST', url, { title: 'a' }, id === undefined ? {} : { 'x-request-id': id })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        message: 'A request failed.',
        requestId: headers['x-request-id'],
        method: 'POST',
        target: url,
        error: { message: 'a secret of the house' },
      },
    ])
    if (id !== undefined) expect(headers['x-request-id']).toBe(id)
  })
})

const foreign = [
  'example.com',
  'example.com:3000',
  '10.0.0.1',
  '0.0.0.0',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '1270.0.0.1',
  '[::2]',
]
const own = ['localhost', 'localhost:3000', 'LOCALHOST', 'notes.localhost', '127.0.0.1', '127.1.2.3:80', '[::1]:3000']

describe('isLocalOnly', () => {
  it.each(foreign)('refuses the host %s with 403, and nothing is changed', async (host) => {
    const { ask, get } = await opened(notes, { isLocalOnly: true })
    const answer = await ask('POST', '/note', { title: 'a' }, { host })
    expect([answer.status, answer.body.code]).toEqual([403, 'foreign-host'])
    expect((await get('/nothing', { host })).status).toBe(403)
    expect((await get('/note')).body.pageInfo.numberOfRecords).toBe(0)
  })

  it('answers a refused host with a request id, as it does all', async () => {
    const { get } = await opened(notes, { isLocalOnly: true })
    const answer = await get('/note', { host: 'example.com', 'x-request-id': 'mine' })
    expect([answer.status, answer.headers['x-request-id']]).toEqual([403, 'mine'])
  })

  it.each(own)('lets the host %s in', async (host) => {
    const { get } = await opened(notes, { isLocalOnly: true })
    expect((await get('/note', { host })).status).toBe(200)
  })

  it.each([...foreign, ...own])('left out lets every host in: %s', async (host) => {
    const { get } = await opened(notes)
    expect((await get('/note', { host })).status).toBe(200)
  })
})
