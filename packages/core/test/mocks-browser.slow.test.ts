// The rules of mocks in a real browser, by way of its service worker.
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { type PageServer, servePage } from '@nomen/testing/page-server'
import { afterAll, beforeAll, describe } from 'vitest'
import type { SetupName } from './mock-setup.ts'
import { type Answer, type Mocked, mockSuite } from './mock-suite.ts'
import type { Door } from './page/main.ts'

/** What the page gives to tests. */
interface Window {
  readonly door: Door
}

let server: PageServer
let browser: Browser
let page: Page

beforeAll(async () => {
  server = await servePage(fileURLToPath(new URL('page', import.meta.url)))
  browser = await startChromium()
  page = await browser.newPage()
  await page.goto(server.url)
  await page.waitForFunction(() => 'isReady' in globalThis)
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const given = body === undefined ? undefined : JSON.stringify(body)
  return page.evaluate(
    async ([method, path, given]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${path}`, {
        method: `${method}`,
        ...(given !== undefined && { body: given, headers }),
      })
      return { status: response.status, body: await response.json() }
    },
    [method, path, given] as const,
  )
}

async function open(setup: SetupName): Promise<Mocked> {
  await page.evaluate((name) => (globalThis as unknown as Window).door.open(name), setup)
  return { ask, reset: () => page.evaluate(() => (globalThis as unknown as Window).door.reset()) }
}

describe('mocks in a browser', () => {
  mockSuite(open)
})
