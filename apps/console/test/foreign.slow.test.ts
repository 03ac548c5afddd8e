// The console as static files of any web server, for a service whose document has no extensions.
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { type Library, startLibrary } from './library.ts'
import { signInAs, startProvider } from './provider.ts'
import { serveStaticFiles } from './static-files.ts'
import { type ConsoleView, visit } from './visit.ts'

let browser: Browser
let files: { readonly url: string; close(): void }

beforeAll(async () => {
  files = await serveStaticFiles(builtConsole)
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  files?.close()
})

/** Polls until the expectation is met. */
const pollUntil = expect.poll

async function openLibrary(options: Parameters<typeof startLibrary>[0] = {}): Promise<Library> {
  const library = await startLibrary(options)
  onTestFinished(() => library.close())
  return library
}

async function visitLibrary(service: Library, otherOrigins: readonly string[] = []): Promise<ConsoleView> {
  const base = `${files.url}?document=${encodeURIComponent(`${service.url}/openapi.json`)}`
  const view = await visit(browser, base, { allowedOrigins: [service.url, ...otherOrigins] })
  onTestFinished(() => view.close())
  return view
}

describe('a foreign service', () => {
  it('is connected, listed, opened, changed, created, deleted and linked', async () => {
    const service = await openLibrary()
    const view = await visit(browser, files.url, { allowedOrigins: [service.url], expectedMessages: /status of 404/ })
    onTestFinished(() => view.close())
    const button = (title: string) => view.page.getByRole('button', { name: title, exact: true })
    await view.open('')
    await view.page.getByLabel('URL of the service').fill(service.url)
    await view.expectNoErrors()
    await button('Connect').click()
    await view.page
      .getByRole('main')
      .getByRole('link', { name: /^Books/ })
      .click()
    await view.page.getByText('1–23 of 23').waitFor()
    expect(view.path()).toBe('/book')
    await button('Filter').click()
    await view.page.getByRole('option', { name: 'Genre' }).click()
    await view.page.getByRole('checkbox', { name: 'Essay' }).check()
    await view.page.getByText('1–8 of 8').waitFor()
    await view.page.keyboard.press('Escape')
    await view.page.getByRole('link', { name: 'Book 2', exact: true }).click()

    await view.page.getByRole('heading', { name: 'Book 2' }).waitFor()
    await view.expectNoErrors()
    await view.page.getByLabel(/^Title/).fill('')
    await button('Save').click()
    await view.page.getByText('A book has a title.').first().waitFor()
    await view.page.getByLabel(/^Title/).fill('Middlemarch')
    await view.page.getByLabel('Pages').fill('880')
    await view.page.getByLabel('Published').fill('1871-12-01')
    await button('Save').click()
    await view.expectMessage('Middlemarch saved.')
    expect(service.books[1]).toMatchObject({
      title: 'Middlemarch',
      pages: 880,
      published: '1871-12-01',
      genre: 'ESSAY',
    })

    await view.page.getByRole('tab', { name: 'Reviews' }).click()
    await view.page.getByRole('cell', { name: 'Read it twice' }).waitFor()
    await view.page.getByRole('tab', { name: 'Tags' }).click()
    await button('Link a tag').click()
    await view.page.getByRole('option', { name: 'signed' }).click()
    await button('Link').click()
    await view.page.getByRole('cell', { name: 'signed' }).waitFor()

    await view.page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Books' }).click()
    await button('New book').click()
    await view.page.getByLabel(/^Title/).fill('Dune')
    await button('Create').click()
    // The first choice is not a default.
    await view.page.getByText('Genre is required.').waitFor()
    await view.page.getByRole('combobox', { name: /^Genre/ }).click()
    await view.page.getByRole('option', { name: 'Novel' }).click()
    await button('Create').click()
    await view.expectMessage('Dune created.')
    expect(service.books.at(-1)).toMatchObject({ title: 'Dune', genre: 'NOVEL' })
    await button('Delete …').click()
    await view.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await view.expectMessage('Dune deleted.')
    await pollUntil(() => service.books.length).toBe(23)
  })

  it('deletes a record that it does not read alone', async () => {
    const service = await openLibrary()
    const view = await visitLibrary(service)
    await view.page.route('**/openapi.json', async (route) => {
      const response = await route.fetch()
      const document = await response.json()
      delete document.paths['/book/{bookId}'].get
      await route.fulfill({ response, json: document })
    })
    await view.open('/book')
    await view.page
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await view.page.getByRole('menuitem', { name: 'Delete …' }).click()
    await view.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await view.page.getByText('1–22 of 22').waitFor()
    expect(service.books).toHaveLength(22)
  })

  it('shows a record that only lists have as they show it', async () => {
    const view = await visitLibrary(await openLibrary())
    await view.open('/tag/2')
    await view.page.getByRole('heading', { name: 'signed' }).waitFor()
    expect(await view.page.locator('dl dd').allInnerTexts()).toEqual(['2', 'signed'])
    await view.expectNoErrors()
    await view.open('/tag/3')
    await view.page.getByText('The service has Tag 3 only in lists, and the first page does not have it.').waitFor()
    await view.expectNoErrors()
  })

  it('shows the text of errors that are not problem documents', async () => {
    const view = await visitLibrary(await openLibrary())
    const fail = (path: string, status: number, contentType: string, body: string) =>
      view.page.route(path, (route) => route.fulfill({ status, contentType, body }))
    await fail('**/book?*', 500, 'text/plain', 'The shelf is being repaired.')
    await view.open('/book')
    const alert = view.page.getByRole('alert')
    await alert.getByText('The shelf is being repaired.').waitFor()
    expect(await alert.locator('code').allInnerTexts()).toEqual(['500'])
    await fail('**/book/1', 502, 'text/html', '<html><head><title>502</title></head><h1>No&nbsp;upstream</h1></html>')
    await view.open('/book/1')
    await alert.getByText('No upstream').waitFor()
    expect(await alert.locator('code').allInnerTexts()).toEqual(['502'])
    // A page for people instead of a record, such as that of a proxy.
    await fail('**/book/2', 200, 'text/html', '<h1>Sign in</h1>')
    await view.open('/book/2')
    await alert.getByText('The response is not a record.').waitFor()
  })

  it('offers custom operations at their record or on a separate page', async () => {
    const service = await openLibrary()
    const view = await visitLibrary(service)
    await view.open('/book/3')
    await view.page.getByRole('button', { name: 'Lend it' }).click()
    const dialog = view.page.getByRole('dialog', { name: 'Lend it' })
    await dialog.getByRole('button', { name: 'Lend it' }).click()
    await dialog.getByText('Who reads it?').first().waitFor()
    await dialog.getByLabel(/^Reader/).fill('Ada')
    await dialog.getByRole('button', { name: 'Lend it' }).click()
    await dialog.getByText('Dec 13, 2026').waitFor()
    await dialog.getByText('{"name":"Ada","weeks":4}').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await pollUntil(() => view.page.getByRole('switch', { name: 'Lent' }).isChecked()).toBe(true)
    await view.page.getByRole('button', { name: 'Cover' }).click()
    await view.page.getByText(/This operation takes image\/png/).waitFor()
    await view.page.keyboard.press('Escape')
    await view.page.getByRole('link', { name: 'Operations' }).click()
    await view.page.getByRole('button', { name: 'Open Report' }).click()
    await view.page.getByRole('dialog', { name: 'Report' }).getByText('23 books').waitFor()
    await view.expectNoErrors()
  })

  it('without a usage report shows that usage is not available', async () => {
    const view = await visitLibrary(await openLibrary())
    await view.open('/~usage')
    await view.page.getByText('Usage is not available').waitFor()
    await view.expectNoErrors()
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

  it('is a heat map with verdicts, and opens the callers', async () => {
    const view = await visitLibrary(await openLibrary({ log }))
    await view.open('/~usage')
    await view.page.getByText(/44 requests from Sep 1, 2026 10:00\sAM to Nov 14, 2026 10:00\sAM UTC/).waitFor()
    await view.page.getByText('In use by shop, desk').waitFor()
    await view.page.getByRole('button', { name: 'Endpoints of /book' }).click()
    await view.page.getByText('Quiet since Sep 1, 2026').waitFor()
    await view.page.getByText(/did not count, on Sep 2, 2026/).waitFor()
    await view.page.getByRole('figure', { name: 'Requests by day, maximum 40' }).waitFor()
    await view.expectNoErrors()
    await view.page.locator('label', { hasText: 'Never called' }).click()
    await pollUntil(() => view.path()).toBe('/~usage?verdict=never+called')
    await pollUntil(() => view.page.getByRole('button', { name: 'GET /book/{bookId}', exact: true }).count()).toBe(0)
    await view.page.locator('label', { hasText: /^All endpoints \d/ }).click()
    await view.page.getByRole('button', { name: /40 requests from shop to GET \/book\/\{bookId\}/ }).click()
    const drawer = view.page.getByRole('dialog', { name: 'GET /book/{bookId}' })
    await drawer.getByRole('rowheader', { name: 'shop' }).waitFor()
    await view.expectNoErrors()
    await view.page.goBack()
    await pollUntil(() => drawer.count()).toBe(0)
  })
})

describe('signing in', () => {
  it('requests a token only if the service requires one', async () => {
    const view = await visitLibrary(await openLibrary({ isTokenValid: (token) => token === 'good' }))
    await view.open('/book')
    const dialog = view.page.getByRole('dialog', { name: 'Sign in' })
    await dialog.getByLabel('Bearer token').fill('bad')
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Use this token' }).click()
    await dialog.getByText('The service rejected the token').waitFor()
    await dialog.getByLabel('Bearer token').fill('Bearer good')
    await dialog.getByRole('button', { name: 'Use this token' }).click()
    await view.page.getByText('1–23 of 23').waitFor()
    await view.page.getByRole('button', { name: /^Requests: / }).click()
    await view.page.getByText('authorization: Bearer $TOKEN').first().waitFor()
    expect(await view.page.getByText('good').count()).toBe(0)
  })

  it('signs in at the provider of the document, and returns to the same view', async () => {
    const { provider, issuer, close } = await startProvider(files.url)
    onTestFinished(close)
    const isTokenValid = async (token: string | undefined) =>
      token !== undefined && (await provider.AccessToken.find(token)) !== undefined
    const openId = { type: 'openIdConnect', openIdConnectUrl: `${issuer}/.well-known/openid-configuration` }
    const view = await visitLibrary(await openLibrary({ isTokenValid, security: { securitySchemes: { openId } } }), [
      issuer,
    ])
    await view.open('/book?genre=ESSAY')
    await view.page.getByRole('button', { name: 'Sign in with SSO' }).click()
    await signInAs(view.page, 'ada')
    await view.page.getByText('1–8 of 8').waitFor()
    expect(view.path()).toBe('/book?genre=ESSAY')
    expect(new URL(view.page.url()).searchParams.has('code')).toBe(false)
  })
})
