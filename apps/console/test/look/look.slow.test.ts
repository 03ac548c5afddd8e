// The main views look like their stored pictures, with the same font on every machine.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtConsole } from '../built.ts'
import { sampleUsage } from '../sample-usage.ts'
import { settledPage } from '../settled.ts'
import { compareLook } from './picture.ts'

const fontFolder = new URL('./', import.meta.resolve('@fontsource-variable/inter'))

/** The port of the service differs each time. */
const hiddenParts = '.service-address { visibility: hidden }'

/** The time of the page. The sample of the directory and the sample of the usage end before it. */
const now = '2026-11-15T09:30:00Z'

interface View {
  readonly name: string
  readonly address: string
  readonly scheme?: 'light' | 'dark'
  readonly isPhone?: boolean
}

const list = '/user-detail?status=ACTIVE&sort=lastName&pageSize=7'
const views: readonly View[] = [
  { name: 'overview', address: '/' },
  { name: 'list', address: list },
  { name: 'list-dark', address: list, scheme: 'dark' },
  { name: 'record', address: '/user/7' },
  { name: 'record-dark', address: '/user/7', scheme: 'dark' },
  { name: 'drawer', address: '/user?sort=id&_record=/user/7' },
  { name: 'usage', address: '/~usage' },
  { name: 'schema', address: '/~schema?api=Directory+v1' },
  { name: 'list-phone', address: list, isPhone: true },
]

const session = {} as { app: OpenService; browser: Browser; page: Page; base: string; settled: () => Promise<void> }
beforeAll(async () => {
  const definition = directoryService()
  session.app = await open(definition, { database: 'sqlite::memory:', console: builtConsole })
  session.base = `${await session.app.listen({ port: 0 })}/console/`
  session.browser = await startChromium({ isUniform: true })
  const context = await session.browser.newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    // The font below is not one of the console.
    bypassCSP: true,
  })
  const page = await context.newPage()
  session.page = page
  session.settled = settledPage(page)
  // The limit of the test is enough.
  page.setDefaultTimeout(0)
  await page.clock.setFixedTime(now)
  await useUniformFont(page)
  await page.route(/\/usage(\?.*)?$/, (route) => route.fulfill({ json: sampleUsage(definition) }))
  // The service wrote the sample just now.
  await page.route(/\/change\?(?!.*wait=30)/, async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replace(/"time":"[^"]*"/g, `"time":"${now}"`)
    await route.fulfill({ response, body: text })
  })
})
afterAll(async () => {
  await session.browser?.close()
  await session.app?.close()
})

it.each(views)('$name looks as stored', async ({ name, address, scheme = 'light', isPhone = false }) => {
  const { page, base, settled, browser } = session
  await page.setViewportSize(isPhone ? { width: 390, height: 640 } : { width: 1040, height: 620 })
  await page.emulateMedia({ colorScheme: scheme })
  await page.goto(`${base}#${address}`, { waitUntil: 'commit' })
  await settled()
  const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide', style: hiddenParts })
  expect(compareLook(name, screenshot, browser.version())).toBeUndefined()
})

/** Shows all texts in one font, whichever fonts the machine has. */
async function useUniformFont(page: Page): Promise<void> {
  await page.route(/\/uniform-font\//, (route) => {
    const file = fileURLToPath(
      new URL(
        route
          .request()
          .url()
          .replace(/.*\/uniform-font\//, ''),
        fontFolder,
      ),
    )
    const styles = ['', '-headings', '-monospace'].map(
      (kind) => `--mantine-font-family${kind}: 'Inter Variable' !important;`,
    )
    if (!file.endsWith('.css')) return route.fulfill({ path: file })
    const body = `${readFileSync(file, 'utf8')} :root { ${styles.join(' ')} }`
    return route.fulfill({ contentType: 'text/css', body })
  })
  await page.addInitScript(() => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = '/uniform-font/index.css'
    addEventListener('DOMContentLoaded', () => document.head.append(link))
  })
}
