// A webhook sends the changes that its user may see.

import { api, change, identity, noun, resource, tenant, text, webhooks } from '@nomen/core'
import { callerNoun, service, visible } from '@nomen/server'
import { audience } from '@nomen/testing/openid-provider'
import { describe, expect, it } from 'vitest'
import { bearer, claims, providedOnce, signed } from './issued.ts'
import { startReceiver } from './receiver.ts'
import { openService } from './test-service.ts'
import { linesIn, newNote, settings, subscribe } from './webhook-service.ts'

const user = noun('user', { id: identity(), username: text().unique() })
const note = noun(
  'note',
  { id: identity(), line: text(), owner: text().nullable(), salary: text().nullable().visibleTo('note:salary') },
  { history: true },
)
const guarded = service({
  name: 'notes',
  apis: [
    api('notes', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(user), resource(note), resource(change), webhooks],
    }),
  ],
  callers: callerNoun(user, 'username'),
  visibility: [visible(note, (caller) => (caller.user === 'boss' ? true : { owner: `${caller.user}` }))],
})

const provided = providedOnce()

async function openGuarded(definition = guarded, webhookLimit = 100) {
  const { issuer } = provided()
  const auth = { issuer, audience }
  const app = await openService(definition, { ...settings, auth, webhookLimit, onFault: () => undefined })
  const as = async (sub: string, other: object = {}) => bearer(await signed(claims(issuer, { sub, ...other })))
  return { app, as }
}

describe('a webhook', () => {
  it('sends the records and fields that its user may see', async () => {
    const { app, as } = await openGuarded()
    const [ada, boss] = [await as('ada'), await as('boss', { scope: '*:read *:write note:salary' })]
    const [toAda, toBoss] = [await startReceiver(), await startReceiver()]
    await subscribe(app, toAda, {}, ada)
    await subscribe(app, toBoss, {}, boss)
    await app.send('POST', '/note', { line: 'of boss', owner: null, salary: '1' }, boss)
    await app.send('POST', '/note', { line: 'of ada', owner: 'ada', salary: '2' }, boss)
    await expect.poll(() => linesIn(toBoss)).toEqual(expect.arrayContaining(['of boss', 'of ada']))
    await expect.poll(() => linesIn(toAda)).toEqual(['of ada'])
    expect(toAda.received[0]?.text).not.toContain('salary')
    expect(toBoss.received[0]?.text).toContain('salary')
  })

  it('has the rights of the user who changed it last', async () => {
    const { app, as } = await openGuarded()
    const [ada, boss] = [await as('ada'), await as('boss')]
    const receiver = await startReceiver()
    const { id } = await subscribe(app, receiver, {}, boss)
    const { body } = await app.send('PATCH', `/webhook/${id}`, { description: 'mine' }, ada)
    expect(body.user).toBe('ada')
    await app.send('POST', '/note', { line: 'of boss', owner: null }, boss)
    await app.send('POST', '/note', { line: 'of ada', owner: 'ada' }, boss)
    await expect.poll(() => linesIn(receiver)).toEqual(['of ada'])
    await app.send('POST', `/webhook/${id}/rotation`, undefined, boss)
    expect((await app.get(`/webhook/${id}`, ada)).body.user).toBe('boss')
  })

  it('needs the scope of changes', async () => {
    const { app, as } = await openGuarded()
    const few = await as('ada', { scope: 'webhook:read webhook:write' })
    const { status, body, headers } = await app.send('POST', '/webhook', { url: 'https://example.com' }, few)
    expect([status, body.code]).toEqual([403, 'insufficient-scope'])
    expect(body.detail).toContain('change:read')
    expect(headers['www-authenticate']).toContain('scope="webhook:write webhook:read change:read"')
  })

  it('is stopped when its user no longer exists', async () => {
    const { app, as } = await openGuarded()
    const boss = await as('boss')
    const { body } = await app.send('POST', '/user', { username: 'ada' }, boss)
    const receiver = await startReceiver()
    const { id } = await subscribe(app, receiver, {}, await as('ada'))
    await app.send('DELETE', `/user/${body.id}`, undefined, boss)
    await app.send('POST', '/note', { line: 'a', owner: 'ada' }, boss)
    const state = async () => (await app.get(`/webhook/${id}`, boss)).body
    await expect.poll(async () => (await state()).status).toBe('FAILED')
    expect((await state()).reason).toBe(
      'The user who last changed the webhook no longer exists. Save it as another user.',
    )
    const { headers } = await app.get(`/webhook/${id}`, boss)
    expect(headers.etag, 'it was paused once').toMatch(/^"1-2-/)
    expect(receiver.received).toEqual([])
  })

  it('belongs to a tenant', async () => {
    const shared = noun('note', { id: identity(), line: text(), tenant: tenant() }, { history: true })
    const divided = service({
      name: 'notes',
      apis: [
        api('notes', {
          versioning: 'per-noun',
          writes: 'nested',
          resources: [resource(shared, { complete: ['id', 'line'] }), resource(change), webhooks],
        }),
      ],
      tenant: { claim: 'tenant' },
    })
    const { app, as } = await openGuarded(divided, 1)
    const [red, blue] = [await as('ada', { tenant: 'red' }), await as('ben', { tenant: 'blue' })]
    const receiver = await startReceiver()
    const { id } = await subscribe(app, receiver, {}, red)
    await newNote(app, 'blue', blue)
    await newNote(app, 'red', red)
    await expect.poll(() => linesIn(receiver)).toEqual(['red'])
    expect((await app.get(`/webhook/${id}`, blue)).status).toBe(404)
    expect((await app.get(`/webhook/${id}/delivery`, blue)).status).toBe(404)
    expect((await app.send('POST', `/webhook/${id}/rotation`, undefined, blue)).status).toBe(404)
    expect((await app.get('/webhook', blue)).body.pageInfo.numberOfRecords).toBe(0)
    // The limit of one webhook is for each tenant.
    expect((await app.send('POST', '/webhook', { url: receiver.url }, red)).status).toBe(422)
    await subscribe(app, receiver, {}, blue)
  })
})
