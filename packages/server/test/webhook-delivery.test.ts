// Webhooks whose receiver fails: retries, pauses, redelivery, and rotation of the secret.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isSigned, startReceiver } from './receiver.ts'
import { openService } from './test-service.ts'
import { linesIn, newNote, notes, settings, subscribe, typesIn } from './webhook-service.ts'

/** A service with a webhook to a receiver. */
async function subscribed(other: object = {}, pause: { webhookStopDays?: number } = {}) {
  const [app, receiver] = [await openService(notes, { ...settings, ...pause }), await startReceiver()]
  const webhook = await subscribe(app, receiver, other)
  const path = `/webhook/${webhook.id}`
  return {
    app,
    receiver,
    ...webhook,
    path,
    state: async () => (await app.get(path)).body,
    log: async (query = '') => (await app.get(`${path}/delivery${query}`)).body.results,
  }
}

describe('failed deliveries', () => {
  it('are repeated, and later changes of the same record wait for them', async () => {
    const { app, receiver, log } = await subscribed()
    let failures = 1
    receiver.respond = ({ event }) => (event.type === 'note.created' && failures-- > 0 ? 500 : 200)
    const note = await newNote(app, 'a')
    await app.send('PATCH', `/note/${note}`, { line: 'b' })
    await expect.poll(() => typesIn(receiver)).toEqual(['note.created', 'note.created', 'note.changed'])
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.text).toBe(first?.text)
    await expect
      .poll(() => log())
      .toMatchObject([
        { event: 'note.changed', outcome: 'DELIVERED' },
        { event: 'note.created', outcome: 'DELIVERED', attempt: 2 },
        { event: 'note.created', outcome: 'FAILED', attempt: 1, httpStatus: 500, response: 'Status 500' },
      ])
  })

  it('are repeated at once after the webhook was changed', async () => {
    const { app, receiver, path, log } = await subscribed()
    receiver.respond = () => 503
    await newNote(app, 'a')
    await expect.poll(() => log()).toHaveLength(1)
    const other = await startReceiver()
    expect((await app.send('PATCH', path, { url: other.url })).status).toBe(200)
    await expect.poll(() => linesIn(other)).toEqual(['a'])
  })

  it('stop the webhook after a time, and a test that is delivered resumes it', async () => {
    const { app, receiver, path, state, log } = await subscribed({}, { webhookStopDays: 0 })
    receiver.respond = () => 500
    await newNote(app, 'a')
    await expect.poll(async () => (await state()).status).toBe('FAILED')
    expect((await state()).reason).toMatch(/^Deliveries have failed since 20/)
    const failed = await app.send('POST', `${path}/test`)
    expect(failed.body).toMatchObject({
      outcome: 'FAILED',
      httpStatus: 500,
      error: 'The URL responded with status 500.',
    })
    expect((await state()).status).toBe('FAILED')
    receiver.respond = () => 200
    expect((await app.send('POST', `${path}/test`)).body).toMatchObject({ outcome: 'DELIVERED', httpStatus: 200 })
    expect(await state()).toMatchObject({ status: 'ACTIVE', reason: null })
    await expect.poll(() => typesIn(receiver).at(-1)).toBe('note.created')
    expect(typesIn(receiver)).toContain('webhook.test')
    await expect.poll(async () => (await log('?outcome=DELIVERED')).length).toBe(2)
  })

  it('with the status 410 end the webhook', async () => {
    const { app, receiver, path, state } = await subscribed()
    receiver.respond = () => 410
    await newNote(app, 'a')
    await expect.poll(async () => (await state()).status).toBe('GONE')
    await newNote(app, 'b')
    receiver.respond = () => 204
    expect((await app.send('PATCH', path, { status: 'ACTIVE' })).body.reason).toBeNull()
    // The order counts only for changes of the same record.
    await expect.poll(() => linesIn(receiver).toSorted()).toEqual(['a', 'a', 'b'])
  })

  it('with the status 410 do not end a webhook whose URL was changed meanwhile', async () => {
    const { app, receiver, path, state, log } = await subscribed()
    const response = Promise.withResolvers<number>()
    receiver.respond = () => response.promise
    await newNote(app, 'a')
    await expect.poll(() => linesIn(receiver)).toEqual(['a'])
    const other = await startReceiver()
    await app.send('PATCH', path, { url: other.url })
    response.resolve(410)
    await expect.poll(() => log()).toMatchObject([{ outcome: 'DELIVERED' }, { httpStatus: 410 }])
    expect(await state()).toMatchObject({ status: 'ACTIVE', url: other.url })
    expect(linesIn(other)).toEqual(['a'])
  })

  it('include redirects, which are not followed', async () => {
    const { app, receiver, path } = await subscribed()
    receiver.respond = () => 307
    expect((await app.send('POST', `${path}/test`)).body).toMatchObject({
      outcome: 'FAILED',
      httpStatus: 307,
      error: 'The URL responded with a redirect (307), which is not followed.',
    })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a paused webhook', () => {
  it('gets the changes in between when it is resumed', async () => {
    const { app, receiver, path } = await subscribed()
    await newNote(app, 'a')
    await expect.poll(() => linesIn(receiver)).toEqual(['a'])
    await app.send('PATCH', path, { status: 'PAUSED' })
    await newNote(app, 'b')
    await newNote(app, 'c')
    expect((await app.send('POST', `${path}/test`)).body.outcome).toBe('DELIVERED')
    expect(typesIn(receiver)).toEqual(['note.created', 'webhook.test'])
    await app.send('PATCH', path, { status: 'ACTIVE' })
    await expect.poll(() => typesIn(receiver).length).toBe(4)
  })

  it('sends nothing more if it is deleted', async () => {
    const { app, receiver, path } = await subscribed()
    const other = await startReceiver()
    await subscribe(app, other)
    expect((await app.send('DELETE', path)).status).toBe(200)
    await newNote(app, 'a')
    await expect.poll(() => linesIn(other)).toEqual(['a'])
    expect(receiver.received).toEqual([])
    expect((await app.get(path)).status).toBe(404)
  })
})

describe('a change', () => {
  it('is sent again on request', async () => {
    const { app, receiver, path } = await subscribed({ kinds: 'CREATED' })
    const note = await newNote(app, 'a')
    await app.send('DELETE', `/note/${note}`)
    const { body } = await app.get('/change?sort=id')
    const [created, deleted] = body.results.filter((entry: { record: string }) => entry.record === `note/${note}`)
    await expect.poll(() => receiver.received.length).toBe(1)
    const again = await app.send('POST', `${path}/redelivery`, { change: created.id })
    expect(again.body).toMatchObject({ outcome: 'DELIVERED', httpStatus: 204, error: null })
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text)
    const refused = await app.send('POST', `${path}/redelivery`, { change: deleted.id })
    expect([refused.status, refused.body.code]).toEqual([422, 'rule-broken'])
  })

  it('is sent again with all others since a time', async () => {
    const { app, receiver, path } = await subscribed()
    for (const line of ['a', 'b', 'c']) await newNote(app, line)
    await expect.poll(() => receiver.received.length).toBe(3)
    const { body } = await app.get('/change?sort=-id&pageSize=2')
    // Changes of one millisecond have the same time.
    const since = body.results[1].time
    expect((await app.send('POST', `${path}/replay`, { since })).status).toBe(204)
    await expect.poll(() => linesIn(receiver).slice(3)).toEqual(expect.arrayContaining(['b', 'c']))
  })
})

describe('a new secret', () => {
  it('signs deliveries together with the old one for a day', async () => {
    const { app, receiver, path, secret } = await subscribed()
    const { body } = await app.send('POST', `${path}/rotation`)
    expect(body.secret).not.toBe(secret)
    await app.send('POST', `${path}/test`)
    const [rotated] = receiver.received
    expect([secret, body.secret].map((each) => rotated && isSigned(rotated, each))).toEqual([true, true])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 })
    onTestFinished(() => void vi.useRealTimers())
    await app.send('POST', `${path}/test`)
    const later = receiver.received[1]
    expect([secret, body.secret].map((each) => later && isSigned(later, each))).toEqual([false, true])
  })
})
