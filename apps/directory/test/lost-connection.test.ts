// The typed client behind a network that cuts connections: what it sends again is done once.
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

/** Where a connection is cut: before the service knows of the request, before its answer, or in the middle of that. */
type Cut = 'before' | 'after' | 'within'
const cuts: Cut[] = ['before', 'after', 'within']

/** A way to the service on which each request in turn is cut so; further ones are let through. */
async function wayWith(...cuts: Cut[]) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const cut = cuts[asked.length]
    asked.push(`${request.method} ${request.url}`)
    if (cut !== 'before') await pass(request, response, cut)
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
    asked,
    people: client<typeof directory>({ baseUrl }),
    rights: client<typeof access>({ baseUrl, version: 1 }),
    once: client<typeof directory>({ baseUrl, retries: 0 }),
  }
}

/** Asks the service, and says as much of the answer as gets through. */
async function pass(request: IncomingMessage, response: ServerResponse, cut?: Cut): Promise<void> {
  const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>
  const body = await buffer(request)
  const answer = await fetch(`${service}${request.url}`, {
    method: request.method as string,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body.length > 0 && { body }),
  })
  const text = Buffer.from(await answer.arrayBuffer())
  if (cut === 'after') return
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (cut) await new Promise((said) => response.write(text.subarray(0, text.length / 2), said))
  else response.end(text)
}

const straight = () => client<typeof directory>({ baseUrl: service })
let made = 0
/** A user of the test's own. */
const someone = () => straight().user.create(newUser(`cut-${++made}`))

describe.each(cuts)('a connection that is cut %s the answer', (cut) => {
  it('costs a reader nothing', async () => {
    const { people, asked } = await wayWith(cut, cut)
    expect(await people.user.read(1)).toEqual(await straight().user.read(1))
    expect(asked).toEqual(['GET /user/1', 'GET /user/1', 'GET /user/1'])
  })

  it('makes no second record of a create with a key', async () => {
    const { people, asked } = await wayWith(cut, cut)
    const user = newUser(`cut-${++made}`)
    const { pageInfo: before } = await straight().user.list()
    const created = await people.user.create(user, { idempotencyKey: user.email })
    expect(created).toMatchObject({ email: user.email })
    expect(asked).toHaveLength(3)
    const { pageInfo: after } = await straight().user.list()
    expect(after.numberOfRecords - before.numberOfRecords).toBe(1)
    expect(await straight().user.read(created.id)).toEqual(created)
  })

  it('leaves a record as a replacement has it, and a link there', async () => {
    const { id, created: _created, lastUpdated: _lastUpdated, ...user } = await someone()
    const replacing = await wayWith(cut)
    expect(await replacing.people.user.replace(id, { ...user, phone: '555' })).toMatchObject({ id, phone: '555' })
    const linking = await wayWith(cut)
    expect(await linking.rights.user.of(id).role.link(1)).toMatchObject({ roleRef: 1 })
    expect([replacing.asked, linking.asked].map(({ length }) => length)).toEqual([2, 2])
  })

  it('does not send a create without a key again', async () => {
    const { people, asked } = await wayWith(cut)
    await expect(people.user.create(newUser(`cut-${++made}`))).rejects.toThrow(/(got no answer|broke off): /)
    expect(asked).toEqual(['POST /user'])
  })

  it('does not send an update without a tag again', async () => {
    const { people, asked } = await wayWith(cut)
    await expect(people.user.update(1, { phone: '1' })).rejects.toThrow(/(got no answer|broke off): /)
    expect(asked).toEqual(['PATCH /user/1'])
  })

  it('is told at once where the client is not to repeat', async () => {
    const way = await wayWith(cut)
    await expect(way.once.user.read(1)).rejects.toThrow(TypeError)
    expect(way.asked).toHaveLength(1)
  })

  it('is told when it does not get better', async () => {
    const { people, asked } = await wayWith(cut, cut, cut, cut)
    await expect(people.user.read(1)).rejects.toThrow(/GET http:.*\/user\/1 (got no answer|broke off): /)
    expect(asked).toHaveLength(3)
  })
})

describe('a change that was not done before its connection was cut', () => {
  it('is done by the repetition', async () => {
    const { people } = await wayWith('before')
    const user = await someone()
    const etag = etagOf(user)
    expect(await people.user.update(user.id, { phone: '555' }, { etag })).toMatchObject({ phone: '555' })
    const removing = await wayWith('before')
    expect(await removing.people.user.delete(user.id)).toMatchObject({ phone: '555' })
  })
})

describe.each(['after', 'within'] as const)('a change that was done, and then cut %s the answer', (cut) => {
  const hint = expect.stringContaining('may have been done')

  it('is not done over what its tag does not name any more', async () => {
    const { people, asked } = await wayWith(cut)
    const user = await someone()
    const updating = people.user.update(user.id, { phone: '555' }, { etag: etagOf(user) })
    await expect(updating).rejects.toMatchObject({ status: 412, code: 'precondition-failed', hint })
    expect(asked).toHaveLength(2)
    expect(await straight().user.read(user.id)).toMatchObject({ phone: '555' })
  })

  it('finds the record gone that it has deleted', async () => {
    const { people } = await wayWith(cut)
    const { id } = await someone()
    await expect(people.user.delete(id)).rejects.toMatchObject({ status: 404, code: 'record-not-found', hint })
  })
})
