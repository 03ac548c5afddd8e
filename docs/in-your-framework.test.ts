// The files of docs/in-your-framework.md do what the page says: in Hono, in a Next.js route, in Express, and behind MSW.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OpenService } from '@nomen/server'
import type { FetchHandler } from '@nomen/server/fetch'
import { type FollowedPage, follow } from '@nomen/testing/markdown/follow'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

let page: FollowedPage
beforeAll(async () => {
  page = await follow('docs/in-your-framework.md', {
    installed: ['@nomen/core', '@nomen/server', 'hono', '@hono/node-server', 'express', '@types/express', 'msw'],
    files: { 'package.json': '{ "type": "module" }' },
    replace: { 'sqlite:data/desk.db': 'sqlite::memory:', 'port: 3000': 'port: 0' },
  })
})
/** The adapter of Hono for Node replaces these, and other test files run in this process, too. */
const { Request, Response } = globalThis
afterAll(async () => {
  Object.assign(globalThis, { Request, Response })
  await page?.[Symbol.asyncDispose]()
})

/** A file of the page. */
async function imported<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(join(page.folder, name)).href)) as Module
}

type Send = (path: string, options?: RequestInit) => Promise<Response>

const json = { 'content-type': 'application/json' }

/** The service answers below /api, with that path in its responses, and leaves other paths alone. */
async function expectMounted(send: Send): Promise<void> {
  const created = await send('/api/ticket', { method: 'POST', headers: json, body: '{"title":"Printer"}' })
  expect([created.status, created.headers.get('location')]).toEqual([201, '/api/ticket/1'])
  const changed = await send('/api/ticket/1', { method: 'PATCH', headers: json, body: '{"status":"CLOSED"}' })
  expect(await changed.json()).toEqual({ id: 1, title: 'Printer', status: 'CLOSED' })
  const tag = `${changed.headers.get('etag')}`
  expect((await send('/api/ticket/1', { headers: { 'if-none-match': tag } })).status).toBe(304)
  expect((await send('/api/ticket', { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST')
  const head = await send('/api/ticket/1', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const missing = await send('/api/tickets')
  expect([missing.status, await missing.json()]).toMatchObject([404, { hint: 'Did you mean /api/ticket?' }])
  expect((await send('/api/ticket/1', { method: 'DELETE' })).status).toBe(200)
}

it('Hono serves the service beside its own routes, on Node', async () => {
  const { handler } = await imported<{ handler: FetchHandler }>('hono.ts')
  onTestFinished(() => handler.close())
  const { server } = await imported<{ server: Server }>('server.ts')
  onTestFinished(() => void server.close())
  if (!server.listening) await once(server, 'listening')
  const send: Send = (path, options) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, options)
  await expectMounted(send)
  expect(await (await send('/greeting')).json()).toEqual({ text: 'Welcome' })
  expect((await send('/ticket')).headers.get('content-type')).not.toContain('problem')
})

it('a Next.js route exports a handler for every method', async () => {
  const route =
    await imported<Record<string, (request: Request, context: object) => Promise<Response>>>(
      'app/api/[...path]/route.ts',
    )
  expect(Object.keys(route).sort()).toEqual(
    ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'dynamic', 'runtime'].sort(),
  )
  const { default: config } = await imported<{ default: unknown }>('next.config.ts')
  expect(config).toEqual({ serverExternalPackages: ['@nomen/server'] })
  await expectMounted(async (path, options) => {
    const request = new Request(`http://localhost:3000${path}`, options)
    const context = { params: Promise.resolve({ path: path.split('/').slice(2) }) }
    return (await route[request.method]?.(request, context)) as Response
  })
})

it('Express serves the service beside its own routes and parsers', async () => {
  const { app, service } = await imported<{ app: Parameters<typeof createServer>[0]; service: OpenService }>(
    'express.ts',
  )
  const server = createServer(app as never).listen(0, '127.0.0.1')
  onTestFinished(async () => {
    server.close()
    await service.close()
  })
  await once(server, 'listening')
  const send: Send = (path, options) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, options)
  await expectMounted(send)
  const greeting = await send('/greeting', { method: 'POST', headers: json, body: '{"name":"Ada"}' })
  expect(await greeting.json()).toEqual({ text: 'Welcome, Ada' })
})

it('MSW gives the requests of a user interface to the service', async () => {
  interface DeskServer {
    readonly desk: OpenService
    close(): Promise<void>
  }
  const { deskServer } = await imported<{ deskServer(origin: string): Promise<DeskServer> }>('desk-server.ts')
  const { close } = await deskServer('http://desk.example')
  onTestFinished(close)
  const created = await fetch('http://desk.example/ticket', {
    method: 'POST',
    headers: json,
    body: '{"title":"Printer"}',
  })
  expect([created.status, created.headers.get('location')]).toEqual([201, '/ticket/1'])
  const list = await fetch('http://desk.example/ticket?status=OPEN')
  expect(await list.json()).toMatchObject({ pageInfo: { numberOfRecords: 1 }, results: [{ id: 1, title: 'Printer' }] })
  const refused = await fetch('http://desk.example/ticket/1', {
    method: 'PATCH',
    headers: json,
    body: '{"status":"LOST"}',
  })
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'invalid-body' }])
  expect((await fetch('http://desk.example/ticket/1', { method: 'DELETE' })).status).toBe(200)
  await expect(fetch('http://other.example/')).rejects.toThrow()
})
