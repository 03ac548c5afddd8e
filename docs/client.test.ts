// The examples of docs/client.md run at the directory, and its calls send the requests that it lists. Those with TanStack Query are in
// apps/directory/test/tanstack-query.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { client, etagOf, ProblemError } from '@nomen/core/client'
import { type directory, directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { examplesOn, runExample } from '@nomen/testing/markdown/examples'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const page = readFileSync(join(import.meta.dirname, 'client.md'), 'utf8')
const example = examplesOn('docs/client.md')

let app: OpenService
beforeAll(async () => {
  app = await open(directoryService({ users: 30 }), { database: 'sqlite::memory:' })
})
afterAll(() => app.close())

const api = client<typeof directory>({ baseUrl: 'http://directory', fetch: (...args) => app.fetch(...args) })

const calls = [
  ...page.matchAll(/^\| (`api\..+?`(?:, `api\..+?`)*)(?:: .+?)? \| ((?:GET|POST|PATCH|PUT|DELETE) .+) \|$/gm),
]
  .map(([, code = '', requests = '']) => ({ code: code.replaceAll('`', ''), requests }))
  .filter(({ code }) => !code.includes('…'))

it('lists calls with their requests', () => expect(calls.length).toBeGreaterThan(7))

it.each(calls)('$code sends $requests', async ({ code, requests }) => {
  const sent: string[] = []
  const fetch = async (url: string | URL | Request, { method = 'GET' }: RequestInit = {}) => {
    const { pathname, search } = new URL(`${url}`)
    sent.push(`${method} ${pathname}${search}`)
    return Response.json({})
  }
  const recording = client<typeof directory>({ baseUrl: 'http://directory', fetch })
  for (const call of code.split(/, (?=api\.)/)) await runExample(`await ${call}`, { api: recording })
  expect(sent.join(', ')).toBe(requests)
})

it('iterates over records and pages', async () => {
  const log = vi.fn()
  await example('api.user.records(', { api, console: { log } })
  const { pageInfo } = await api.user.list({ status: 'ACTIVE' })
  const pages = log.mock.calls.filter(([first]) => typeof first === 'number')
  expect(log.mock.calls).toHaveLength(pageInfo.numberOfRecords + pages.length)
  expect(pages).toEqual([1, 2, 3].map((number) => [number, 10]))
})

it('creates a client, and has the type of a body', async () => {
  expect(await example('baseUrl: ', { client })).toHaveProperty('api.user.list')
  const { empty } = await example("Shapes['user']['creation']", {})
  await expect(api.user.create(empty as never)).rejects.toThrow(ProblemError)
})

it('reports errors by code, field and request', async () => {
  const [show, highlight, report] = [vi.fn(), vi.fn(), vi.fn()]
  const { email } = await api.user.read(8)
  await example('instanceof ProblemError', { api, email, ProblemError, show, highlight, report })
  expect(show).toHaveBeenCalledWith(expect.stringContaining(email), expect.any(String))
  expect(highlight).toHaveBeenCalledWith('/email', expect.any(String))
  expect(report).toHaveBeenCalledWith(409, expect.any(String))
})

it('updates a record with the ETag that it has read', async () => {
  await example('etagOf(user)', { api, etagOf })
  expect((await api.user.read(7)).phone).toBe('555')
})
