// Descriptions, patterns and titles in a real browser: hints, tooltips, validation before a request, records without a name.
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
  await view.page.getByRole('combobox', { name: 'Status' }).click()
  await view.page.getByRole('option', { name: /It is back on the shelf\./ }).click()
  await shelf.fill('D08')
  await view.page.getByRole('button', { name: 'Save' }).click()
  await view.page.getByText('Loan 1', { exact: false }).getByText('saved.').waitFor()
  expect((await inject(service, { url: '/loan/1' })).json()).toMatchObject({ shelf: 'D08', status: 'RETURNED' })
})
