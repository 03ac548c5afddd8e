/** A page of the site in Chromium, with everything that is wrong with it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@nomen/testing/chromium'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

export interface Visit extends AsyncDisposable {
  readonly page: Page
  /** Opens a page and waits until it is interactive. */
  open(path: string): Promise<void>
  /** Messages of the browser, failed requests, and requests to other hosts, since the last call. */
  takeFaults(): readonly string[]
  /** The findings of axe. */
  axeFindings(): Promise<readonly string[]>
  /** The URLs of all links of the page, and the IDs of its elements. */
  links(): Promise<{ readonly hrefs: readonly string[]; readonly ids: readonly string[] }>
}

export async function visit(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const faults: string[] = []
  const { origin } = new URL(url)
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const target = request.url()
    if (!target.startsWith(origin) && !target.startsWith('data:')) faults.push(`external: ${target}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`)
  })
  return {
    page,
    open: async (path) => {
      await page.goto(`${url}/${path}`)
      await page.waitForFunction(isInteractive)
    },
    takeFaults: () => faults.splice(0),
    axeFindings: async () => {
      await page.evaluate(axe)
      return page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({
          resultTypes: ['violations'],
          selectors: false,
        })
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`)
      })
    },
    links: () => page.evaluate(linksAndIds),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

interface PageDocument {
  querySelector(selector: string): object | null
  querySelectorAll(selector: string): Iterable<{ href: string; id: string }>
}

/** Runs in the page: Vue has taken over the HTML. */
function isInteractive(): boolean {
  const { document } = globalThis as unknown as { document: PageDocument }
  const app = document.querySelector('#app')
  return app !== null && '__vue_app__' in app && document.querySelector('h1') !== null
}

/** Runs in the page. */
function linksAndIds() {
  const { document } = globalThis as unknown as { document: PageDocument }
  return {
    hrefs: [...document.querySelectorAll('a[href]')].map(({ href }) => `${href}`),
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
  }
}
