// A service in process: requests without a port, listening, closing, and allowed hosts.

import { existsSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { open, rule } from '@nomen/server'
import { applicationLog } from '@nomen/server/internal'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

describe('open', () => {
  it('handles requests without a port, by a URL or by a whole request', async () => {
    const { app } = await openService(notes)
    expect((await inject(app, '/note')).json()).toEqual({
      pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 },
      results: [],
    })
    const created = await inject(app, { method: 'POST', url: '/note', payload: { title: 'a' } })
    expect([created.statusCode, created.headers.location, created.json()]).toEqual([
      201,
      '/note/1',
      { id: 1, title: 'a' },
    ])
  })

  it('listens on the given host and port, and returns the URL', async () => {
    const { app } = await openService(notes)
    const base = await app.listen({ port: 0 })
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${base}/note`)).status).toBe(200)
  })

  it('writes an IPv6 address in brackets', async () => {
    const { app } = await openService(notes, { isLocalOnly: true })
    const base = await app.listen({ port: 0, host: '::1' }).catch(() => undefined)
    if (base === undefined) return
    expect(base).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${base}/note`)).status).toBe(200)
  })

  it('stores records in the file, and releases it when closed', async () => {
    const path = temporaryPath()
    const first = await open(notes, { database: `sqlite:${path}` })
    await inject(first, { method: 'POST', url: '/note', payload: { title: 'kept' } })
    await first.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const { get } = await openService(notes, { database: `sqlite:${path}` })
    expect((await get('/note/1')).body).toEqual({ id: 1, title: 'kept' })
  })

  it('leaves no open file if it cannot start', async () => {
    const path = temporaryPath()
    const broken = { ...notes, sample: () => [{ noun: 'note', rows: [{ id: 1, title: null }] }] }
    await expect(open(broken, { database: `sqlite:${path}` })).rejects.toThrow()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('fills an empty database with the sample once', async () => {
    const path = temporaryPath()
    const sampled = { ...notes, sample: () => [{ noun: 'note', rows: [{ id: 7, title: 'sample' }] }] }
    const first = await openService(sampled, { database: `sqlite:${path}` })
    expect(await first.column('id', '/note')).toEqual([7])
    expect((await first.send('POST', '/note', { title: 'next' })).body.id).toBe(8)
    await first.app.close()
    const second = await openService(sampled, { database: `sqlite:${path}` })
    expect(await second.column('id', '/note')).toEqual([7, 8])
  })

  const failing = {
    ...notes,
    rules: [
      rule(note, () => {
        throw new Error('a secret of the house')
      }),
    ],
  }

  it('reports a bug to onFault, without details for the client', async () => {
    const faults: unknown[] = []
    const { send } = await openService(failing, { onFault: (_, error) => faults.push(error) })
    const response = await send('POST', '/note', { title: 'a' })
    expect([response.status, response.body.code]).toEqual([500, 'internal'])
    expect(response.text).not.toContain('secret')
    expect(faults).toMatchObject([{ message: 'a secret of the house' }])
  })

  it.each([
    ['/note', 'a-request'],
    ['/note', undefined],
    // Left to the framework, since it is encoded.
    ['/%6Eote', undefined],
  ])('logs a bug at %s with the request ID of the response', async (url, id) => {
    const lines: string[] = []
    const log = applicationLog({ isPlain: false, stream: { write: (line) => lines.push(line) } })
    const { send } = await openService(failing, { log })
    const { headers } = await send('POST', url, { title: 'a' }, id === undefined ? {} : { 'x-request-id': id })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        msg: 'A request failed.',
        requestId: headers['x-request-id'],
        method: 'POST',
        target: url,
        err: { message: 'a secret of the house' },
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
  it.each(foreign)('rejects the host %s with 403, and nothing is changed', async (host) => {
    const { send, get } = await openService(notes, { isLocalOnly: true })
    const response = await send('POST', '/note', { title: 'a' }, { host })
    expect([response.status, response.body.code]).toEqual([403, 'foreign-host'])
    expect((await get('/nothing', { host })).status).toBe(403)
    expect((await get('/note')).body.pageInfo.numberOfRecords).toBe(0)
  })

  it('responds to a rejected host with a request ID', async () => {
    const { get } = await openService(notes, { isLocalOnly: true })
    const response = await get('/note', { host: 'example.com', 'x-request-id': 'mine' })
    expect([response.status, response.headers['x-request-id']]).toEqual([403, 'mine'])
  })

  it.each(own)('allows the host %s', async (host) => {
    const { get } = await openService(notes, { isLocalOnly: true })
    expect((await get('/note', { host })).status).toBe(200)
  })

  it.each([...foreign, ...own])('is off by default and allows every host: %s', async (host) => {
    const { get } = await openService(notes)
    expect((await get('/note', { host })).status).toBe(200)
  })
})
