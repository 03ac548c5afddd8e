// Requests, responses and log lines on pages are those of a service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@nomen/core'
import { directoryService } from '@nomen/directory'
import { type OpenService, open, type Service, service } from '@nomen/server'
import { blocksOf } from '@nomen/testing/markdown/block'
import { examplesOn } from '@nomen/testing/markdown/examples'
import { compare } from '@nomen/testing/markdown/shown'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { isSigned, type Received, startReceiver } from '../packages/server/test/receiver.ts'

let app: OpenService
beforeAll(async () => {
  app = await open(directoryService({ users: 200 }), { database: 'sqlite::memory:' })
})
afterAll(() => app.close())

const readPage = (page: string) => readFileSync(join(import.meta.dirname, page), 'utf8')
const codeOf = (page: string) => blocksOf(readPage(page)).map(({ code }) => code)

async function json(path: string) {
  return (await app.fetch(`http://directory${path}`)).json()
}

it('conventions.md has paths that exist', async () => {
  const block = codeOf('conventions.md').find((code) => code.startsWith('/user '))
  const paths = `${block}`.match(/^\S+/gm) ?? []
  expect(paths).toHaveLength(5)
  const statuses = await Promise.all(paths.map(async (path) => (await app.fetch(`http://directory${path}`)).status))
  expect(statuses).toEqual(paths.map(() => 200))
})

it('conventions.md has a page of users', async () => {
  const page = JSON.parse(`${codeOf('conventions.md').find((code) => code.startsWith('{\n  "pageInfo"'))}`)
  const { pageInfo, results } = await json('/user')
  expect(pageInfo).toEqual(page.pageInfo)
  expect(results[0]).toMatchObject(page.results[0])
})

it('problems.md has the problem of a wrong parameter', async () => {
  const [problem = ''] = codeOf('problems.md').filter((code) => code.includes('unknown-parameter'))
  expect(await json('/user?lastname=a')).toEqual(JSON.parse(problem))
})

it.each(['conventions.md', 'observability.md'])('%s has a line of the access log', (page) => {
  const [line = ''] = codeOf(page).filter((code) => code.startsWith('127.0.0.1:'))
  expect(core.parseLine(line.trim())).toMatchObject({
    method: 'GET',
    target: '/v1/user/7',
    status: 200,
    userAgent: 'billing/2.1',
  })
})

/** The service of docs/webhooks.md after 40 users, so that the next change has the number 42. */
async function openWebhooks() {
  const { exported } = await examplesOn('docs/webhooks.md')('webhooks.ts', { ...core, service })
  const webhooks = await open(exported as Service, { database: 'sqlite::memory:', webhookPrivateTargets: true })
  onTestFinished(() => webhooks.close())
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body && { headers, body: JSON.stringify(body) }
    return (await webhooks.fetch(`http://directory${path}`, { method, ...init })).json()
  }
  // The first entry says when the history began.
  for (let number = 1; number <= 40; number++) await send('POST', '/user', { email: `${number}@example.com` })
  return { webhooks, send }
}

it('follow-changes.md has the responses of a service to a follower', async () => {
  const { webhooks, send } = await openWebhooks()
  for (const number of [1, 2]) await send('PATCH', '/user/7', { email: `new${number}@example.com` })
  const [stream = '', poll = ''] = codeOf('follow-changes.md').filter((code) => code.startsWith('GET '))

  const accept = { accept: 'text/event-stream' }
  const events = await webhooks.fetch(`http://directory${targetOf(stream)}`, { headers: accept })
  const reader = (events.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('id: 43')) text += decoder.decode((await reader.read()).value)
  await reader.cancel()
  const mediaType = events.headers.get('content-type')
  const firstEvents = text.slice(0, text.indexOf('\n\nid: 43') + 1)
  compare('text', responseIn(stream), `HTTP/1.1 ${events.status} OK\nContent-Type: ${mediaType}\n\n${firstEvents}`)

  const page = await webhooks.fetch(`http://directory${targetOf(poll)}`)
  const link = page.headers.get('link')
  compare('text', responseIn(poll), `HTTP/1.1 ${page.status} OK\nLink: ${link}\n\n${await page.text()}\n`)
})

it('webhooks.md has the request that a receiver gets', async () => {
  const { send } = await openWebhooks()
  const receiver = await startReceiver()
  // The webhook of the page has the number 3.
  for (const id of [1, 2]) {
    await send('POST', '/webhook', { url: receiver.url })
    await send('DELETE', `/webhook/${id}`)
  }
  const { secret } = await send('POST', '/webhook', { url: receiver.url })
  await send('PATCH', '/user/7', { email: 'new@example.com' })
  await expect.poll(() => receiver.received).toHaveLength(1)
  const [received] = receiver.received as [Received]
  expect(isSigned(received, secret)).toBe(true)

  const [request = ''] = codeOf('webhooks.md').filter((code) => code.startsWith('POST '))
  const [, url = ''] = /`POST \/webhook` with `\{"url": "(.+?)"\}`/.exec(readPage('webhooks.md')) ?? []
  const { host, pathname } = new URL(url)
  const line = (name: string) => `${name}: ${received.headers[name.toLowerCase()]}`
  const names = ['Content-Type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  const [time, signature] = [...request.matchAll(/^webhook-(?:timestamp|signature): .+$/gm)].map(([text]) => text)
  const shown = request
    .replace(`${time}`, line('webhook-timestamp'))
    .replace(`${signature}`, line('webhook-signature'))
    // The page wraps the body.
    .replace('\n ', '')
  compare(
    'text',
    shown,
    [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, ...names.map(line), '', received.text].join('\n'),
  )
  expect(time).toMatch(/: \d{10}$/)
  expect(signature).toMatch(/: v1,[\w+/]{43}=$/)
})

const targetOf = (block: string) => /^GET (\S+)/.exec(block)?.[1]
const responseIn = (block: string) => block.slice(block.indexOf('\n\n') + 2)
