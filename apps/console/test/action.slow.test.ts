// Operations of a service's own, in a real browser: found where people look, filled in, confirmed, answered.

import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { deskService } from './desk.ts'
import { type Visit, visit } from './visit.ts'

let browser: Browser
let service: OpenService
let at: Visit

beforeAll(async () => {
  service = await open(deskService, { database: 'sqlite::memory:', console: builtConsole() })
  const base = await service.listen({ port: 0 })
  browser = await startChromium()
  at = await visit(browser, `${base}/console/`)
})

afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const button = (title: string | RegExp) =>
  at.page.getByRole('button', { name: title, exact: typeof title === 'string' })
const dialog = (title: string) => at.page.getByRole('dialog', { name: title })
const ticket = async (id: number) => (await inject(service, { url: `/ticket/${id}` })).json()

it('fills in what the operation of a record takes, with problems at their fields, and shows what came of it', async () => {
  await at.open('/ticket/1')
  await button('Reopen a ticket').click()
  const asked = dialog('Reopen a ticket')
  await asked.getByText('POST /ticket/{ticketId}/reopening').waitFor()
  await asked.getByLabel(/^Reason/).fill('x')
  await at.isSound()
  await asked.getByRole('button', { name: 'Reopen a ticket' }).click()
  await asked.getByRole('alert').waitFor()
  expect(await asked.getByLabel(/^Reason/).getAttribute('aria-invalid')).toBe('true')
  expect(await at.page.locator(':focus').getAttribute('name')).toBe('reason')
  await asked.getByLabel(/^Reason/).fill('Broken again')
  await asked.getByRole('combobox', { name: 'Owner' }).fill('grace')
  await at.page.getByRole('option', { name: 'Grace Hopper' }).click()
  await asked.getByRole('button', { name: 'Reopen a ticket' }).click()
  const answer = asked.getByRole('status', { name: 'Answer' })
  await answer.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await answer.getByText('Open', { exact: true }).waitFor()
  await at.isSound()
  expect(await ticket(1)).toMatchObject({ status: 'OPEN', owner: 2 })
  await asked.getByRole('button', { name: 'Close' }).last().click()
  // The form shows the record as it is now.
  await expect.poll(() => at.page.getByRole('combobox', { name: /Owner/ }).inputValue()).toBe('Grace Hopper')
})

it('asks whether it is meant where there is nothing to fill in, and tells the request', async () => {
  await at.open('/ticket/2')
  await button('Closing').click()
  await dialog('Closing').getByText('Screen').waitFor()
  await at.isSound()
  await at.page.keyboard.press('Escape')
  expect((await ticket(2)).status).toBe('OPEN')
  await button('Closing').click()
  await dialog('Closing').getByRole('button', { name: 'Closing' }).click()
  await at.told('Closing: done.')
  expect((await ticket(2)).status).toBe('CLOSED')
  await expect.poll(() => at.page.getByRole('combobox', { name: /Status/ }).inputValue()).toBe('Closed')
  await button(/^Requests/).click()
  const panel = dialog('Requests')
  await panel.getByRole('button', { name: /POST \/ticket\/2\/closing/ }).click()
  await panel.getByRole('tab', { name: 'Typed client' }).click()
  await panel.getByText('await api.ticket.of(2).closing.post()').waitFor()
})

it('reads at once where there is nothing to say, also from the menu of a row and by keys alone', async () => {
  await at.open('/ticket')
  await button('Actions for ticket 2').focus()
  await at.page.keyboard.press('Enter')
  const item = at.page.getByRole('menuitem', { name: 'Outlook …' })
  await item.waitFor()
  await item.focus()
  await at.page.keyboard.press('Enter')
  await dialog('Outlook').getByText('2026-12-24').waitFor()
  await dialog('Outlook').getByText('Screen').waitFor()
  await at.page.keyboard.press('Escape')
  await expect.poll(() => dialog('Outlook').count()).toBe(0)
})

it('stands above the list where it is for all of it, and asks for its parameters', async () => {
  await at.open('/ticket')
  await button('Workload').click()
  const asked = dialog('Workload')
  await asked.getByRole('button', { name: 'Workload' }).click()
  await asked.getByRole('alert').waitFor()
  expect(await asked.getByLabel(/^At least/).getAttribute('aria-invalid')).toBe('true')
  await asked.getByLabel(/^At least/).fill('7')
  await asked.getByRole('button', { name: 'Workload' }).click()
  await asked.getByRole('status', { name: 'Answer' }).getByText('7', { exact: true }).waitFor()
  await asked.getByLabel(/^At least/).fill('0')
  await asked.getByRole('button', { name: 'Ask again' }).click()
  await asked.getByRole('status', { name: 'Answer' }).getByText('2', { exact: true }).waitFor()
  await at.isSound()
})
