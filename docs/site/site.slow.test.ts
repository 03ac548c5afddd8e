// The built site works in a browser. A part of it is built in every run; with `npm run prove`, every page of it.
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { isFull } from '@nomen/testing/prove'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { files, sitePath } from '../.vitepress/site-path.ts'
import { type BuiltSite, buildSite, repository } from './built-site.ts'
import { visit } from './visit.ts'

const built = isFull
  ? files
  : ['docs/README.md', 'docs/guide/1-first-service.md', 'docs/configuration.md', 'docs/problems.md', 'SECURITY.md']
const urls = built.map((file) => sitePath(file).replace(/\.md$/, '.html'))
const desktop = { viewport: { width: 1280, height: 900 } }

let site: BuiltSite
let browser: Browser
beforeAll(async () => {
  ;[site, browser] = await Promise.all([buildSite(isFull ? undefined : built), startChromium()])
}, 600_000)
afterAll(async () => {
  await browser?.close()
  site?.[Symbol.dispose]()
})

it('has pages without errors, findings of axe, requests to other hosts and broken links', async () => {
  const ids = new Map<string, readonly string[]>()
  const links: { readonly from: string; readonly href: string }[] = []
  const faults: string[] = []
  const waiting = [...urls]
  const crawl = async () => {
    await using tab = await visit(browser, site.url, desktop)
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      await tab.open(path)
      const found = await tab.links()
      ids.set(path, found.ids)
      for (const href of found.hrefs) links.push({ from: path, href })
      const findings = [...tab.takeFaults(), ...(await tab.axeFindings())]
      for (const finding of findings) faults.push(`${path}: ${finding}`)
    }
  }
  // Each tab has a process of its own.
  await Promise.all(Array.from({ length: availableParallelism() }, crawl))
  expect(faults).toEqual([])
  const broken = links.filter(({ href }) => href.startsWith(site.url) && !leadsSomewhere(href, ids))
  expect(broken).toEqual([])
  expect(links.length).toBeGreaterThan(100)
}, 1_800_000)

/** Pages that were not built are only expected to be pages of the site. */
function leadsSomewhere(href: string, ids: ReadonlyMap<string, readonly string[]>): boolean {
  const { pathname, hash } = new URL(href)
  const path = pathname.replace(/^\/docs\//, '').replace(/(^|\/)$/, '$1index.html')
  if (!ids.has(path)) return !isFull && files.some((file) => sitePath(file) === path.replace('.html', '.md'))
  return hash === '' || (ids.get(path)?.includes(decodeURIComponent(hash.slice(1))) ?? false)
}

it.each([
  ['dark', { ...desktop, colorScheme: 'dark' }, 'guide/1-first-service.html'],
  ['phone', { viewport: { width: 390, height: 844 } }, 'configuration.html'],
] as const)('is accessible in %s mode, and no page is wider than the window', async (name, options, reference) => {
  await using tab = await visit(browser, site.url, options)
  for (const path of ['index.html', reference]) {
    await tab.open(path)
    expect([...tab.takeFaults(), ...(await tab.axeFindings())]).toEqual([])
    const overflow = await tab.page.locator('html').evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(overflow).toBe(0)
    // On phones, no table scrolls either.
    const tables = await tab.page
      .locator('.vp-doc table')
      .evaluateAll((all) => all.map((table) => table.scrollWidth - table.clientWidth))
    if (name === 'phone') expect(tables.filter((width) => width > 0)).toEqual([])
  }
})

it('finds an error code by the local search', async () => {
  await using tab = await visit(browser, site.url, desktop)
  await tab.open('')
  await tab.page.getByRole('button', { name: 'Search' }).first().click()
  await tab.page.getByRole('searchbox').fill('value-taken')
  await tab.page.getByRole('option').first().click()
  await tab.page.waitForURL(`${site.url}/problems.html#value-taken`)
  expect(tab.takeFaults()).toEqual([])
})

it.runIf(isFull).each([
  ['getting started', 'quick-start'],
  ['install', 'quick-start'],
  ['docker', 'containers'],
  ['environment variable', 'commands'],
  ['429', 'problems'],
  ['rename a field', 'schema-changes'],
  ['soft delete', 'recipes'],
  ['file upload', 'recipes'],
  ['cors', 'limits'],
  ['transaction', 'transactions'],
  ['backup', 'commands'],
  ['role based access', 'faq'],
  ['login', 'faq'],
  ['enum', 'faq'],
  ['cascade', 'faq'],
  ['validation', 'rules'],
  ['cannot find module', 'faq'],
  ['upsert', 'faq'],
  ['api key', 'faq'],
  ['oauth', 'faq'],
  ['audit log', 'faq'],
  ['https', 'faq'],
  ['uuid', 'faq'],
  ['array field', 'faq'],
  ['port already in use', 'faq'],
  ['license', 'faq'],
  ['logging', 'observability'],
  ['kubernetes', 'containers'],
  ['pagination', 'guide/3-client'],
])('the first hit for "%s" is on the page %s', async (query, name) => {
  await using tab = await visit(browser, site.url, desktop)
  await tab.open('')
  await tab.page.getByRole('button', { name: 'Search' }).first().click()
  await tab.page.getByRole('searchbox').fill(query)
  // The excerpts of a result may have further links.
  const first = tab.page.getByRole('option').first().locator('a').first()
  await expect.poll(() => first.getAttribute('href')).toContain(`/docs/${name}.html`)
})

it('shows a page for unknown paths, at any depth', async () => {
  await using tab = await visit(browser, site.url, desktop)
  await tab.page.goto(`${site.url}/missing/page.html`)
  await tab.page.getByText('Page not found').waitFor()
  expect(await tab.page.getByRole('link', { name: 'Home page' }).getAttribute('href')).toBe('/docs/')
  expect(
    tab
      .takeFaults()
      .filter((fault) => !fault.includes('/missing/page.html') && !fault.startsWith('console: Failed to load')),
  ).toEqual([])
})

it('links to the source of each page', async () => {
  await using tab = await visit(browser, site.url, desktop)
  const editLink = async (path: string) => {
    await tab.open(path)
    return tab.page.getByRole('link', { name: 'Edit this page' }).getAttribute('href')
  }
  expect(await editLink('configuration.html')).toBe(`${repository}/edit/main/docs/configuration.md`)
  expect(await editLink('security.html')).toBe(`${repository}/edit/main/SECURITY.md`)
})

it('has a plain version of every page, and llms.txt', () => {
  for (const file of files) expect(existsSync(join(site.folder, sitePath(file))), file).toBe(true)
  const list = readFileSync(join(site.folder, 'llms.txt'), 'utf8')
  expect(list).toContain('- [Quick start: getting started with Nomen](quick-start.md): Start\n')
})
