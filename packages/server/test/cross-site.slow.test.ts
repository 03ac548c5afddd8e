// A real browser with a page of another origin open, beside a service on the same machine without authentication.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identity, noun, operation, resource, text } from '@nomen/core'
import { handle, type Settings, service } from '@nomen/server'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi } from './test-service.ts'

const task = noun('task', { id: identity(), title: text().default('') })
const poke = operation({ method: 'POST', on: 'record' })

let browser: Browser
beforeAll(async () => {
  browser = await startChromium()
})
afterAll(() => browser.close())

/** A service that counts what is done, with a page of its own. */
async function started(settings: Partial<Settings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  let pokes = 0
  const handlers = [
    handle(task, poke, () => {
      pokes++
    }),
  ]
  const definition = service({ name: 'tasks', apis: [plainApi(resource(task, { operations: { poke } }))], handlers })
  const { app, send } = await openService(definition, { isLocalOnly: true, console: folder, ...settings })
  expect((await send('POST', '/task', {})).status).toBe(201)
  return { base: await app.listen({ port: 0 }), numberOfPokes: () => pokes }
}

/** The port of a server of another origin, whose page is empty. */
async function foreignPort(): Promise<number> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>'))
  server.listen(0)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function pageAt(url: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(url)
  return page
}

/** Gives the status as far as the page may know it: 0 where it may not, -1 where the request fails. */
const fetched = (page: Page, url: string, mode: string) =>
  page.evaluate(`fetch('${url}', { method: 'POST', mode: '${mode}' }).then(({ status }) => status, () => -1)`)

/** Submits an empty form and returns the status of the response, which the browser shows instead of the page. */
async function submitted(page: Page, url: string): Promise<number> {
  await page.setContent(`<form method="post" action="${url}"><button>Poke</button></form>`)
  const [response] = await Promise.all([page.waitForResponse(url), page.click('button')])
  return response.status()
}

describe('a page in Chromium', () => {
  it.each(['127.0.0.1', 'localhost'])('of another origin at %s changes nothing', async (host) => {
    const { base, numberOfPokes } = await started()
    const page = await pageAt(`http://${host}:${await foreignPort()}/`)
    const url = `${base}/task/1/poke`
    expect(await fetched(page, url, 'no-cors')).toBe(0)
    expect(await submitted(page, url)).toBe(403)
    expect(numberOfPokes()).toBe(0)
  })

  it('of another origin that CORS allows may', async () => {
    const origin = `http://localhost:${await foreignPort()}`
    const { base, numberOfPokes } = await started({ corsOrigins: [origin] })
    const page = await pageAt(origin)
    expect(await fetched(page, `${base}/task/1/poke`, 'cors')).toBe(204)
    expect(numberOfPokes()).toBe(1)
  })

  it('of the service itself may', async () => {
    const { base, numberOfPokes } = await started()
    const page = await pageAt(`${base}/console/`)
    expect(await fetched(page, '/task/1/poke', 'cors')).toBe(204)
    expect(numberOfPokes()).toBe(1)
  })
})
