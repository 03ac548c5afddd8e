// The console as still files of any web server, on a foreign service: its document has no extensions of ours.
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { type Library, startLibrary } from './library.ts'
import { signInAs, startProvider } from './provider.ts'
import { serveStill } from './still-files.ts'
import { type Visit, visit } from './visit.ts'

let browser: Browser
let files: { readonly url: string; close(): void }

beforeAll(async () => {
  files = await serveStill(builtConsole())
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  files?.close()
})

/** What comes when it comes: others may keep the machine busy. */
const until: typeof expect.poll = (ask, options) => expect.poll(ask, { timeout: 10_000, ...options })

async function library(options: Parameters<typeof startLibrary>[0] = {}): Promise<Library> {
  const started = await startLibrary(options)
  onTestFinished(() => started.close())
  return started
}

async function visitOf(service: Library, others: readonly string[] = []): Promise<Visit> {
  const base = `${files.url}?document=${encodeURIComponent(`${service.url}/openapi.json`)}`
  const at = await visit(browser, base, { friends: [service.url, ...others] })
  onTestFinished(() => at.close())
  return at
}

describe('a foreign service', () => {
  it('is asked for, listed, opened, changed, created, deleted and linked', async () => {
    const service = await library()
    const at = await visit(browser, files.url, { friends: [service.url], expected: /status of 404/ })
    onTestFinished(() => at.close())
    const button = (title: string) => at.page.getByRole('button', { name: title, exact: true })
    await at.open('')
    await at.page.getByLabel('Address of the service').fill(service.url)
    await at.isSound()
    await button('Open').click()
    await at.page.getByText('1–10 of 23').waitFor()
    expect(at.address()).toBe('/book')
    await button('Filter').click()
    await at.page.getByRole('menuitem', { name: 'Genre' }).click()
    await at.page.getByRole('checkbox', { name: 'Essay' }).check()
    await at.page.getByText('1–8 of 8').waitFor()
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('link', { name: '2', exact: true }).click()

    await at.page.getByRole('heading', { name: 'Book 2' }).waitFor()
    await at.isSound()
    await at.page.getByLabel(/^Title/).fill('')
    await button('Save').click()
    await at.page.getByText('A book has a title.').first().waitFor()
    await at.page.getByLabel(/^Title/).fill('Middlemarch')
    await at.page.getByLabel('Pages').fill('880')
    await at.page.getByLabel('Published').fill('1871-12-01')
    await button('Save').click()
    await at.told('Middlemarch is saved.')
    expect(service.books[1]).toMatchObject({
      title: 'Middlemarch',
      pages: 880,
      published: '1871-12-01',
      genre: 'ESSAY',
    })

    await at.page.getByRole('tab', { name: 'Review' }).click()
    await at.page.getByRole('cell', { name: 'Read it twice' }).waitFor()
    await at.page.getByRole('tab', { name: 'Tag' }).click()
    await at.page.getByRole('combobox', { name: 'Link a tag' }).click()
    await at.page.getByRole('option', { name: 'signed' }).click()
    await button('Link').click()
    await at.page.getByRole('cell', { name: 'signed' }).waitFor()

    await at.page.getByRole('navigation', { name: 'Nouns' }).getByRole('link', { name: 'Book' }).click()
    await button('New book').click()
    await at.page.getByLabel(/^Title/).fill('Dune')
    await button('Create').click()
    await at.told('Dune is created.')
    expect(service.books.at(-1)).toMatchObject({ title: 'Dune', genre: 'NOVEL' })
    await button('Delete …').click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await at.told('Dune is deleted.')
    await until(() => service.books.length).toBe(23)
  })

  it('offers what else it can do: at a record, and on a page of its own where it stands at none', async () => {
    const service = await library()
    const at = await visitOf(service)
    await at.open('/book/3')
    await at.page.getByRole('button', { name: 'Lend it' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'Lend it' })
    await dialog.getByRole('button', { name: 'Lend it' }).click()
    await dialog.getByText('Who reads it?').first().waitFor()
    await dialog.getByLabel(/^Reader/).fill('Ada')
    await dialog.getByRole('button', { name: 'Lend it' }).click()
    await dialog.getByText('2026-12-13').waitFor()
    await dialog.getByText('{"name":"Ada","weeks":4}').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await until(() => at.page.getByRole('switch', { name: 'Lent' }).isChecked()).toBe(true)
    await at.page.getByRole('button', { name: 'Cover' }).click()
    await at.page.getByText(/It takes image\/png/).waitFor()
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('link', { name: 'Operations' }).click()
    await at.page.getByRole('button', { name: 'Open Report' }).click()
    await at.page.getByRole('dialog', { name: 'Report' }).getByText('23 books').waitFor()
    await at.isSound()
  })

  it('that tells no usage has a clear word for it', async () => {
    const at = await visitOf(await library())
    await at.open('/~usage')
    await at.page.getByText('This service does not tell its usage').waitFor()
    await at.isSound()
  })
})

describe('usage', () => {
  const line = (day: string, request: string, agent: string, status = 200) =>
    `127.0.0.1:1 - - [${day}/2026:10:00:00 +0000] "${request} HTTP/1.1" ${status} 10 "-" "${agent}"`
  const log = [
    ...Array.from({ length: 40 }, () => line('14/11', 'GET /book/7', 'shop/1.2')),
    ...Array.from({ length: 3 }, () => line('12/11', 'GET /book', 'desk/3')),
    line('01/09', 'DELETE /book/2', 'desk/3', 404),
  ]

  it('is a heat map with verdicts, and leads to who calls', async () => {
    const at = await visitOf(await library({ log }))
    await at.open('/~usage')
    await at.page.getByText(/44 requests from 2026-09-01 10:00 to 2026-11-14 10:00/).waitFor()
    await at.page.getByText('In use by shop').waitFor()
    await at.page.getByText('Quiet since 2026-09-01').waitFor()
    await at.page.getByText(/No line of 2026-09-02/).waitFor()
    await at.page.locator('.recharts-surface').first().waitFor()
    await at.isSound()
    await at.page.locator('label', { hasText: 'Never called' }).click()
    await until(() => at.address()).toBe('/~usage?verdict=never+called')
    await until(() => at.page.getByRole('button', { name: 'GET /book/{bookId}', exact: true }).count()).toBe(0)
    await at.page.locator('label', { hasText: /^All/ }).click()
    await at.page.getByRole('button', { name: /shop: 40 requests of GET \/book\/\{bookId\}/ }).click()
    const drawer = at.page.getByRole('dialog', { name: 'GET /book/{bookId}' })
    await drawer.getByRole('rowheader', { name: 'shop' }).waitFor()
    await at.isSound()
    await at.page.goBack()
    await until(() => drawer.count()).toBe(0)
  })
})

describe('signing in', () => {
  it('takes a token where the service asks for one, and only then', async () => {
    const at = await visitOf(await library({ isLetIn: (token) => token === 'good' }))
    await at.open('/book')
    const dialog = at.page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByLabel('Bearer token').fill('bad')
    await at.isSound()
    await dialog.getByRole('button', { name: 'Use this token' }).click()
    await dialog.getByText('The service did not take the token').waitFor()
    await dialog.getByLabel('Bearer token').fill('Bearer good')
    await dialog.getByRole('button', { name: 'Use this token' }).click()
    await at.page.getByText('1–10 of 23').waitFor()
    await at.page.getByRole('button', { name: /^Requests/ }).click()
    await at.page.getByText('authorization: Bearer $TOKEN').first().waitFor()
    expect(await at.page.getByText('good').count()).toBe(0)
  })

  it('goes to the provider that the document names, and comes back to where it was', async () => {
    const { provider, issuer, close } = await startProvider(files.url)
    onTestFinished(close)
    const isLetIn = async (token: string | undefined) =>
      token !== undefined && (await provider.AccessToken.find(token)) !== undefined
    const openId = { type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` }
    const at = await visitOf(await library({ isLetIn, security: { securitySchemes: { openId } } }), [issuer])
    await at.open('/book?genre=ESSAY')
    await at.page.getByRole('button', { name: 'Sign in with the provider of the service' }).click()
    await signInAs(at.page, 'ada')
    await at.page.getByText('1–8 of 8').waitFor()
    expect(at.address()).toBe('/book?genre=ESSAY')
    expect(new URL(at.page.url()).searchParams.has('code')).toBe(false)
  })
})
