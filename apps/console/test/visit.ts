/** A page of a real browser on the console, and what must hold of it wherever it is. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@nomen/testing/chromium'
import { expect } from 'vitest'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export interface Visit {
  readonly base: string
  readonly page: Page
  /** Opens an address of the console: `/user?status=ACTIVE`. */
  open(address: string): Promise<void>
  /** What stands after the hash. */
  address(): string
  /** The cells of a column of the list, top to bottom. */
  column(name: string): Promise<readonly string[]>
  /** axe finds nothing, by these of its rules or by all, and nothing was said on the browser's console. */
  isSound(rules?: readonly string[]): Promise<void>
  /** A message at the edge of the page. */
  told(text: string | RegExp): Promise<void>
  close(): Promise<void>
}

interface VisitOptions {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  /** What the browser says of answers that are meant to be refused. */
  readonly expected?: RegExp
  /** Origins that may be asked beside the page's own. */
  readonly friends?: readonly string[]
  /** Whether axe looks at it. */
  readonly isJudged?: boolean
}

/** Opens the console at a base address, such as `http://127.0.0.1:3000/console/`. */
export async function visit(browser: Browser, base: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, scheme = 'light', isJudged = true, friends = [] } = options
  const { expected = /the server responded with a status of (4|503)|ERR_FAILED/ } = options
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const said: string[] = []
  // What a friend's own page does is not ours.
  const isAway = () => friends.some((one) => page.url().startsWith(one))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isAway() && !expected.test(message.text()))
      said.push(message.text())
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    const isOwn = [new URL(base).origin, ...friends].includes(origin) || ['data:', 'blob:', 'about:'].includes(protocol)
    if (!isOwn && !isAway()) said.push(`asked another host: ${request.url()}`)
  })
  return {
    base,
    page,
    open: async (address) => {
      // Another view of the page that is open already would be no new visit.
      await page.goto('about:blank')
      await page.goto(`${base}#${address}`)
    },
    address: () => new URL(page.url()).hash.slice(1),
    column: async (name) => {
      const table = page.getByRole('table').first()
      const heads = await table.getByRole('columnheader').allInnerTexts()
      const index = heads.findIndex((head) => head.trim() === name)
      const cells = await table.locator(`tbody tr td:nth-child(${index + 1})`).allInnerTexts()
      return cells.map((cell) => cell.trim())
    },
    isSound: async (rules) => {
      expect(said).toEqual([])
      if (!isJudged) return
      await page.evaluate(axe)
      const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags }
      const found = await page.evaluate(async (only) => {
        const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({ runOnly: only })
        const told = ({ html, failureSummary }: { html: string; failureSummary: string }) => `${html} ${failureSummary}`
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(told).join(' | ')}`)
      }, runOnly)
      expect(found).toEqual([])
    },
    told: (text) => page.getByRole('status').getByText(text).first().waitFor(),
    close: () => context.close(),
  }
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}
