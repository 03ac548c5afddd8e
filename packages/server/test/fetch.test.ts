// A service in process: fetch, callers without a token, and the handler for other servers.
import { api, boolean, createdBy, identity, noun, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { callerNoun, open, service, visible } from '@nomen/server'
import { fetchHandler } from '@nomen/server/fetch'
import { describe, expect, it, onTestFinished } from 'vitest'

const person = noun('person', { id: identity(), name: text().unique() })
const note = noun('note', {
  id: identity(),
  title: text(),
  isDone: boolean().default(false),
  createdBy: createdBy(() => person),
})
const desk = api('desk', { versioning: 'per-noun', writes: 'nested', resources: [resource(person), resource(note)] })
const desks = service({
  name: 'desk',
  apis: [desk],
  callers: callerNoun(person, 'name'),
  visibility: [visible(note, ({ user, record }) => user === undefined || { createdBy: record as number })],
  sample: () => [
    { noun: 'person', rows: [{ id: 1, name: 'ada' }] },
    {
      noun: 'note',
      rows: [
        { id: 1, title: 'of ada', createdBy: 1 },
        { id: 2, title: 'of nobody', createdBy: null },
      ],
    },
  ],
})

async function opened(settings = {}) {
  const opening = await open(desks, { database: 'sqlite::memory:', ...settings })
  onTestFinished(() => opening.close())
  return opening
}

/** The body of a response, as the test expects it. */
async function bodyOf<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body
}

const json = { 'content-type': 'application/json' }

describe('fetch', () => {
  it('handles requests by URL, with options, and as a Request', async () => {
    const { fetch } = await opened()
    expect((await fetch('http://desk/note/1')).status).toBe(200)
    const body = JSON.stringify({ title: 'new' })
    const made = await fetch(new URL('http://desk/note'), {
      method: 'POST',
      headers: { ...json, 'content-length': '15' },
      body,
    })
    expect([made.status, made.headers.get('location')]).toEqual([201, '/note/3'])
    const read = await fetch(new Request('http://desk/note/3', { method: 'HEAD' }))
    expect([read.status, await read.text()]).toEqual([200, ''])
  })

  it('reads a body without a length, and refuses one that is too large', async () => {
    const { fetch } = await opened({ bodyLimit: 100 })
    const send = (size: number) =>
      fetch('http://desk/note', { method: 'POST', headers: json, body: JSON.stringify({ title: 'x'.repeat(size) }) })
    expect((await send(20)).status).toBe(201)
    expect((await send(200)).status).toBe(413)
  })

  it('carries the typed client', async () => {
    const { fetch } = await opened()
    const notes = client<typeof desk>({ baseUrl: 'http://desk', fetch })
    expect((await notes.note.create({ title: 'typed' })).title).toBe('typed')
    await expect(notes.note.read(99)).rejects.toMatchObject({ status: 404 })
  })
})

describe('as', () => {
  it('acts as a user: with its own record and its own view', async () => {
    const { as, fetch } = await opened()
    const ada = as({ user: 'ada' })
    const count = async (send: typeof fetch) =>
      (await bodyOf<{ pageInfo: { numberOfRecords: number } }>(await send('http://desk/note'))).pageInfo.numberOfRecords
    expect([await count(fetch), await count(ada.fetch)]).toEqual([2, 1])
    const made = await ada.fetch('http://desk/note', { method: 'POST', headers: json, body: '{"title":"mine"}' })
    expect((await bodyOf<{ createdBy: number }>(made)).createdBy).toBe(1)
  })

  it('allows what the scopes allow, with and without a token issuer', async () => {
    const auth = { issuer: 'http://127.0.0.1:9/issuer', audience: 'desk' }
    for (const settings of [{}, { auth }]) {
      const { as } = await opened(settings)
      const { fetch } = as({ user: 'ada', scopes: ['note:read'] })
      expect((await fetch('http://desk/note')).status).toBe(200)
      const refused = await fetch('http://desk/person')
      expect([refused.status, (await bodyOf<{ code: string }>(refused)).code]).toEqual([403, 'insufficient-scope'])
    }
  })

  it('cannot be reached over HTTP: with a token issuer, every request there needs a token', async () => {
    const desk = await opened({ auth: { issuer: 'http://127.0.0.1:9/issuer', audience: 'desk' } })
    desk.as({ user: 'ada' })
    const base = await desk.listen({ port: 0 })
    for (const headers of [{}, { user: 'ada' }, { 'x-user': 'ada' }, { caller: 'ada' }] as Record<string, string>[])
      expect((await fetch(`${base}/note`, { headers })).status).toBe(401)
    expect((await desk.fetch('http://desk/note')).status).toBe(401)
  })
})

it('fetchHandler opens the service with the first request, and closes it', async () => {
  const handle = fetchHandler(desks, { database: 'sqlite::memory:' })
  const all = await Promise.all([1, 2, 9].map((id) => handle(new Request(`http://desk/note/${id}`))))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 404])
  await handle.close()
})
