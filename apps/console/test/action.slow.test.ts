// Custom operations in a real browser: their position, input, confirmation and response.

import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { ticketService } from './ticket-service.ts'
import { type ConsoleView, visit } from './visit.ts'

let browser: Browser
let service: OpenService
let view: ConsoleView

beforeAll(async () => {
  service = await open(ticketService, { database: 'sqlite::memory:', console: builtConsole })
  const base = await service.listen({ port: 0 })
  browser = await startChromium()
  view = await visit(browser, `${base}/console/`)
})

afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const button = (title: string | RegExp) =>
  view.page.getByRole('button', { name: title, exact: typeof title === 'string' })
const dialog = (title: string) => view.page.getByRole('dialog', { name: title })
const ticket = async (id: number) => (await inject(service, { url: `/ticket/${id}` })).json()

it('shows a form for the input of an operation, errors at their fields, and the response', async () => {
  await view.open('/ticket/1')
  await button('Reopen a ticket').click()
  const form = dialog('Reopen a ticket')
  await form.getByText('POST /ticket/1/reopening').waitFor()
  expect(await form.getByRole('link', { name: 'Docs' }).getAttribute('href')).toBe(
    '../docs/#desk/tag/ticket/POST/ticket/{ticketId}/reopening',
  )
  await form.getByLabel(/^Reason/).fill('x')
  await view.expectNoErrors()
  await form.getByRole('button', { name: 'Reopen a ticket' }).click()
  await form.getByRole('alert').waitFor()
  expect(await form.getByLabel(/^Reason/).getAttribute('aria-invalid')).toBe('true')
  expect(await view.page.locator(':focus').getAttribute('name')).toBe('reason')
  await form.getByLabel(/^Reason/).fill('Broken again')
  await form.getByRole('combobox', { name: 'Owner' }).fill('grace')
  await view.page.getByRole('option', { name: 'Grace Hopper' }).click()
  await form.getByRole('button', { name: 'Reopen a ticket' }).click()
  const response = form.getByRole('status', { name: 'Response' })
  await response.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await response.getByText('Open', { exact: true }).waitFor()
  await view.expectNoErrors()
  expect(await ticket(1)).toMatchObject({ status: 'OPEN', owner: 2 })
  await form.getByRole('button', { name: 'Close' }).last().click()
  // The form shows the current record.
  await expect.poll(() => view.page.getByRole('combobox', { name: /Owner/ }).inputValue()).toBe('Grace Hopper')
})

it('asks for confirmation of an operation without input, and shows the request', async () => {
  await view.open('/ticket/2')
  await button('Closing').click()
  await dialog('Closing: “Screen”?').waitFor()
  await view.expectNoErrors()
  await view.page.keyboard.press('Escape')
  expect((await ticket(2)).status).toBe('OPEN')
  await button('Closing').click()
  await dialog('Closing').getByRole('button', { name: 'Closing' }).click()
  await view.expectMessage('Closing: done.')
  expect((await ticket(2)).status).toBe('CLOSED')
  await expect.poll(() => view.page.getByRole('combobox', { name: /Status/ }).inputValue()).toBe('Closed')
  await button(/^Requests: /).click()
  const panel = dialog('Requests')
  await panel.getByRole('button', { name: /POST \/ticket\/2\/closing/ }).click()
  await panel.getByRole('tab', { name: 'Typed client' }).click()
  await panel.getByText('await api.ticket.of(2).closing.post()').waitFor()
})

it('runs a GET without input immediately, from the row menu with the keyboard', async () => {
  await view.open('/ticket')
  await button('Actions for ticket 2').focus()
  await view.page.keyboard.press('Enter')
  const item = view.page.getByRole('menuitem', { name: 'Outlook …' })
  await item.waitFor()
  await item.focus()
  await view.page.keyboard.press('Enter')
  await dialog('Outlook').getByText('Dec 24, 2026').waitFor()
  await dialog('Outlook').getByText('Screen').waitFor()
  await view.page.keyboard.press('Escape')
  await expect.poll(() => dialog('Outlook').count()).toBe(0)
})

it('shows an operation on a collection above the list, with a form for its parameters', async () => {
  await view.open('/ticket')
  await button('Workload').click()
  const form = dialog('Workload')
  await form.getByRole('button', { name: 'Workload' }).click()
  await form.getByRole('alert').waitFor()
  expect(await form.getByLabel(/^At least/).getAttribute('aria-invalid')).toBe('true')
  await form.getByLabel(/^At least/).fill('7')
  await form.getByRole('button', { name: 'Workload' }).click()
  await form.getByRole('status', { name: 'Response' }).getByText('7', { exact: true }).waitFor()
  await form.getByLabel(/^At least/).fill('0')
  await form.getByRole('button', { name: 'Run again' }).click()
  await form.getByRole('status', { name: 'Response' }).getByText('2', { exact: true }).waitFor()
  await view.expectNoErrors()
})
