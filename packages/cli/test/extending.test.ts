// What docs/extending.md shows is so: its files are a service, and an application with that service beside its own routes.

import { readFileSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { type OpenService, open, type Service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { blocksOf, fileOf } from '@nomen/testing/markdown/block'
import { follow } from '@nomen/testing/markdown/follow'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serviceFolder } from './folder.ts'
import { root } from './nomen.ts'

const installed = ['@nomen/core', '@nomen/server', 'fastify', 'msw']
const page = readFileSync(join(root, 'docs/extending.md'), 'utf8')

/** The files that the page shows. */
const files = Object.fromEntries(
  blocksOf(page).flatMap((block) => {
    const file = fileOf(block)
    return file ? [[file.name, file.text]] : []
  }),
)

async function imported<Module>(name: string, given = files): Promise<Module> {
  const folder = serviceFolder(given)
  for (const module of ['fastify', 'msw'])
    symlinkSync(join(root, 'node_modules', module), join(folder, 'node_modules', module), 'dir')
  return (await import(pathToFileURL(join(folder, name)).href)) as Module
}

async function opened(): Promise<OpenService> {
  const { default: service } = await imported<{ default: Service }>('service.ts')
  const app = await open(service, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  return app
}

/** Something that is told over HTTP, at the address that the page's hook calls. */
async function webhook() {
  const told: { body: unknown; id: unknown }[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    told.push({ body: JSON.parse(await text(request)), id: request.headers['x-request-id'] })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('DESK_WEBHOOK', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  return told
}

const closing = { method: 'PATCH', url: '/ticket/1', payload: { status: 'CLOSED', solution: 'Paper' } } as const

describe('docs/extending.md', () => {
  it('compiles as it stands', async () => {
    await using _ = await follow('docs/extending.md', { installed, files: { 'package.json': '{ "type": "module" }' } })
    expect(Object.keys(files)).toEqual(['declaration.ts', 'service.ts', 'client.ts', 'mock.ts', 'server.ts'])
  }, 60_000)

  it('has a rule that keeps tickets without a solution open', async () => {
    const app = await opened()
    await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer' } })
    const refused = await inject(app, { ...closing, payload: { status: 'CLOSED' } })
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'rule-broken'])
    expect(refused.json().errors).toEqual([{ pointer: '/solution', detail: 'A closed ticket has a solution.' }])
  })

  it('has a heading, computed of what is stored, that nobody writes', async () => {
    const app = await opened()
    const payload = { title: 'Printer', heading: 'mine' }
    const made = await inject(app, { method: 'POST', url: '/ticket', payload })
    expect([made.statusCode, made.json().heading]).toEqual([201, '#1 Printer'])
    const { results } = (await inject(app, '/ticket')).json()
    expect(results).toMatchObject([{ id: 1, heading: '#1 Printer' }])
    const sorted = await inject(app, '/ticket?sort=heading')
    expect([sorted.statusCode, sorted.json().code]).toEqual([400, 'invalid-parameter'])
  })

  it('has a filter for what is overdue, and for what is not', async () => {
    await webhook()
    const app = await opened()
    for (const due of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', null])
      await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer', due } })
    const ids = async (query: string) =>
      (await inject(app, `/ticket?${query}`)).json().results.map(({ id }: { id: number }) => id)
    expect([await ids('overdue=true'), await ids('overdue=false')]).toEqual([[1], [2, 3]])
    await inject(app, closing)
    expect([await ids('overdue=true'), await ids('overdue=false')]).toEqual([[], [1, 2, 3]])
  })

  it('has operations that reopen a ticket, and tell how many there are', async () => {
    await webhook()
    const app = await opened()
    for (const due of ['2020-01-01T00:00:00Z', null])
      await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer', due } })
    const reopen = { method: 'POST', url: '/ticket/1/reopening', payload: { reason: 'Smoke' } } as const
    const early = await inject(app, reopen)
    expect([early.statusCode, early.json().detail]).toEqual([422, 'Ticket 1 is open.'])
    await inject(app, closing)
    expect((await inject(app, '/ticket/workload')).json()).toEqual({ open: 1, overdue: 0 })
    const done = await inject(app, reopen)
    expect([done.statusCode, done.json()]).toEqual([200, { title: 'Printer', status: 'OPEN' }])
    expect((await inject(app, '/ticket/1')).json()).toMatchObject({ status: 'OPEN', solution: 'Reopened: Smoke' })
    expect((await inject(app, '/ticket/workload')).json()).toEqual({ open: 2, overdue: 1 })
    expect((await inject(app, '/ticket/backlog')).json()).toEqual([
      { status: 'OPEN', count: 2, latest: 'Printer' },
      { status: 'CLOSED', count: 0, latest: null },
    ])
  })

  it('has an operation that merges two tickets, or does nothing', async () => {
    await webhook()
    const app = await opened()
    for (const title of ['Printer', 'Paper']) await inject(app, { method: 'POST', url: '/ticket', payload: { title } })
    const merge = (id: number, into: number) =>
      inject(app, { method: 'POST', url: `/ticket/${id}/merging`, payload: { into } })
    const itself = await merge(1, 1)
    expect([itself.statusCode, itself.json().detail]).toEqual([422, 'Ticket 1 is closed.'])
    expect((await inject(app, '/ticket/1')).json()).toMatchObject({ status: 'OPEN', solution: '' })
    const merged = await merge(2, 1)
    expect([merged.statusCode, merged.json()]).toEqual([200, { title: 'Printer, Paper' }])
    expect((await inject(app, '/ticket/2')).json()).toMatchObject({ status: 'CLOSED', solution: 'See #1' })
  })

  it('has a client of an operation, and a mock of it before the others', async () => {
    const start = `import { setupServer } from 'msw/node'\nimport { handlers } from './mock.ts'\n`
    const end = `export const server = setupServer(...handlers)\nexport { reopen } from './client.ts'\n`
    const { server, reopen } = await imported<{
      server: { listen(): void; close(): void }
      reopen(id: number, reason: string): Promise<unknown>
    }>('mocked.ts', { ...files, 'mocked.ts': `${start}${end}` })
    server.listen()
    onTestFinished(() => server.close())
    expect(await reopen(1, 'Smoke')).toEqual({ title: 'Printer', status: 'OPEN' })
    await expect(reopen(2, 'Smoke')).rejects.toMatchObject({ status: 404 })
    const read = await fetch('http://localhost:3000/ticket/1')
    expect(await read.json()).toMatchObject({ title: 'Printer' })
  })

  it('has a hook that tells of every change of the status, and of nothing else', async () => {
    const told = await webhook()
    const app = await opened()
    await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer' } })
    await inject(app, { method: 'PATCH', url: '/ticket/1', payload: { title: 'Screen' } })
    const closed = await inject(app, closing)
    await expect.poll(() => told.length > 0).toBe(true)
    await app.close()
    expect(closed.statusCode).toBe(200)
    expect(told).toEqual([{ body: { ticket: 1, status: 'CLOSED' }, id: closed.headers['x-request-id'] }])
  })

  it('has an application with routes of its own, and the service below a prefix', async () => {
    const given = { ...files, 'server.ts': `${files['server.ts']}`.replace('sqlite:data/desk.db', 'sqlite::memory:') }
    const { app } = await imported<{ app: FastifyInstance }>('server.ts', given)
    onTestFinished(() => app.close())
    expect((await app.inject('/greeting')).json()).toEqual({ text: 'Welcome' })
    const made = await app.inject({ method: 'POST', url: '/desk/ticket', payload: { title: 'Printer' } })
    expect([made.statusCode, made.headers.location]).toEqual([201, '/desk/ticket/1'])
    expect((await app.inject('/desk/ticket?titel=a')).json().hint).toBe('Did you mean "title"?')
    expect(Object.keys((await app.inject('/desk/openapi.json')).json().paths)).toContain('/ticket')
    expect((await app.inject('/desk/docs/')).statusCode).toBe(200)
    expect((await app.inject('/ticket')).json()).toMatchObject({ statusCode: 404, error: 'Not Found' })
  })
})
