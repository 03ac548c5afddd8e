// Webhooks send changes to URLs: signed, at least once, and in order for each record.

import { describe, expect, it } from 'vitest'
import { isSigned, startReceiver } from './receiver.ts'
import { openService } from './test-service.ts'
import { newNote, notes, settings, subscribe, typesIn } from './webhook-service.ts'

describe('a webhook', () => {
  it('gets changes as signed CloudEvents', async () => {
    const [app, receiver] = [await openService(notes, settings), await startReceiver()]
    await newNote(app, 'before')
    const { id, secret } = await subscribe(app, receiver)
    const note = await newNote(app, 'a')
    await app.send('PATCH', `/note/${note}`, { line: 'b' })
    await app.send('DELETE', `/note/${note}`)
    await expect.poll(() => typesIn(receiver)).toEqual(['note.created', 'note.changed', 'note.deleted'])
    const [, changed] = receiver.received
    const { body } = await app.get(`/change?record=note/${note}&kind=CHANGED`)
    expect(changed?.event).toEqual({
      specversion: '1.0',
      id: `${body.results[0].id}`,
      source: '/notes',
      type: 'note.changed',
      subject: `note/${note}`,
      time: body.results[0].time,
      datacontenttype: 'application/json',
      data: body.results[0],
    })
    expect(changed?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': `${id}-${body.results[0].id}`,
    })
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true)
    expect(isSigned({ ...receiver.received[0], text: '{}' } as never, secret)).toBe(false)
    const log = async () => (await app.get(`/webhook/${id}/delivery`)).body.results
    await expect.poll(log).toHaveLength(3)
    expect((await log())[0]).toMatchObject({ outcome: 'DELIVERED', httpStatus: 204, attempt: 1, event: 'note.deleted' })
  })

  it('shows its secret once', async () => {
    const [app, receiver] = [await openService(notes, settings), await startReceiver()]
    const { id, secret } = await subscribe(app, receiver)
    expect(secret).toMatch(/^whsec_[\w+/=]{40,}$/)
    expect((await app.get(`/webhook/${id}`)).body.secret).toBeNull()
    expect((await app.send('PATCH', `/webhook/${id}`, { description: 'x' })).text).not.toContain('whsec')
    expect((await app.get('/webhook')).text).not.toContain('whsec')
  })

  it('selects changes by noun, kind and field', async () => {
    const [app, receiver] = [await openService(notes, settings), await startReceiver()]
    await subscribe(app, receiver, { nouns: 'tag,note-tag' })
    const other = await startReceiver()
    await subscribe(app, other, { kinds: 'DELETED, CREATED', nouns: 'note' })
    const field = await startReceiver()
    await subscribe(app, field, { fields: 'owner' })
    const id = await newNote(app, 'a')
    const { body } = await app.send('POST', '/tag', { name: 't' })
    await app.send('PUT', `/note/${id}/tag/${body.id}`)
    await app.send('PATCH', `/note/${id}`, { line: 'b' })
    await app.send('PATCH', `/note/${id}`, { owner: 'ada' })
    await app.send('DELETE', `/note/${id}`)
    // The order counts only for changes of the same record.
    const kinds = ['note-tag.linked', 'note-tag.unlinked', 'tag.created']
    await expect.poll(() => typesIn(receiver).toSorted()).toEqual(kinds)
    await expect.poll(() => typesIn(other)).toEqual(['note.created', 'note.deleted'])
    await expect.poll(() => typesIn(field)).toEqual(['note.changed'])
  })

  it('is rejected beyond the limit, until another one is deleted', async () => {
    const app = await openService(notes, { ...settings, webhookLimit: 2 })
    const create = () => app.send('POST', '/webhook', { url: 'https://example.com' })
    const responses = await Promise.all([create(), create(), create()])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 422])
    expect((await create()).body).toMatchObject({
      code: 'rule-broken',
      detail: 'There are already 2 webhooks, and the limit is 2.',
      hint: 'Delete a webhook first, or change an existing one.',
    })
    const [id] = await app.column('id', '/webhook')
    expect((await app.send('PATCH', `/webhook/${id}`, { url: 'https://example.org' })).status).toBe(200)
    await app.send('DELETE', `/webhook/${id}`)
    expect((await create()).status).toBe(201)
  })

  it.each([
    ['nouns', 'note,nothing', 'nothing'],
    ['kinds', 'CREATED,ENTERED', 'ENTERED'],
    ['fields', 'secretNote', 'secretNote'],
    ['status', 'GONE', 'GONE'],
    ['url', 'https://ada:pw@example.com', 'password'],
  ])('is refused with %s %s', async (field, value, detail) => {
    const app = await openService(notes)
    const { status, body } = await app.send('POST', '/webhook', { url: 'https://example.com', [field]: value })
    expect([status, body.code]).toEqual([422, 'rule-broken'])
    expect(JSON.stringify(body)).toContain(detail)
  })
})
