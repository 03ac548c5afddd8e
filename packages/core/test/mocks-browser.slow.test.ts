// The rules of mocks in a real browser, through its service worker.
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { type PageServer, servePage } from '@nomen/testing/page-server'
import { afterAll, beforeAll, describe } from 'vitest'
import type { SetupName } from './mock-setup.ts'
import { type MockResponse, mockSuite, type RunningMocks } from './mock-suite.ts'
import type { MockControl } from './page/main.ts'

/** The functions that the page exposes to tests. */
interface Window {
  readonly mockControl: MockControl
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

function send(method: string, path: string, body?: unknown): Promise<MockResponse> {
  const json = body === undefined ? undefined : JSON.stringify(body)
  return page.evaluate(
    async ([method, path, json]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${path}`, {
        method: `${method}`,
        ...(json !== undefined && { body: json, headers }),
      })
      return { status: response.status, body: await response.json() }
    },
    [method, path, json] as const,
  )
}

async function open(setup: SetupName): Promise<RunningMocks> {
  await page.evaluate((setup) => (globalThis as unknown as Window).mockControl.open(setup), setup)
  return { send, reset: () => page.evaluate(() => (globalThis as unknown as Window).mockControl.reset()) }
}

describe('mocks in a browser', () => {
  mockSuite(open)
})
