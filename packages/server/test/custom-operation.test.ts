// Custom operations: declared as data, implemented in the service file, and used like other operations.
import { visible } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { done, openTickets, person, ticket } from './ticket-service.ts'

describe('an operation on a record', () => {
  it('gets the stored record and the body with defaults, and responds with the declared properties', async () => {
    const { send, get } = await openTickets()
    const response = await send(
      'POST',
      '/ticket/1/reopening',
      { reason: 'again', owner: 2, due: '2026-01-01T01:00:00+01:00' },
      { 'x-request-id': 'mine' },
    )
    const due = '2026-01-01T00:00:00.000Z'
    expect([response.status, response.body]).toEqual([
      200,
      { status: 'OPEN', title: 't1', note: 'again', notified: false, due },
    ])
    expect([response.headers['content-type'], response.headers.etag, response.headers['x-request-id']]).toEqual([
      'application/json; charset=utf-8',
      undefined,
      'mine',
    ])
    expect(done).toEqual([
      {
        key: 1,
        record: { id: 1, title: 't1', status: 'CLOSED', secret: 's', owner: 1, lastUpdated: due },
        ancestors: [],
        body: { reason: 'again', owner: 2, notified: false, note: 'again', due },
        requestId: 'mine',
      },
    ])
    expect((await get('/ticket/1')).body).toEqual({ id: 1, name: 't1', status: 'OPEN', owner: 2 })
  })

  it('responds with 204 without a declared response, and has one operation for each method of a name', async () => {
    const { send } = await openTickets()
    const locked = await send('PUT', '/ticket/1/lock', { reason: 'x' })
    const unlocked = await send('DELETE', '/ticket/1/lock')
    expect([locked.status, locked.text, locked.headers['content-type'], unlocked.status]).toEqual([
      ...[204, '', undefined, 204],
    ])
    expect(done).toEqual(['lock 1 x', 'unlock 1'])
    const rejected = await send('POST', '/ticket/1/lock', { reason: 'x' })
    expect([rejected.status, rejected.headers.allow]).toEqual([405, 'DELETE, OPTIONS, PUT'])
  })

  it('responds with 404 for a record that the caller does not see', async () => {
    const { send } = await openTickets({ visibility: [visible(ticket, () => ({ owner: 2 }))] })
    expect((await send('PUT', '/ticket/1/lock', { reason: 'x' })).status).toBe(404)
    expect((await send('PUT', '/ticket/3/lock', { reason: 'x' })).status).toBe(204)
    expect(done).toEqual(['lock 3 x'])
  })

  it('rejects invalid values as a create does, and a missing record', async () => {
    const { send } = await openTickets()
    const rejected = async (body: unknown, headers: Record<string, string> = {}) => {
      const { status, body: problem } = await send('POST', '/ticket/1/reopening', body, headers)
      return [status, problem.code, ...(problem.errors ?? [])]
    }
    const reason = 'x'
    expect(await rejected({})).toEqual([400, 'invalid-body', { pointer: '/reason', detail: 'is missing' }])
    expect(await rejected({ reason, raeson: 'y', id: 1 })).toEqual([
      ...[400, 'invalid-body'],
      { pointer: '/raeson', detail: 'is not a known property. Did you mean "reason"?' },
      { pointer: '/id', detail: 'is not a known property' },
    ])
    expect(await rejected({ reason: 7 })).toMatchObject([400, 'invalid-body', { pointer: '/reason' }])
    expect(await rejected({ reason: '' })).toMatchObject([400, 'invalid-body', { pointer: '/reason' }])
    expect(await rejected({ reason, owner: 9 })).toEqual([
      ...[422, 'reference-not-found'],
      { pointer: '/owner', detail: '9 does not exist' },
    ])
    expect(await rejected('{')).toEqual([400, 'malformed-json'])
    expect(await rejected('[]')).toEqual([400, 'invalid-body'])
    expect(await rejected('{}', { 'content-type': 'text/plain' })).toEqual([415, 'unsupported-media-type'])
    expect(await rejected({ reason }, { 'idempotency-key': 'k' })).toEqual([400, 'invalid-header'])
    expect(await rejected({ reason }, { 'if-match': '"1-1-a"' })).toEqual([400, 'invalid-header'])
    expect(await rejected({ reason }, { 'if-none-match': '*' })).toEqual([400, 'invalid-header'])
    const response = await send('POST', '/ticket/1/reopening?reason=x', { reason })
    expect([response.status, response.body.code]).toEqual([400, 'unknown-parameter'])
    const sent = await send('DELETE', '/ticket/1/lock', { reason })
    expect([sent.status, sent.body.code]).toEqual([400, 'body-not-allowed'])
    for (const id of ['9', 'x']) {
      const { status, body } = await send('POST', `/ticket/${id}/reopening`, { reason })
      expect([status, body.code, body.detail]).toEqual([404, 'record-not-found', `There is no ticket ${id}.`])
    }
    expect(done).toEqual([])
  })

  it('rejects a reference to a record that the caller does not see', async () => {
    const { send } = await openTickets({ visibility: [visible(person, () => ({ username: 'ann' }))] })
    const hidden = await send('POST', '/ticket/1/reopening', { reason: 'x', owner: 2 })
    expect([hidden.status, hidden.body.code]).toEqual([422, 'reference-not-found'])
    expect((await send('POST', '/ticket/1/reopening', { reason: 'x', owner: 1 })).status).toBe(200)
  })
})

describe('an operation on a collection', () => {
  it('has no ETag in its response, so that only If-Match: * matches', async () => {
    const { get, send } = await openTickets()
    const url = '/ticket/digest?since=2026-01-02'
    expect((await get(url, { 'if-match': '*' })).status).toBe(200)
    for (const tag of ['"1-1-a"', 'W/"x"', '']) {
      const { status, body } = await get(url, { 'if-match': tag })
      expect([status, body.code, body.detail]).toEqual([
        ...[412, 'precondition-failed'],
        'GET /ticket/digest returns no ETag, so If-Match cannot match.',
      ])
      expect((await send('HEAD', url, undefined, { 'if-match': tag })).status).toBe(412)
    }
    expect((await get('/ticket/digest', { 'if-match': '"x"' })).status).toBe(400)
  })

  it('gets its query with defaults, and rejects invalid values', async () => {
    const { get, send } = await openTickets()
    const { status, body } = await get('/ticket/digest?since=2026-01-02')
    expect([status, body]).toEqual([200, { text: '{"since":"2026-01-02","size":3,"about":null}', cost: '0.00' }])
    const all = await get('/ticket/digest?since=2026-01-02&size=7&about=a+b')
    expect(JSON.parse(all.body.text)).toEqual({ since: '2026-01-02', size: 7, about: 'a b' })
    expect((await get('/ticket/digest')).body).toMatchObject({
      code: 'invalid-parameter',
      errors: [{ parameter: 'since', detail: 'is missing' }],
    })
    expect((await get('/ticket/digest?since=x&size=0&size=1')).body.errors).toEqual([
      { parameter: 'since', detail: expect.stringContaining('not "x"') },
      { parameter: 'size', detail: expect.stringContaining('once') },
    ])
    expect((await get('/ticket/digest?since=2026-01-02&sise=1')).body.hint).toBe('Did you mean "size"?')
    const head = await send('HEAD', '/ticket/digest?since=2026-01-02')
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await send('PATCH', '/ticket/digest', {})).status).toBe(405)
    expect((await get('/ticket/1')).status).toBe(200)
  })

  it('responds with a declared list, each item with its defaults', async () => {
    const { get, send } = await openTickets()
    const { status, body, headers } = await get('/ticket/tally')
    expect([status, headers['content-type'], body]).toEqual([
      200,
      'application/json; charset=utf-8',
      [
        { status: 'OPEN', count: 1, note: 'none' },
        { status: 'CLOSED', count: 2, note: 'none' },
      ],
    ])
    expect((await get('/ticket/tally?least=9')).text).toBe('[]')
    const head = await send('HEAD', '/ticket/tally')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  it('is below existing parents', async () => {
    const { send, get } = await openTickets({ visibility: [visible(ticket, () => ({ owner: 1 }))] })
    await send('POST', '/ticket/1/step', { title: 'a' })
    expect((await get('/ticket/1/step/step-digest')).body).toEqual({ text: 'a' })
    expect((await get('/ticket/9/step/step-digest')).body.detail).toBe('There is no ticket 9.')
    expect((await get('/ticket/3/step/step-digest')).status).toBe(404)
    expect(done).toEqual(['digest of 1'])
  })

  it('works on records at any depth, of their own parent only', async () => {
    const { send } = await openTickets()
    const { body: created } = await send('POST', '/ticket/1/step', { title: 'a' })
    const copied = await send('POST', `/ticket/1/step/${created.id}/copy`)
    expect([copied.status, copied.body]).toEqual([
      200,
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), ticket: 1, title: 'a again' },
    ])
    expect((await send('POST', `/ticket/2/step/${created.id}/copy`)).body.detail).toBe(
      `There is no step ${created.id} of ticket 2.`,
    )
  })
})
