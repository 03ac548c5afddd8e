// Requests, responses and log lines on pages are those of a service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@nomen/core'
import { directoryService } from '@nomen/directory'
import { type OpenService, open, type Service, service } from '@nomen/server'
import { blocksOf } from '@nomen/testing/markdown/block'
import { examplesOn } from '@nomen/testing/markdown/examples'
import { compare } from '@nomen/testing/markdown/shown'
import { afterAll, beforeAll, expect, it } from 'vitest'

let app: OpenService
beforeAll(async () => {
  app = await open(directoryService({ users: 200 }), { database: 'sqlite::memory:' })
})
afterAll(() => app.close())

const codeOf = (page: string) => blocksOf(readFileSync(join(import.meta.dirname, page), 'utf8')).map(({ code }) => code)

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

it('follow-changes.md has the responses of a service to a follower', async () => {
  const { exported } = await examplesOn('docs/webhooks.md')('webhooks.ts', { ...core, service })
  const changed = await open(exported as Service, { database: 'sqlite::memory:' })
  const send = (method: string, path: string, body: object) =>
    changed.fetch(`http://directory${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  try {
    // The first entry says when the history began, and the last ones are 41, 42 and 43.
    for (let number = 1; number <= 40; number++) await send('POST', '/user', { email: `${number}@example.com` })
    for (const number of [1, 2]) await send('PATCH', '/user/7', { email: `new${number}@example.com` })
    const [stream = '', poll = ''] = codeOf('follow-changes.md').filter((code) => code.startsWith('GET '))

    const accept = { accept: 'text/event-stream' }
    const events = await changed.fetch(`http://directory${targetOf(stream)}`, { headers: accept })
    const reader = (events.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let text = ''
    while (!text.includes('id: 43')) text += decoder.decode((await reader.read()).value)
    await reader.cancel()
    compare('text', responseIn(stream), text.slice(0, text.indexOf('\n\nid: 43') + 1))

    const page = await changed.fetch(`http://directory${targetOf(poll)}`)
    compare('text', responseIn(poll), `Link: ${page.headers.get('link')}\n${await page.text()}\n`)
  } finally {
    await changed.close()
  }
})

const targetOf = (block: string) => /^GET (\S+)/.exec(block)?.[1]
const responseIn = (block: string) => block.slice(block.indexOf('\n\n') + 2)
