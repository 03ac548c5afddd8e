// The files of docs/recipes.md form a service that does what the page says.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { type OpenService, open, type Service } from '@nomen/server'
import { devIssuerSettings, devToken } from '@nomen/server/internal'
import { type FollowedPage, follow } from '@nomen/testing/markdown/follow'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

let page: FollowedPage
let office: OpenService
beforeAll(async () => {
  page = await follow('docs/recipes.md', {
    installed: ['@nomen/core', '@nomen/server', '@nomen/cli', '@types/node'],
    files: { 'package.json': '{ "type": "module" }' },
  })
  const { default: service } = await imported<{ default: Service }>('service.ts')
  office = await open(service, { database: 'sqlite::memory:', auth: devIssuerSettings(keyFile()) })
})
afterAll(async () => {
  await office?.close()
  await page?.[Symbol.asyncDispose]()
})

const keyFile = () => join(page.folder, 'dev-issuer.json')

async function imported<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(join(page.folder, name)).href)) as Module
}

/** Sends JSON as a user of a tenant, and returns the status and the body. */
async function send(tenant: string | undefined, method: string, path: string, body?: object) {
  const token = await devToken(keyFile(), {
    subject: 'ada',
    scope: '*:read *:write',
    claims: tenant === undefined ? {} : { tenant },
    lifetimeSeconds: 60,
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await office.fetch(`http://office${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, never> & { results: { id: string }[] },
  }
}

const titles = async (path: string) =>
  (await send('north', 'GET', path)).body.results.map((item) => Reflect.get(item, 'title'))

/** The calls of the client that the jobs need, with a token. */
async function api() {
  const { client } = await import('@nomen/core/client')
  const token = await devToken(keyFile(), {
    subject: 'job',
    scope: '*:read *:write',
    claims: { tenant: 'north' },
    lifetimeSeconds: 60,
  })
  return client({
    baseUrl: 'http://office',
    versions: {},
    fetch: office.fetch,
    headers: { authorization: `Bearer ${token}` },
  })
}

it('separates tenants, and requires one', async () => {
  const created = await send('north', 'POST', '/document', { title: 'Plan' })
  expect(created.status).toBe(201)
  expect((await send('south', 'GET', `/document/${created.body.id}`)).status).toBe(404)
  expect(await send(undefined, 'GET', '/document')).toMatchObject({ status: 403, body: { code: 'tenant-required' } })
})

it('hides archived documents by default, and never deletes them', async () => {
  const { body } = await send('north', 'POST', '/document', { title: 'Old' })
  await send('north', 'PATCH', `/document/${body.id}`, { archived: true })
  expect(await titles('/document')).toEqual(['Plan'])
  expect(await titles('/document?archived=true')).toEqual(['Old'])
  expect((await titles('/document?archived=true&archived=false')).sort()).toEqual(['Old', 'Plan'])
  expect((await send('north', 'DELETE', `/document/${body.id}`)).status).toBe(405)
})

it('keeps the key of a file, and accepts it once', async () => {
  const attachment = { fileKey: 'north/1.pdf', mediaType: 'application/pdf', size: 10 }
  const { body } = await send('north', 'POST', '/attachment', attachment)
  expect((await send('north', 'POST', '/attachment', attachment)).body.code).toBe('value-taken')
  const changed = await send('north', 'PATCH', `/attachment/${body.id}`, { fileKey: 'other', size: 11 })
  expect(changed.body).toMatchObject({ fileKey: 'north/1.pdf', size: 11 })
})

it('sends mail after a create, and pending mail from the outbox', async () => {
  const received: unknown[] = []
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(await text(request)))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.stubEnv('MAIL_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  const mail = { recipient: 'ada@example.com', subject: 'Welcome' }
  const { body } = await send('north', 'POST', '/mail', mail)
  await expect.poll(() => received).toEqual([{ to: 'ada@example.com', subject: 'Welcome' }])
  const { sendPending } = await imported<{
    sendPending(api: unknown, send: (mail: object) => Promise<void>): Promise<number>
  }>('outbox.ts')
  const sent: object[] = []
  const deliver = async (item: object) => void sent.push(item)
  expect(await sendPending(await api(), deliver)).toBe(1)
  expect(sent).toMatchObject([{ id: body.id, recipient: 'ada@example.com' }])
  expect((await send('north', 'GET', `/mail/${body.id}`)).body).toMatchObject({
    status: 'SENT',
    sentAt: expect.any(String),
  })
  expect(await sendPending(await api(), deliver)).toBe(0)
})

it('archives documents that are older than a year', async () => {
  const { archiveOld } = await imported<{ archiveOld(api: unknown, now?: Date): Promise<number> }>('archive.ts')
  expect(await archiveOld(await api())).toBe(0)
  const nextYear = new Date(Date.now() + 366 * 86_400_000)
  expect(await archiveOld(await api(), nextYear)).toBe(1)
  expect(await titles('/document')).toEqual([])
})
