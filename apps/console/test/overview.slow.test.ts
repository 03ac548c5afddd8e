// Overview, usage and schema of a service with branding.
import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { sampleUsage } from './sample-usage.ts'
import { type ConsoleView, visit } from './visit.ts'

const definition = directoryService({ users: 30 })
let browser: Browser
let service: OpenService
let base: string
let view: ConsoleView

beforeAll(async () => {
  service = await open(definition, {
    database: 'sqlite::memory:',
    console: builtConsole,
    consoleBranding: { title: 'People', accent: '#ffd43b', environment: 'production' },
  })
  base = `${await service.listen({ port: 0 })}/console/`
  browser = await startChromium()
  view = await visit(browser, base)
})

afterAll(async () => {
  await browser?.close()
  await service?.close()
})

async function withSampleUsage(visited: ConsoleView): Promise<void> {
  await visited.page.route(/\/usage(\?.*)?$/, (route) => route.fulfill({ json: sampleUsage(definition) }))
}

it('is the home page: totals, recent changes, and calls with errors', async () => {
  await inject(service, {
    method: 'PATCH',
    url: '/user/7',
    headers: { 'user-agent': 'shop/4' },
    payload: { phone: '1' },
  })
  await inject(service, { method: 'GET', url: '/user/99999', headers: { 'user-agent': 'shop/4' } })
  await view.open('')
  const main = view.page.getByRole('main')
  await main.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await main
    .getByRole('link', { name: /^Users 30/ })
    .first()
    .waitFor()
  const changes = main.getByRole('region', { name: 'Recent changes' })
  await changes.getByRole('listitem').first().getByText('Phone').waitFor()
  await changes
    .getByText(/^shop · [A-Z]/)
    .first()
    .waitFor()
  await main.getByText('2 requests, 1 error, 1 caller').waitFor()
  const failing = main.getByRole('region', { name: 'Errors' })
  await failing.getByRole('link', { name: 'GET /user/{id}' }).waitFor()
  await view.expectNoErrors()
  await main
    .getByRole('link', { name: /^Users 30/ })
    .first()
    .click()
  await main.getByRole('heading', { name: 'Users' }).waitFor()
})

it('shows older changes if there are none of the last days', async () => {
  const visited = await visit(browser, base)
  onTestFinished(() => visited.close())
  const pageInfo = { pageSize: 8, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 }
  let recentReads = 0
  await visited.page.route(/\/change\?.*timeFrom=/, (route) => {
    recentReads++
    return route.fulfill({ json: { pageInfo, results: [] } })
  })
  await visited.open('')
  await visited.page.getByRole('region', { name: 'Recent changes' }).getByRole('listitem').first().waitFor()
  expect(recentReads).toBeGreaterThan(0)
})

it('has the title, the color and the environment of the settings', async () => {
  await view.open('/user')
  await view.page.getByRole('button', { name: 'New user' }).waitFor()
  expect(await view.page.title()).toBe('Users · People')
  await view.page.getByRole('banner').getByText('production', { exact: true }).waitFor()
  const color = await view.page
    .getByRole('button', { name: 'New user' })
    .evaluate((element) => getComputedStyle(element).backgroundColor)
  // Yellow, but dark enough for white text.
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number)
  expect([red > blue, green > blue, red < 160]).toEqual([true, true, true])
})

it('shows usage by noun, with search, ranges, and the endpoints of a noun', async () => {
  const visited = await visit(browser, base)
  onTestFinished(() => visited.close())
  await withSampleUsage(visited)
  await visited.open('/department')
  const link = visited.page.getByRole('navigation').getByRole('link', { name: 'Usage' })
  await link.waitFor()
  await visited.countClicks()
  await link.click()
  const table = visited.page.getByRole('table', { name: 'Endpoints by caller' })
  await table.getByRole('row', { name: /\/v1\/user In use by gatekeeper/ }).waitFor()
  expect(await visited.clicks()).toBe(1)
  expect(await table.getByRole('row', { name: /GET \/user / }).count()).toBe(0)
  await table.getByRole('button', { name: 'Endpoints of /department' }).click()
  await table.getByRole('row', { name: /GET \/department In use by nightly-sync, payroll/ }).waitFor()
  await visited.expectNoErrors()
  await table.getByRole('button', { name: 'GET /department', exact: true }).click()
  const docs = visited.page.getByRole('dialog').getByRole('link', { name: 'Docs' })
  expect(await docs.getAttribute('href')).toBe('../docs/#directory/tag/department/GET/department')
  await visited.page.keyboard.press('Escape')

  await visited.page.getByRole('textbox', { name: 'Search endpoints' }).fill('/v1/user')
  await table.getByRole('row', { name: /GET \/v1\/user\/\{\w+\} / }).waitFor()
  expect(await table.getByRole('row', { name: /\/department/ }).count()).toBe(0)
  const requests = () =>
    table.getByRole('row', { name: 'Endpoints of /v1/user ' }).getByRole('cell').nth(1).textContent()
  const month = await requests()
  await visited.page.getByText('7 days').click()
  await expect.poll(requests).not.toBe(month)
  expect(visited.path()).toContain('days=7')

  const downloading = visited.page.waitForEvent('download')
  await visited.page.getByRole('button', { name: 'Export' }).click()
  expect((await downloading).suggestedFilename()).toBe('usage.csv')
  // Nothing is deprecated here, so nothing can be retired.
  await visited.page.getByText(/^Ready to retire/).click()
  await visited.page.getByText('No deprecated endpoint is ready to retire.').waitFor()
  await visited.expectNoErrors()
})

it('draws the nouns and their relations, as links to their lists', async () => {
  await view.open('/~schema')
  const diagram = view.page.getByRole('region', { name: 'Diagram of record types and relations' })
  await diagram.getByText('User refers to Department by department').waitFor({ state: 'attached' })
  await view.expectNoErrors()
  await view.page.getByRole('main').getByText('Directory v1', { exact: true }).click()
  await diagram.getByText('Role is linked with User').waitFor({ state: 'attached' })
  await diagram.getByRole('link', { name: 'Role' }).click()
  await view.page.getByRole('heading', { name: 'Roles' }).waitFor()
})

it('shows rows as cards on a phone, with targets of 44 pixels and inputs of 16', async () => {
  const phone = await visit(browser, base, { width: 390 })
  onTestFinished(() => phone.close())
  await phone.open('/user')
  const row = phone.page.getByRole('row').filter({ hasText: 'lukasz.nowak@example.com' })
  await row.waitFor()
  const card = await row.boundingBox()
  expect(card?.width).toBeLessThanOrEqual(390)
  expect(card?.height).toBeGreaterThanOrEqual(60)
  const menu = await row.getByRole('button', { name: /^Actions/ }).boundingBox()
  expect([menu?.width, menu?.height]).toEqual([44, 44])
  const search = phone.page.getByLabel('Search')
  expect(await search.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px')
  const sizeOf = async (locator: ReturnType<Page['locator']>) => {
    const { width, height } = (await locator.boundingBox()) ?? { width: 0, height: 0 }
    return Math.min(width, height)
  }
  expect(await sizeOf(row.locator('.choose label'))).toBeGreaterThanOrEqual(44)
  await phone.page.getByText('1–25 of 30').waitFor()

  // Search, filters, further tools and the button for a new record are in one line.
  const button = (name: string) => phone.page.getByRole('button', { name, exact: true })
  const tools = [search, button('Filter'), button('More'), button('New user')]
  const centers = tools.map(async (tool) => {
    const box = await tool.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0) / 2
  })
  expect(new Set(await Promise.all(centers)).size).toBe(1)
  expect(await button('Columns').count()).toBe(0)
  await button('More').click()
  await phone.expectNoErrors()
  await phone.page.keyboard.press('Escape')
  expect(await button('Columns').count()).toBe(0)
  await button('More').click()
  await button('Columns').click()
  const box = phone.page.getByText('Department', { exact: true }).and(phone.page.locator('label'))
  expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await phone.expectNoErrors()
  await phone.page.keyboard.press('Escape')
  await button('Import').click()
  const close = phone.page.getByRole('dialog', { name: 'Import users' }).getByRole('button', { name: 'Close' }).first()
  expect(await sizeOf(close)).toBeGreaterThanOrEqual(44)
  await phone.expectNoErrors()

  // A card has six columns, or all that the user chose.
  const cells = phone.page.locator('tr[data-id]').first().locator('td:visible:not(.choose, .actions)')
  await phone.open('/user-detail?id=1')
  await expect.poll(() => cells.count()).toBe(6)
  await phone.open('/user-detail?id=1&_columns=firstName+lastName+email+phone+extension+status+department+created')
  await expect.poll(() => cells.count()).toBe(8)

  // Filters are in one line that scrolls, and check marks have a name.
  await phone.open('/department?retired=false&name=Engineering&name=Sales&sort=-name&_columns=name+retired')
  const pills = phone.page.locator('.filter-pill')
  await expect.poll(() => pills.count()).toBe(3)
  const tops = (await pills.all()).map(async (pill) => (await pill.boundingBox())?.y)
  expect(new Set(await Promise.all(tops)).size).toBe(1)
  const flag = phone.page.locator('td[data-title]').first()
  expect(await flag.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"Retired "')
  // A card does not show a flag that is off.
  expect(await flag.isVisible()).toBe(false)
  await phone.expectNoErrors()

  // Without a label, the link of a card is the ID with its noun.
  await phone.open('/user?_columns=email+id')
  const id = phone.page.locator('td:has(.row-link)').first()
  expect(await id.evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('"User "')
})

it('shows usage on a phone without scrolling sideways, and sorts it', async () => {
  const phone = await visit(browser, base, { width: 390 })
  onTestFinished(() => phone.close())
  await withSampleUsage(phone)
  await phone.open('/~usage')
  const table = phone.page.getByRole('table', { name: 'Endpoints by caller' })
  await table.getByRole('button', { name: '/user', exact: true }).waitFor()
  const overflow = () =>
    phone.page.evaluate<number>(
      'Math.max(...[...document.querySelectorAll("*")].map((e) => e.getBoundingClientRect().right))',
    )
  expect(await overflow()).toBeLessThanOrEqual(390)
  const first = () => table.getByRole('rowheader').first().textContent()
  expect(await first()).toMatch(/^\/user/)
  await table.getByRole('button', { name: 'Endpoint', exact: true }).click()
  await expect.poll(first).toMatch(/^\/change/)
  expect(phone.path()).toContain('sort=endpoint')
  await table.getByRole('button', { name: 'Requests', exact: true }).click()
  await expect.poll(first).toMatch(/^\/user/)
  await phone.expectNoErrors()
  await table.getByRole('button', { name: '/user', exact: true }).click()
  await phone.page.getByRole('dialog', { name: '/user' }).getByRole('cell').first().waitFor()
  await phone.expectNoErrors()
})

it('has no hole without history and usage', async () => {
  const plain = await open(directoryService({ users: 3 }), {
    database: 'sqlite::memory:',
    console: builtConsole,
    usage: false,
  })
  onTestFinished(() => plain.close())
  const visited = await visit(browser, `${await plain.listen({ port: 0 })}/console/`)
  onTestFinished(() => visited.close())
  await visited.page.route('**/openapi.json', async (route) => {
    const document = await (await route.fetch()).json()
    for (const path of Object.keys(document.paths)) if (path.endsWith('/change')) delete document.paths[path]
    await route.fulfill({ json: document })
  })
  await visited.open('')
  await visited.page
    .getByRole('link', { name: /^Users 3/ })
    .first()
    .waitFor()
  await visited.settled()
  expect(await visited.page.getByRole('main').getByRole('heading').allInnerTexts()).toEqual([
    'Directory',
    'Directory v1',
  ])
})
