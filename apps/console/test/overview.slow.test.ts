// Overview, usage and schema of a service with branding.
import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
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
  await changes.getByText('shop').first().waitFor()
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
  const diagram = view.page.getByRole('region', { name: 'Diagram of nouns and relations' })
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
  const box = await row.boundingBox()
  expect(box?.width).toBeLessThanOrEqual(390)
  expect(box?.height).toBeGreaterThanOrEqual(60)
  const menu = await row.getByRole('button', { name: /^Actions/ }).boundingBox()
  expect([menu?.width, menu?.height]).toEqual([44, 44])
  const search = phone.page.getByLabel('Search')
  expect(await search.evaluate((element) => getComputedStyle(element).fontSize)).toBe('16px')
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
    'Directory',
    'Directory v1',
  ])
})
