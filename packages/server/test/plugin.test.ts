// The Fastify plugin: it handles its own paths, and the application handles all others.
import { existsSync, readFileSync } from 'node:fs'
import { change, identity, noun, resource, text } from '@nomen/core'
import type { Settings } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text(), code: text().unique().nullable() })
const notes = serviceOf([plainApi(resource(note, { by: ['code'] }))])

interface Hosted {
  readonly prefix?: string
  readonly settings?: Partial<Settings>
  readonly host?: FastifyServerOptions
}

/** An application with routes, a parser and handlers of its own, and the notes beside them. */
async function application({ prefix, settings, host }: Hosted = {}): Promise<FastifyInstance> {
  const app = fastify(host)
  onTestFinished(() => app.close())
  app.get('/own', () => ({ isOwn: true }))
  app.post('/own', (request) => ({ got: request.body }))
  app.get('/own/failure', () => {
    throw new Error('The host failed.')
  })
  app.addContentTypeParser('application/x-host', { parseAs: 'string' }, (_, body, done) => done(null, `host ${body}`))
  app.setErrorHandler((error: Error & { statusCode?: number }, _, reply) =>
    reply.code(error.statusCode ?? 500).send({ host: error.message }),
  )
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ host: `nothing at ${request.url}` }))
  await app.register(
    plugin(notes, { database: 'sqlite::memory:', onFault: () => undefined, ...settings }),
    prefix === undefined ? {} : { prefix },
  )
  await app.ready()
  return app
}

const json = { 'content-type': 'application/json' }

describe.each([
  ['with a prefix', '/desk/notes'],
  ['without one', ''],
])('mounted %s', (_, prefix) => {
  const mounted = () => application(prefix === '' ? {} : { prefix })

  it('serves its operations there, with Location', async () => {
    const app = await mounted()
    const created = await app.inject({ method: 'POST', url: `${prefix}/note`, payload: { title: 'a', code: 'x y' } })
    expect([created.statusCode, created.headers.location]).toEqual([201, `${prefix}/note/1`])
    const read = await app.inject({ url: `${created.headers.location}` })
    expect(read.json()).toEqual({ id: 1, title: 'a', code: 'x y' })
    expect((await app.inject({ url: `${prefix}/note/by-code/x%20y` })).json()).toEqual(read.json())
    expect((await app.inject({ url: `${prefix}/note` })).json().pageInfo.numberOfRecords).toBe(1)
    const changed = await app.inject({ method: 'PATCH', url: `${prefix}/note/1`, payload: { title: 'b' } })
    expect(changed.json().title).toBe('b')
    expect((await app.inject({ method: 'DELETE', url: `${prefix}/note/1` })).statusCode).toBe(200)
    if (prefix !== '') expect((await app.inject({ url: '/note' })).json()).toEqual({ host: 'nothing at /note' })
  })

  it('responds with problems on its own paths, whatever is wrong', async () => {
    const app = await mounted()
    const requests = [
      [{ url: `${prefix}/note?nothing=1` }, 400, 'unknown-parameter'],
      [{ method: 'POST', url: `${prefix}/note`, headers: json, payload: '{' }, 400, 'malformed-json'],
      [{ method: 'POST', url: `${prefix}/note`, headers: { 'content-type': 'application/x-host' }, payload: 'x' }, 415],
      [{ method: 'POST', url: `${prefix}/note`, headers: json, payload: `"${'x'.repeat(2 ** 20)}"` }, 413],
      [{ method: 'DELETE', url: `${prefix}/note` }, 405, 'method-not-allowed'],
      [{ url: `${prefix}/note/9` }, 404, 'record-not-found'],
    ] as const
    for (const [request, status, code] of requests) {
      const response = await app.inject(request)
      expect([response.statusCode, response.headers['content-type']]).toEqual([
        status,
        'application/problem+json; charset=utf-8',
      ])
      if (code) expect(response.json().code).toBe(code)
      expect(response.headers['x-request-id']).toMatch(/./)
    }
    expect((await app.inject({ method: 'OPTIONS', url: `${prefix}/note` })).headers.allow).toBe(
      'GET, HEAD, OPTIONS, POST',
    )
  })

  it('does not change routes, parsers and handlers of the application', async () => {
    const app = await mounted()
    const own = await app.inject({ url: '/own' })
    expect([own.statusCode, own.json()]).toEqual([200, { isOwn: true }])
    for (const header of ['x-request-id', 'vary', 'etag']) expect(own.headers[header]).toBeUndefined()
    const posted = await app.inject({ method: 'POST', url: '/own', payload: { a: [1] } })
    expect(posted.json()).toEqual({ got: { a: [1] } })
    const parsed = await app.inject({
      method: 'POST',
      url: '/own',
      headers: { 'content-type': 'application/x-host' },
      payload: 'x',
    })
    expect(parsed.json()).toEqual({ got: 'host x' })
    const malformed = await app.inject({ method: 'POST', url: '/own', headers: json, payload: '{' })
    expect([malformed.statusCode, Object.keys(malformed.json())]).toEqual([400, ['host']])
    const unknown = await app.inject({ method: 'POST', url: '/own', headers: { 'content-type': 'a/b' }, payload: 'x' })
    expect([unknown.statusCode, Object.keys(unknown.json())]).toEqual([415, ['host']])
    const failed = await app.inject({ url: '/own/failure' })
    expect([failed.statusCode, failed.json()]).toEqual([500, { host: 'The host failed.' }])
    const nothing = await app.inject({ url: '/nothing' })
    expect([nothing.statusCode, nothing.json()]).toEqual([404, { host: 'nothing at /nothing' }])
    expect((await app.inject({ method: 'DELETE', url: '/own' })).json()).toEqual({ host: 'nothing at /own' })
  })
})

describe('mounted with a prefix', () => {
  it('responds to unknown paths below it with a problem', async () => {
    const app = await application({ prefix: '/desk' })
    for (const url of ['/desk/nothing', '/desk/note/', '/desk/note/1/more']) {
      const response = await app.inject({ url })
      expect([response.statusCode, response.json().code], url).toEqual([404, 'path-not-found'])
    }
    expect((await app.inject({ url: '/desk/nite' })).json().hint).toBe('Did you mean /desk/note?')
  })

  it('works next to another service with another database', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix: '/one' })
    await app.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix: '/two' })
    await app.inject({ method: 'POST', url: '/one/note', payload: { title: 'a' } })
    expect((await app.inject({ url: '/one/note' })).json().pageInfo.numberOfRecords).toBe(1)
    expect((await app.inject({ url: '/two/note' })).json().pageInfo.numberOfRecords).toBe(0)
  })
})

describe('the settings of a plugin', () => {
  it('bodyLimit applies to its own paths', async () => {
    const app = await application({ prefix: '/desk', settings: { bodyLimit: 100 } })
    const payload = { title: 'x'.repeat(100) }
    const rejected = await app.inject({ method: 'POST', url: '/desk/note', payload })
    expect([rejected.statusCode, rejected.json().code]).toEqual([413, 'body-too-large'])
    expect((await app.inject({ method: 'POST', url: '/own', payload })).statusCode).toBe(200)
  })

  it('isLocalOnly rejects other hosts on its own paths', async () => {
    const app = await application({ prefix: '/desk', settings: { isLocalOnly: true } })
    const foreign = await app.inject({ url: '/desk/note', headers: { host: 'example.com' } })
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, 'foreign-host'])
    expect((await app.inject({ url: '/own', headers: { host: 'example.com' } })).statusCode).toBe(200)
    expect((await app.inject({ url: '/desk/note' })).statusCode).toBe(200)
  })

  it('accessLog has lines for its own requests only', async () => {
    const accessLog = `${temporaryPath()}.log`
    const app = await application({ prefix: '/desk', settings: { accessLog } })
    for (const url of ['/desk/note', '/own', '/desk/nothing', '/nothing', '/desk/note/1']) await app.inject({ url })
    await app.close()
    const lines = readFileSync(accessLog, 'utf8').split('\n').slice(0, -1)
    expect(lines.map((line) => /"GET (\S+) HTTP\/1\.1" (\d+) /.exec(line)?.slice(1))).toEqual([
      ['/desk/note', '200'],
      ['/desk/nothing', '404'],
      ['/desk/note/1', '404'],
    ])
  })
})

describe('in an application with hooks', () => {
  /** An application whose hooks record each call and append a line break to every response. */
  async function hooked(accessLog?: string) {
    const app = fastify()
    onTestFinished(() => app.close())
    const calls: unknown[] = []
    app.addHook('onRequest', async (request, reply) => {
      calls.push(request.method)
      reply.header('vary', 'origin')
    })
    app.addHook('preHandler', async (request, reply) => {
      if (request.headers.authorization === 'none') return reply.code(401).send('')
    })
    app.addHook('onSend', async (_, __, payload) => (typeof payload === 'string' ? `${payload}\n` : payload))
    app.addHook('onResponse', async (_, reply) => {
      calls.push(reply.statusCode)
    })
    await app.register(plugin(notes, { database: 'sqlite::memory:', ...(accessLog && { accessLog }) }), {
      prefix: '/desk',
    })
    return { app, calls }
  }

  it('every hook runs before and after, for reads, writes and problems', async () => {
    const { app, calls } = await hooked()
    const created = await app.inject({ method: 'POST', url: '/desk/note', payload: { title: 'ä' } })
    const read = await app.inject({ url: '/desk/note/1' })
    const missing = await app.inject({ url: '/desk/note/2' })
    for (const response of [created, read, missing]) {
      expect(response.body.endsWith('}\n')).toBe(true)
      expect(response.headers.vary).toBe('origin, accept-encoding')
    }
    expect(read.json().title).toBe('ä')
    expect(calls).toEqual(['POST', 201, 'GET', 200, 'GET', 404])
  })

  it('a response of a hook also has a request ID', async () => {
    const { app } = await hooked()
    const response = await app.inject({ url: '/desk/note', headers: { authorization: 'none', 'x-request-id': 'mine' } })
    expect([response.statusCode, response.headers['x-request-id']]).toEqual([401, 'mine'])
  })

  it('the access log has the size of the sent response', async () => {
    const accessLog = `${temporaryPath()}.log`
    const { app } = await hooked(accessLog)
    const { rawPayload } = await app.inject({ url: '/desk/note' })
    await app.close()
    expect(readFileSync(accessLog, 'utf8')).toContain(`" 200 ${rawPayload.length} "`)
  })
})

describe('in an application with settings', () => {
  it('HEAD works as GET, also if the application exposes no HEAD', async () => {
    const app = await application({ prefix: '/desk', host: { exposeHeadRoutes: false } })
    const bare = await app.inject({ method: 'HEAD', url: '/desk/note' })
    const whole = await app.inject({ url: '/desk/note' })
    expect([bare.statusCode, bare.body]).toEqual([200, ''])
    expect(bare.headers['content-length']).toBe(whole.headers['content-length'])
    expect((await app.inject({ method: 'HEAD', url: '/own' })).statusCode).toBe(404)
  })

  it('a lookup value may be as long as the application allows', async () => {
    const app = await application({ prefix: '/desk', host: { routerOptions: { maxParamLength: 1000 } } })
    const code = 'x'.repeat(1000)
    await app.inject({ method: 'POST', url: '/desk/note', payload: { title: '', code } })
    expect((await app.inject({ url: `/desk/note/by-code/${code}` })).statusCode).toBe(200)
  })

  it('Location has one slash before the identity, also if the application ignores trailing slashes', async () => {
    const app = await application({ prefix: '/desk', host: { routerOptions: { ignoreTrailingSlash: true } } })
    for (const url of ['/desk/note', '/desk/note/']) {
      const created = await app.inject({ method: 'POST', url, payload: { title: '' } })
      if (created.statusCode === 201) expect(created.headers.location).toBe(`/desk/note/${created.json().id}`)
    }
  })
})

describe('closing the application', () => {
  it('closes the store, so that the file is complete and released', async () => {
    const path = temporaryPath()
    const app = await application({ prefix: '/desk', settings: { database: `sqlite:${path}` } })
    await app.inject({ method: 'POST', url: '/desk/note', payload: { title: 'a' } })
    // The log of writes goes when the last connection does.
    expect(existsSync(`${path}-wal`)).toBe(true)
    await app.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const again = await application({ prefix: '/desk', settings: { database: `sqlite:${path}` } })
    expect((await again.inject({ url: '/desk/note/1' })).json().title).toBe('a')
  })

  it('is possible after a service that did not start', async () => {
    const app = fastify()
    const mounted = async () => app.register(plugin(notes, { database: 'nothing:at-all' }))
    await expect(mounted()).rejects.toThrow('The database')
    await app.close()
  })
})

it('streams changes, until the application closes', async () => {
  const line = noun('line', { id: identity(), title: text() }, { history: true })
  const lines = serviceOf([plainApi(resource(line), resource(change))])
  const accessLog = `${temporaryPath()}.log`
  const app = fastify()
  onTestFinished(() => app.close())
  await app.register(plugin(lines, { database: 'sqlite::memory:', accessLog }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { body } = await fetch(`${url}/change?afterId=0`, { headers: { accept: 'text/event-stream' } })
  await fetch(`${url}/line`, { method: 'POST', headers: json, body: '{"title":"a"}' })
  let received = ''
  let closing: Promise<unknown> | undefined
  for await (const bytes of body ?? []) {
    received += Buffer.from(bytes).toString()
    if (received.includes('"record":"line/1"')) closing ??= app.close()
  }
  await closing
  expect(received).toMatch(/^retry: 1000\nid: 0\n\n.*\n\nid: 2\n\n$/s)
  const size = Buffer.byteLength(received)
  expect(readFileSync(accessLog, 'utf8')).toMatch(new RegExp(`GET /change\\?afterId=0 HTTP/1.1" 200 ${size} `))
})
