// Descriptions, patterns, titles and kinds of fields in a real browser: hints, tooltips, validation before a request, inputs.
import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { lendingService } from './lending.ts'
import { type ConsoleView, visit } from './visit.ts'

let browser: Browser
let service: OpenService
let view: ConsoleView

beforeAll(async () => {
  service = await open(lendingService, { database: 'sqlite::memory:', console: builtConsole })
  const base = await service.listen({ port: 0 })
  browser = await startChromium()
  view = await visit(browser, `${base}/console/`)
})

afterAll(async () => {
  await browser?.close()
  await service?.close()
})

it('shows descriptions of a list and its columns, in tooltips that the keyboard can reach', async () => {
  await view.open('/loan')
  await view.page.getByText('Books in the hands of members.').waitFor()
  await view.page.getByRole('button', { name: 'Due', exact: true }).focus()
  await view.page.getByRole('tooltip', { name: /^The last day on which the book may come back\./ }).waitFor()
  await view.expectNoErrors()
})

it('names a record without a name by its noun, its ID and its references', async () => {
  await view.open('/loan/1')
  await view.page.getByRole('heading', { name: 'Loan 1 (Dune, Ada Byron)' }).waitFor()
  await view.page.getByRole('navigation').getByText('Loan 1 (Dune, Ada Byron)').waitFor()
})

it('opens a record whose name is empty from its row', async () => {
  await inject(service, { method: 'POST', url: '/member', payload: { name: '' } })
  await view.open('/member')
  await view.page.getByRole('row').last().getByRole('link', { name: '–', exact: true }).click()
  await view.page.getByRole('heading', { name: 'Member 3' }).waitFor()
})

it('aligns inputs beside each other, whether they have a description or not', async () => {
  await view.open('/loan/1')
  const top = async (name: RegExp) => (await view.page.getByRole('textbox', { name }).boundingBox())?.y
  await view.page.getByText('Where it belongs.').waitFor()
  expect(await top(/^Shelf/)).toBe(await top(/^Renewals/))
})

it('shows hints at fields and values, and does not send a value that does not match its pattern', async () => {
  await view.open('/loan/1')
  await view.page.getByText('The last day on which the book may come back.').waitFor()
  const shelf = view.page.getByRole('textbox', { name: /^Shelf/ })
  await shelf.fill('c7')
  await view.page.getByRole('button', { name: 'Save' }).click()
  await view.page.getByText('Must match the pattern').waitFor()
  expect(await view.page.locator(':focus').getAttribute('name')).toBe('shelf')
  await view.expectNoErrors()
  expect((await inject(service, { url: '/loan/1' })).json().shelf).toBe('C07')
  // The list of books has the names of publishers instead of their IDs.
  await view.page.getByRole('combobox', { name: /^Book/ }).click()
  await view.page.getByRole('option', { name: 'Emma Chilton · 2' }).waitFor()
  await view.page.getByRole('combobox', { name: 'Status' }).click()
  await view.page.getByRole('option', { name: /It is back on the shelf\./ }).click()
  await shelf.fill('D08')
  await view.page.getByRole('button', { name: 'Save' }).click()
  await view.page.getByText('Loan 1', { exact: false }).getByText('saved.').waitFor()
  expect((await inject(service, { url: '/loan/1' })).json()).toMatchObject({ shelf: 'D08', status: 'RETURNED' })
})

it('has an input for each kind of value, and checks all of them before it sends', async () => {
  const { page } = view
  // Documents of other services say which text is a color.
  await page.route('**/openapi.json', async (route) => {
    const text = await (await route.fetch()).text()
    const document = JSON.parse(text, (key, value) => (key === 'color' ? { ...value, format: 'color' } : value))
    await route.fulfill({ json: document })
  })
  await view.open('/supplier/~new')
  const input = (name: RegExp) => page.getByRole('textbox', { name })
  await input(/^Fee/).fill('12,5,')
  await page.getByLabel(/^Opened/).fill('2026-11-18T05:54')
  await page.getByText(/^In UTC\. Local time: Nov 18, 2026, /).waitFor()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('3 fields need attention').waitFor()
  await page.getByText('Name is required.').waitFor()
  await page.getByText('Email is required.').waitFor()
  await page.getByText('Enter a decimal number such as 12.50.').waitFor()
  await view.expectNoErrors()
  await input(/^Name/).fill('Ink & Co')
  await input(/^Email/).fill('ink@example.com')
  expect(await page.getByRole('link', { name: 'Send an e-mail' }).getAttribute('href')).toBe('mailto:ink@example.com')
  await input(/^Site/).fill('https://ink.example.com')
  expect(await page.getByRole('link', { name: 'Open URL' }).getAttribute('href')).toBe('https://ink.example.com/')
  await input(/^Fee/).fill('1499.90')
  await page.getByLabel('Pick a color for Color').fill('#0b7285')
  expect(await input(/^Color/).inputValue()).toBe('#0b7285')
  expect(await input(/^Notes/).evaluate((element) => element.tagName)).toBe('TEXTAREA')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await view.expectMessage('Ink & Co created.')
  expect((await inject(service, { url: '/supplier/1' })).json()).toMatchObject({
    fee: '1499.90',
    color: '#0b7285',
    opened: '2026-11-18T05:54:00.000Z',
  })
  await view.open('/supplier')
  await page.getByRole('cell', { name: '1,499.90' }).waitFor()
  await page.getByRole('cell', { name: '#0b7285' }).locator('.color-swatch').waitFor()
  await page.unroute('**/openapi.json')
  // Times can be shown and entered in the time zone of the browser.
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kathmandu' })
  await view.open('/supplier')
  await page.getByRole('cell', { name: /^Nov 18, 2026 5:54\sAM UTC$/ }).waitFor()
  await page.getByRole('button', { name: 'Language: English' }).click()
  await view.expectNoErrors()
  await page.getByRole('menuitemcheckbox', { name: /^In local time/ }).click()
  await page.getByRole('cell', { name: /^Nov 18, 2026 11:39\sAM GMT\+5:45$/ }).waitFor()
  await view.open('/supplier/1')
  const opened = page.getByLabel(/^Opened/)
  await expect.poll(() => opened.inputValue()).toBe('2026-11-18T11:39')
  await page.getByText(/^In local time\. In UTC: Nov 18, 2026 5:54\sAM UTC$/).waitFor()
  await opened.fill('2026-11-19T00:15')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await view.expectMessage('Ink & Co saved.')
  expect((await inject(service, { url: '/supplier/1' })).json()).toMatchObject({ opened: '2026-11-18T18:30:00.000Z' })
  await page.getByRole('button', { name: 'Now' }).click()
  await expect.poll(() => opened.inputValue()).not.toBe('2026-11-19T00:15')
  await page.getByRole('button', { name: 'Discard changes' }).click()
})
