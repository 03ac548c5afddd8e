// The typed client on a network that cuts connections: a retried request is done once.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { client, etagOf } from '@nomen/core/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { access, directory } from '../src/index.ts'
import { newUser } from './record.ts'
import { type App, openDirectory } from './service.ts'

let app: App
let service = ''
beforeAll(async () => {
  app = await openDirectory(20)
  service = await app.listen({ port: 0 })
})
afterAll(() => app?.close())

/** When the connection is cut: before the service receives the request, after the request, or during the response. */
type Cut = 'before' | 'after' | 'within'
const cuts: Cut[] = ['before', 'after', 'within']

/** A proxy that cuts the connections of the first requests at these times, and forwards later requests. */
async function openProxy(...cuts: Cut[]) {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const cut = cuts[requests.length]
    requests.push(`${request.method} ${request.url}`)
    if (cut !== 'before') await forward(request, response, cut)
    if (cut) request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    requests,
    people: client<typeof directory>({ baseUrl }),
    rights: client<typeof access>({ baseUrl, version: 1 }),
    once: client<typeof directory>({ baseUrl, retries: 0 }),
  }
}

/** Forwards the request, and sends the part of the response before the cut. */
async function forward(request: IncomingMessage, response: ServerResponse, cut?: Cut): Promise<void> {
  const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>
  const body = await buffer(request)
  const serviceResponse = await fetch(`${service}${request.url}`, {
    method: request.method as string,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body.length > 0 && { body }),
  })
  const text = Buffer.from(await serviceResponse.arrayBuffer())
  if (cut === 'after') return
  response.writeHead(serviceResponse.status, Object.fromEntries(serviceResponse.headers))
  if (cut) await new Promise((resolve) => response.write(text.subarray(0, text.length / 2), resolve))
  else response.end(text)
}

const directClient = () => client<typeof directory>({ baseUrl: service })
let userCount = 0
/** A new user for one test. */
const createUser = () => directClient().user.create(newUser(`cut-${++userCount}`))

describe.each(cuts)('a connection that is cut %s the response', (cut) => {
  it('does not affect a read', async () => {
    const { people, requests } = await openProxy(cut, cut)
    expect(await people.user.read(1)).toEqual(await directClient().user.read(1))
    expect(requests).toEqual(['GET /user/1', 'GET /user/1', 'GET /user/1'])
  })

  it('does not create a second record with the same key', async () => {
    const { people, requests } = await openProxy(cut, cut)
    const user = newUser(`cut-${++userCount}`)
    const { pageInfo: before } = await directClient().user.list()
    const created = await people.user.create(user, { idempotencyKey: user.email })
    expect(created).toMatchObject({ email: user.email })
    expect(requests).toHaveLength(3)
    const { pageInfo: after } = await directClient().user.list()
    expect(after.numberOfRecords - before.numberOfRecords).toBe(1)
    expect(await directClient().user.read(created.id)).toEqual(created)
  })

  it('does not prevent a replace or a link', async () => {
    const { id, created: _created, lastUpdated: _lastUpdated, ...user } = await createUser()
    const replaceProxy = await openProxy(cut)
    expect(await replaceProxy.people.user.replace(id, { ...user, phone: '555' })).toMatchObject({ id, phone: '555' })
    const linkProxy = await openProxy(cut)
    expect(await linkProxy.rights.user.of(id).role.link(1)).toMatchObject({ roleRef: 1 })
    expect([replaceProxy.requests, linkProxy.requests].map(({ length }) => length)).toEqual([2, 2])
  })

  it('does not retry a create without a key', async () => {
    const { people, requests } = await openProxy(cut)
    await expect(people.user.create(newUser(`cut-${++userCount}`))).rejects.toThrow(/(got no response|was cut off): /)
    expect(requests).toEqual(['POST /user'])
  })

  it('does not retry an update without an ETag', async () => {
    const { people, requests } = await openProxy(cut)
    await expect(people.user.update(1, { phone: '1' })).rejects.toThrow(/(got no response|was cut off): /)
    expect(requests).toEqual(['PATCH /user/1'])
  })

  it('is reported at once if retries are disabled', async () => {
    const proxy = await openProxy(cut)
    await expect(proxy.once.user.read(1)).rejects.toThrow(TypeError)
    expect(proxy.requests).toHaveLength(1)
  })

  it('is reported after the last retry', async () => {
    const { people, requests } = await openProxy(cut, cut, cut, cut)
    await expect(people.user.read(1)).rejects.toThrow(/GET http:.*\/user\/1 (got no response|was cut off): /)
    expect(requests).toHaveLength(3)
  })
})

describe('a change that the service did not receive', () => {
  it('is applied by the retry', async () => {
    const { people } = await openProxy('before')
    const user = await createUser()
    const etag = etagOf(user)
    expect(await people.user.update(user.id, { phone: '555' }, { etag })).toMatchObject({ phone: '555' })
    const deleteProxy = await openProxy('before')
    expect(await deleteProxy.people.user.delete(user.id)).toMatchObject({ phone: '555' })
  })
})

describe.each(['after', 'within'] as const)(
  'a change that was applied before the connection was cut %s the response',
  (cut) => {
    const hint = expect.stringContaining('the service may have run it')

    it('is rejected by the retry, because the ETag no longer matches', async () => {
      const { people, requests } = await openProxy(cut)
      const user = await createUser()
      const updateProxy = people.user.update(user.id, { phone: '555' }, { etag: etagOf(user) })
      await expect(updateProxy).rejects.toMatchObject({ status: 412, code: 'precondition-failed', hint })
      expect(requests).toHaveLength(2)
      expect(await directClient().user.read(user.id)).toMatchObject({ phone: '555' })
    })

    it('is rejected by the retry of a delete, because the record no longer exists', async () => {
      const { people } = await openProxy(cut)
      const { id } = await createUser()
      await expect(people.user.delete(id)).rejects.toMatchObject({ status: 404, code: 'record-not-found', hint })
    })
  },
)
