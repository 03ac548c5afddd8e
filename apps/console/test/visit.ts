/// <reference lib="dom" />
/** The console in a real browser, with checks that apply to every view. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@nomen/testing/chromium'
import { expect } from 'vitest'
import { settledPage } from './settled.ts'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export interface ConsoleView {
  readonly base: string
  readonly page: Page
  /** Opens a path of the console, such as `/user?status=ACTIVE`. */
  open(path: string): Promise<void>
  /** The URL after the hash. */
  path(): string
  /** The cells of a column of the list, top to bottom. */
  column(name: string): Promise<readonly string[]>
  /**
   * Expects no findings of axe (default: all rules), no messages in the console of the browser, and a page that is not wider than
   * the screen. On a phone, it also expects targets of 44 pixels.
   */
  expectNoErrors(rules?: readonly string[]): Promise<void>
  /** Counts clicks from now on, until the page is loaded again. */
  countClicks(): Promise<void>
  clicks(): Promise<unknown>
  /** Waits until the page shows everything that it has requested. */
  settled(): Promise<void>
  /** Waits for a message at the edge of the page. */
  expectMessage(text: string | RegExp): Promise<void>
  close(): Promise<void>
}

interface ViewOptions {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  /** The language of the browser (default: American English, the language of the tests). */
  readonly locale?: string
  /** Messages in the console of the browser that are not errors. */
  readonly expectedMessages?: RegExp
  /** Origins that may receive requests, besides the origin of the page. */
  readonly allowedOrigins?: readonly string[]
  /** Whether axe checks the page (default: true). */
  readonly checksAccessibility?: boolean
}

/** Opens the console at a base URL, such as `http://127.0.0.1:3000/console/`. */
export async function visit(browser: Browser, base: string, options: ViewOptions = {}): Promise<ConsoleView> {
  const { width = 1280, scheme = 'light', locale = 'en-US', checksAccessibility = true, allowedOrigins = [] } = options
  const { expectedMessages = /the server responded with a status of (4|503)|ERR_FAILED/ } = options
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    locale,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const settled = settledPage(page)
  const errors: string[] = []
  // Requests of pages of these origins are not checked.
  const isOnAllowedSite = () => allowedOrigins.some((origin) => page.url().startsWith(origin))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isOnAllowedSite() && !expectedMessages.test(message.text()))
      errors.push(message.text())
  })
  page.on('request', (request) => {
    const { origin: requestOrigin, protocol } = new URL(request.url())
    const isOwn =
      [new URL(base).origin, ...allowedOrigins].includes(requestOrigin) ||
      ['data:', 'blob:', 'about:'].includes(protocol)
    if (!isOwn && !isOnAllowedSite()) errors.push(`request to another host: ${request.url()}`)
  })
  return {
    base,
    page,
    open: async (path) => {
      // The page would not load again if only the hash changed.
      await page.goto('about:blank')
      await page.goto(`${base}#${path}`)
    },
    path: () => new URL(page.url()).hash.slice(1),
    column: async (name) => {
      const table = page.getByRole('table').first()
      const headers = await table.getByRole('columnheader').allInnerTexts()
      const index = headers.findIndex((header) => header.trim() === name)
      const cells = await table.locator(`tbody tr td:nth-child(${index + 1})`).allInnerTexts()
      return cells.map((cell) => cell.trim())
    },
    expectNoErrors: async (rules) => {
      expect(errors).toEqual([])
      if (!checksAccessibility) return
      // Rows that are loading again are dimmed for a moment. Some tests check exactly this state.
      const dimmed = page.locator('.list.stale')
      await dimmed.waitFor({ state: 'detached', timeout: 3000 }).catch(() => undefined)
      if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
      const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags }
      const findings = await page.evaluate(async (only) => {
        const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({
          runOnly: only,
          resultTypes: ['violations'],
          preload: false,
        })
        const nodeText = ({ html, failureSummary }: { html: string; failureSummary: string }) =>
          `${html} ${failureSummary}`
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(nodeText).join(' | ')}`)
      }, runOnly)
      expect(findings).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      if (width < 500) expect(await page.evaluate(touchFaults)).toEqual([])
    },
    countClicks: async () => {
      await page.evaluate(
        'globalThis.clicks = 0; addEventListener("pointerdown", () => { globalThis.clicks++ }, { capture: true })',
      )
    },
    clicks: () => page.evaluate('globalThis.clicks'),
    settled,
    expectMessage: (text) => page.getByRole('status').getByText(text).first().waitFor(),
    close: () => context.close(),
  }
}

/** Controls that are smaller than a finger. */
function touchFaults(): readonly string[] {
  const controls = 'button, input, select, textarea, summary, [role=tab], [role=option], [role^=menuitem]'
  return [...document.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || control.tabIndex < 0) return []
    // A tap on the label or the frame of an input is a tap on the input.
    const targets = [control, (control as HTMLInputElement).labels?.[0], control.closest('.mantine-Input-wrapper')]
    const boxes = targets.flatMap((target) => (target ? [target.getBoundingClientRect()] : []))
    // Some are for screen readers, or appear when they have the focus.
    if (boxes.every(({ width, height, right, bottom }) => width < 2 || height < 2 || right < 0 || bottom < 0)) return []
    if (boxes.some(({ width, height }) => width > 43.5 && height > 43.5)) return []
    return [`${boxes.map(({ width, height }) => `${width} × ${height}`)}: ${control.outerHTML.slice(0, 200)}`]
  })
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
}
