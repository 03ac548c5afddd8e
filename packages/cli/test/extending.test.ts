// The files on docs/extending.md and the pages of its extension points form one service, and an application around it.

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
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
/** The pages of the example. Each adds files; all files together are the service. */
const pages = [
  'extending',
  'rules',
  'computed-fields',
  'custom-filters',
  'custom-operations',
  'transactions',
  'hooks',
  'history',
  'fastify-plugin',
]
const pageText = (name: string) => readFileSync(join(root, `docs/${name}.md`), 'utf8')
const page = pages.map(pageText).join('\n')

/** The files that a page shows. */
const filesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    blocksOf(text).flatMap((block) => {
      const file = fileOf(block)
      return file ? [[file.name, file.text]] : []
    }),
  )

const files = filesOf(page)

async function importFromFolder<Module>(name: string, folderFiles = files): Promise<Module> {
  const folder = serviceFolder(folderFiles)
  for (const module of ['fastify', 'msw'])
    symlinkSync(join(root, 'node_modules', module), join(folder, 'node_modules', module), 'dir')
  return (await import(pathToFileURL(join(folder, name)).href)) as Module
}

async function openApp(): Promise<OpenService> {
  const { default: service } = await importFromFolder<{ default: Service }>('service.ts')
  const app = await open(service, { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  return app
}

/** An HTTP server at the URL that the page's hook calls. */
async function webhook() {
  const calls: { body: unknown; id: unknown }[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    calls.push({ body: JSON.parse(await text(request)), id: request.headers['x-request-id'] })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('DESK_WEBHOOK', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
  return calls
}

const closing = { method: 'PATCH', url: '/ticket/1', payload: { status: 'CLOSED', solution: 'Paper' } } as const

describe('docs/extending.md and its pages', () => {
  it('compiles', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'page.md'), page)
    const start = { installed, files: { 'package.json': '{ "type": "module" }' } }
    await using _ = await follow(join(folder, 'page.md'), start)
    expect(Object.keys(files)).toEqual([
      'declaration.ts',
      'service.ts',
      'rule.ts',
      'open-limit.ts',
      'few-roles.ts',
      'loan.ts',
      'heading.ts',
      'late-loan.ts',
      'open-loan-count.ts',
      'open-loan.ts',
      'filter.ts',
      'operation.ts',
      'library.ts',
      'client.ts',
      'mock.ts',
      'merge.ts',
      'hook.ts',
      'welcome.ts',
      'history.ts',
      'server.ts',
    ])
  })

  it('has a rule that keeps tickets without a solution open', async () => {
    const app = await openApp()
    await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer' } })
    const rejected = await inject(app, { ...closing, payload: { status: 'CLOSED' } })
    expect([rejected.statusCode, rejected.json().code]).toEqual([422, 'rule-broken'])
    expect(rejected.json().errors).toEqual([{ pointer: '/solution', detail: 'A closed ticket must have a solution.' }])
  })

  it('has a computed heading that clients cannot write', async () => {
    const app = await openApp()
    const payload = { title: 'Printer', heading: 'mine' }
    const created = await inject(app, { method: 'POST', url: '/ticket', payload })
    expect([created.statusCode, created.json().heading]).toEqual([201, '#1 Printer'])
    const { results } = (await inject(app, '/ticket')).json()
    expect(results).toMatchObject([{ id: 1, heading: '#1 Printer' }])
    const sorted = await inject(app, '/ticket?sort=heading')
    expect([sorted.statusCode, sorted.json().code]).toEqual([400, 'invalid-parameter'])
  })

  it('has a filter for overdue tickets, and for the others', async () => {
    await webhook()
    const app = await openApp()
    for (const due of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', null])
      await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer', due } })
    const ids = async (query: string) =>
      (await inject(app, `/ticket?${query}`)).json().results.map(({ id }: { id: number }) => id)
    expect([await ids('overdue=true'), await ids('overdue=false')]).toEqual([[1], [2, 3]])
    await inject(app, closing)
    expect([await ids('overdue=true'), await ids('overdue=false')]).toEqual([[], [1, 2, 3]])
  })

  it('has operations that reopen a ticket, and count tickets', async () => {
    await webhook()
    const app = await openApp()
    for (const due of ['2020-01-01T00:00:00Z', null])
      await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer', due } })
    const reopen = { method: 'POST', url: '/ticket/1/reopening', payload: { reason: 'Smoke' } } as const
    const rejected = await inject(app, reopen)
    expect([rejected.statusCode, rejected.json().detail]).toEqual([422, 'Ticket 1 is open.'])
    await inject(app, closing)
    expect((await inject(app, '/ticket/workload')).json()).toEqual({ open: 1, overdue: 0 })
    const reopened = await inject(app, reopen)
    expect([reopened.statusCode, reopened.json()]).toEqual([200, { title: 'Printer', status: 'OPEN' }])
    expect((await inject(app, '/ticket/1')).json()).toMatchObject({ status: 'OPEN', solution: 'Reopened: Smoke' })
    expect((await inject(app, '/ticket/workload')).json()).toEqual({ open: 2, overdue: 1 })
    expect((await inject(app, '/ticket/backlog')).json()).toEqual([
      { status: 'OPEN', count: 2, latest: 'Printer' },
      { status: 'CLOSED', count: 0, latest: null },
    ])
  })

  it('has a library in which only a handler creates loans', async () => {
    const { default: service } = await importFromFolder<{ default: Service }>('library.ts')
    const app = await open(service, { database: 'sqlite::memory:' })
    onTestFinished(() => app.close())
    await inject(app, { method: 'POST', url: '/book', payload: { title: 'Emma' } })
    await inject(app, { method: 'POST', url: '/member', payload: { name: 'Ada' } })
    const borrow = () => inject(app, { method: 'POST', url: '/member/1/borrowing', payload: { book: 1 } })
    expect((await borrow()).json()).toMatchObject({ id: 1, book: 1, member: 1 })
    expect((await borrow()).json()).toMatchObject({ status: 422, detail: 'All copies of Emma are lent.' })
    expect((await inject(app, '/book/1')).json()).toMatchObject({ copies: 0 })
    const rejected = await inject(app, { method: 'POST', url: '/loan', payload: { book: 1, member: 1 } })
    expect([rejected.statusCode, rejected.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('has a count of other records, whose ETag changes with it', async () => {
    const { default: service } = await importFromFolder<{ default: Service }>('open-loan.ts')
    const app = await open(service, { database: 'sqlite::memory:' })
    onTestFinished(() => app.close())
    await inject(app, { method: 'POST', url: '/member', payload: { name: 'Ada' } })
    const borrow = () => inject(app, { method: 'POST', url: '/member/1/borrowing', payload: { title: 'Emma' } })
    await Promise.all([borrow(), borrow()])
    const before = await inject(app, '/member/1')
    expect(before.json().openLoans).toBe(2)
    const again = () =>
      inject(app, { method: 'GET', url: '/member/1', headers: { 'if-none-match': `${before.headers.etag}` } })
    expect((await again()).statusCode).toBe(304)
    for (const id of [1, 1]) await inject(app, { method: 'POST', url: `/loan/${id}/returning` })
    const after = await again()
    expect([after.statusCode, after.json().openLoans]).toEqual([200, 1])
    expect((await inject(app, '/member?openLoans=1')).json().pageInfo.numberOfRecords).toBe(1)
    expect((await inject(app, { method: 'POST', url: '/loan', payload: {} })).statusCode).toBe(405)
  })

  it('has an operation that merges two tickets, or does nothing', async () => {
    await webhook()
    const app = await openApp()
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

  it('has a client call of an operation, and a mock of it before the generated mocks', async () => {
    const start = `import { setupServer } from 'msw/node'\nimport { handlers } from './mock.ts'\n`
    const end = `export const server = setupServer(...handlers)\nexport { reopen } from './client.ts'\n`
    const { server, reopen } = await importFromFolder<{
      server: { listen(): void; close(): void }
      reopen(id: number, reason: string): Promise<unknown>
    }>('mocked.ts', { ...files, 'mocked.ts': `${start}${end}` })
    server.listen()
    onTestFinished(() => server.close())
    expect(await reopen(1, 'Smoke')).toEqual({ title: 'Printer', status: 'OPEN' })
    await expect(reopen(2, 'Smoke')).rejects.toMatchObject({ status: 404 })
    const response = await fetch('http://localhost:3000/ticket/1')
    expect(await response.json()).toMatchObject({ title: 'Printer' })
  })

  it('has a service with webhooks', async () => {
    const module = await importFromFolder<{ default: Service }>('webhooks.ts', filesOf(pageText('webhooks')))
    const app = await open(module.default, { database: 'sqlite::memory:' })
    onTestFinished(() => app.close())
    const payload = { url: 'https://hooks.example.com/directory', nouns: 'user', status: 'PAUSED' }
    const created = await inject(app, { method: 'POST', url: '/webhook', payload })
    expect([created.statusCode, created.json().secret]).toEqual([201, expect.stringContaining('whsec_')])
  })

  it('has a hook that reports only changes of the status', async () => {
    const calls = await webhook()
    const app = await openApp()
    await inject(app, { method: 'POST', url: '/ticket', payload: { title: 'Printer' } })
    await inject(app, { method: 'PATCH', url: '/ticket/1', payload: { title: 'Screen' } })
    const closed = await inject(app, closing)
    await expect.poll(() => calls.length > 0).toBe(true)
    await app.close()
    expect(closed.statusCode).toBe(200)
    expect(calls).toEqual([{ body: { ticket: 1, status: 'CLOSED' }, id: closed.headers['x-request-id'] }])
  })

  it('has an application with its own routes, and the service below a prefix', async () => {
    const embedded = {
      ...files,
      'server.ts': `${files['server.ts']}`.replace('sqlite:data/desk.db', 'sqlite::memory:'),
    }
    const { app } = await importFromFolder<{ app: FastifyInstance }>('server.ts', embedded)
    onTestFinished(() => app.close())
    expect((await app.inject('/greeting')).json()).toEqual({ text: 'Welcome' })
    const created = await app.inject({ method: 'POST', url: '/desk/ticket', payload: { title: 'Printer' } })
    expect([created.statusCode, created.headers.location]).toEqual([201, '/desk/ticket/1'])
    expect((await app.inject('/desk/ticket?titel=a')).json().hint).toBe('Did you mean "title"?')
    expect(Object.keys((await app.inject('/desk/openapi.json')).json().paths)).toContain('/ticket')
    expect((await app.inject('/desk/docs/')).statusCode).toBe(200)
    expect((await app.inject('/ticket')).json()).toMatchObject({ statusCode: 404, error: 'Not Found' })
  })
})
