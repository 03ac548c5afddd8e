// A service in process: fetch, callers without a token, and the handler for other servers.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { api, boolean, createdBy, identity, noun, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { callerNoun, open, type Settings, service, visible } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { fetchHandler } from '@nomen/server/fetch'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'

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
  visibility: [visible(note, ({ user, record }) => user === undefined || (record !== null && { createdBy: record }))],
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

async function openDesk(settings = {}) {
  const app = await open(desks, { database: 'sqlite::memory:', ...settings })
  onTestFinished(() => app.close())
  return app
}

interface Listed {
  readonly pageInfo: { readonly numberOfRecords: number }
}

/** The body of a response, as the test expects it. */
async function bodyOf<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body
}

const json = { 'content-type': 'application/json' }

describe('fetch', () => {
  it('handles requests by URL, with options, and as a Request', async () => {
    const { fetch } = await openDesk()
    expect((await fetch('http://desk/note/1')).status).toBe(200)
    const body = JSON.stringify({ title: 'new' })
    const created = await fetch(new URL('http://desk/note'), {
      method: 'POST',
      headers: { ...json, 'content-length': '15' },
      body,
    })
    expect([created.status, created.headers.get('location')]).toEqual([201, '/note/3'])
    const read = await fetch(new Request('http://desk/note/3', { method: 'HEAD' }))
    expect([read.status, await read.text()]).toEqual([200, ''])
  })

  it('reads a body without a length, and rejects one that is too large', async () => {
    const { fetch } = await openDesk({ bodyLimit: 100 })
    const send = (size: number) =>
      fetch('http://desk/note', { method: 'POST', headers: json, body: JSON.stringify({ title: 'x'.repeat(size) }) })
    expect((await send(20)).status).toBe(201)
    expect((await send(200)).status).toBe(413)
  })

  it('accepts a Request, and ignores further arguments of a server', async () => {
    const { fetch } = await openDesk()
    // As Bun, Deno and Next.js call a handler.
    for (const own of [{ url: new URL('http://other/') }, { remoteAddr: {} }, { params: Promise.resolve({}) }]) {
      const response = await fetch(new Request('http://desk/note/1'), own as RequestInit)
      expect([response.status, (await bodyOf<{ id: number }>(response)).id]).toEqual([200, 1])
    }
    const changed = await fetch(new Request('http://desk/note/1'), { method: 'DELETE' })
    expect(changed.status).toBe(200)
  })

  it('rejects with the reason of a signal, also if it is already aborted', async () => {
    const { fetch } = await openDesk()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(fetch('http://desk/note/1', { method: 'DELETE', signal })).rejects.toThrow('too late')
    expect((await fetch('http://desk/note/1')).status).toBe(200)
  })

  it('rejects if the body fails, and serves the next request', async () => {
    const { fetch } = await openDesk()
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('torn')) })
    const sent = fetch('http://desk/note', { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit)
    await expect(sent).rejects.toThrow('torn')
    expect((await fetch('http://desk/note/1')).status).toBe(200)
  })

  it('trusts as many proxies as the settings say', async () => {
    const accessLog = `${temporaryPath()}.log`
    const app = await openDesk({ accessLog, trustProxy: 1 })
    await app.fetch('http://desk/note/1', { headers: { 'x-forwarded-for': '192.0.2.7' } })
    await app.close()
    expect(readFileSync(accessLog, 'utf8')).toMatch(/^192\.0\.2\.7 - - /)
  })

  it('completes before the service closes', async () => {
    const app = await openDesk()
    const parts = ['{"title":', '"late"}'].map((part) => new TextEncoder().encode(part))
    const body = new ReadableStream({
      pull: async (controller) => {
        await pause(20)
        const part = parts.shift()
        if (part) controller.enqueue(part)
        else controller.close()
      },
    })
    const sent = app.fetch('http://desk/note', { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit)
    await app.close()
    expect((await sent).status).toBe(201)
  })

  it('works with the typed client', async () => {
    const { fetch } = await openDesk()
    const notes = client<typeof desk>({ baseUrl: 'http://desk', fetch })
    expect((await notes.note.create({ title: 'typed' })).title).toBe('typed')
    await expect(notes.note.read(99)).rejects.toMatchObject({ status: 404 })
  })
})

describe('as', () => {
  it('acts as a user: with its own record and its own view', async () => {
    const { as, fetch } = await openDesk()
    const ada = as({ user: 'ada' })
    const count = async (send: typeof fetch) =>
      (await bodyOf<{ pageInfo: { numberOfRecords: number } }>(await send('http://desk/note'))).pageInfo.numberOfRecords
    expect([await count(fetch), await count(ada.fetch)]).toEqual([2, 1])
    const created = await ada.fetch('http://desk/note', { method: 'POST', headers: json, body: '{"title":"mine"}' })
    expect((await bodyOf<{ createdBy: number }>(created)).createdBy).toBe(1)
  })

  it('allows what the scopes allow, with and without a token issuer', async () => {
    const auth = { issuer: 'http://127.0.0.1:9/issuer', audience: 'desk' }
    for (const settings of [{}, { auth }]) {
      const { as } = await openDesk(settings)
      const { fetch } = as({ user: 'ada', scopes: ['note:read'] })
      expect((await fetch('http://desk/note')).status).toBe(200)
      const rejected = await fetch('http://desk/person')
      expect([rejected.status, (await bodyOf<{ code: string }>(rejected)).code]).toEqual([403, 'insufficient-scope'])
    }
  })

  /** Everything that a client can put into a request, to be taken for ada. */
  const attempts: [path: string, options: RequestInit][] = [
    ['/note', {}],
    ...['user', 'x-user', 'x-forwarded-user', 'remote-user', 'caller', 'from', 'cookie', 'x-nomen-caller'].map(
      (name): [string, RequestInit] => ['/note', { headers: { [name]: name === 'cookie' ? 'user=ada' : 'ada' } }],
    ),
    ...['Basic YWRhOg==', 'Bearer ada', 'ada'].map((authorization): [string, RequestInit] => [
      '/note',
      { headers: { authorization } },
    ]),
    ...['?user=ada', '?caller=ada', '?as=ada', '#ada'].map((more): [string, RequestInit] => [`/note${more}`, {}]),
    ...['{"title":"x","createdBy":1}', '{"title":"x","caller":{"user":"ada"}}', '{"title":"x","user":"ada"}'].map(
      (body): [string, RequestInit] => ['/note', { method: 'POST', headers: json, body }],
    ),
    // Members that a request in process could have.
    ['/note', { caller: { user: 'ada', record: 1, scopes: ['*:read'], claims: {} }, user: 'ada' } as RequestInit],
  ]

  /** The service over `node:http`, Fastify and the public fetch, while requests in process run as ada. */
  async function doors(settings: Partial<Settings>) {
    const own = { database: 'sqlite::memory:', ...settings }
    const openedService = await openDesk(own)
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(plugin(desks, own))
    const [node, other] = [await openedService.listen({ port: 0 }), await app.listen({ port: 0, host: '127.0.0.1' })]
    const all: [string, (path: string, options: RequestInit) => Promise<Response>][] = [
      ['node', (path, options) => fetch(`${node}${path}`, options)],
      ['Fastify', (path, options) => fetch(`${other}${path}`, options)],
      ['fetch', (path, options) => openedService.fetch(`http://127.0.0.1${path}`, options)],
    ]
    const { fetch: asAda } = openedService.as({ user: 'ada' })
    return { all, asAda }
  }

  it('has a user whose name fits into the history', async () => {
    const openedService = await openDesk({ database: 'sqlite::memory:' })
    expect(() => openedService.as({ user: 'a'.repeat(255) })).not.toThrow()
    expect(() => openedService.as({ user: 'a'.repeat(256) })).toThrow(
      new RangeError('The user has 256 characters; the limit is 255.'),
    )
  })

  it('cannot be reached over HTTP: with a token issuer, every request there needs a token', async () => {
    const { all, asAda } = await doors({ auth: { issuer: 'http://127.0.0.1:9/issuer', audience: 'desk' } })
    for (const [name, send] of all) {
      for (const [path, options] of attempts) {
        const [response, own] = await Promise.all([send(path, options), asAda('http://desk/note')])
        expect([response.status, own.status], `${name} ${path} ${JSON.stringify(options)}`).toEqual([401, 200])
      }
    }
  })

  it('cannot be reached over HTTP: without an issuer, no request has a user', async () => {
    const { all, asAda } = await doors({})
    for (const [name, send] of all) {
      for (const [path, options] of attempts) {
        const what = `${name} ${path} ${JSON.stringify(options)}`
        const [response, own] = await Promise.all([send(path, options), asAda('http://desk/note')])
        const { pageInfo, createdBy } = await bodyOf<Listed & { createdBy: unknown }>(response)
        // Someone unknown sees the notes of all, ada only her own.
        if (response.status === 200) expect(pageInfo.numberOfRecords, what).toBeGreaterThan(1)
        else if (response.status === 201) expect(createdBy, what).toBe(null)
        else expect(response.status, what).toBe(400)
        expect((await bodyOf<Listed>(own)).pageInfo.numberOfRecords).toBe(1)
      }
    }
  })
})

it('fetchHandler opens the service with the first request, and closes it', async () => {
  const handle = fetchHandler(desks, { database: 'sqlite::memory:' })
  const all = await Promise.all([1, 2, 9].map((id) => handle(new Request(`http://desk/note/${id}`))))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 404])
  await handle.close()
})
