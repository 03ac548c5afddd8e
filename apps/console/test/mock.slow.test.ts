// The console on mocks, without a service, supports the same five actions.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleView, visit } from './visit.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let browser: Browser
let view: ConsoleView
let stop: () => void

beforeAll(async () => {
  const mockServer = spawn(process.execPath, ['scripts/console-mock.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stop = () => mockServer.kill()
  const consoleUrl = await new Promise<string>((resolve) =>
    mockServer.stdout.on('data', (text) => {
      const [url] = /http:\S+/.exec(`${text}`) ?? []
      if (url) resolve(url)
    }),
  )
  browser = await startChromium()
  view = await visit(browser, consoleUrl)
})

afterAll(async () => {
  await browser?.close()
  stop?.()
})

const button = (title: string) => view.page.getByRole('button', { name: title, exact: true })
const field = (title: string) => view.page.getByLabel(new RegExp(`^${title}( \\*)?$`))
const pollUntil = expect.poll

it('lists, opens, adds, changes and deletes', async () => {
  await view.page.goto(new URL(view.base).href)
  await view.page.getByRole('cell', { name: 'Clerk', exact: true }).waitFor()
  await view.page.getByRole('banner').getByText('mocks', { exact: true }).waitFor()
  expect(view.path()).toBe('/v1/role')
  expect(await view.column('Name')).toEqual(['Clerk', 'Manager', 'Counter', 'Storekeeper'])
  await view.expectNoErrors()

  await view.page.getByRole('link', { name: 'Counter', exact: true }).click()
  await view.page.getByRole('heading', { name: 'Counter' }).waitFor()
  await pollUntil(() => view.page.getByRole('combobox', { name: /Application/ }).inputValue()).toBe('Stock')

  await field('Description').fill('Counts')
  await button('Save').click()
  await view.expectMessage('Counter saved.')

  await view.page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Roles' }).click()
  await pollUntil(() => view.column('Description')).toContain('Counts')
  await button('New role').click()
  await field('Name').fill('Auditor')
  await view.page.getByRole('combobox', { name: /Application/ }).click()
  await view.page.getByRole('option', { name: 'Payroll' }).click()
  await button('Create').click()
  await view.expectMessage('Auditor created.')
  await view.page.getByRole('heading', { name: 'Auditor' }).waitFor()
  expect(view.path()).toBe('/v1/role/5')

  await button('Delete …').click()
  await view.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await view.expectMessage('Auditor deleted.')
  await pollUntil(() => view.column('Name')).toEqual(['Clerk', 'Manager', 'Counter', 'Storekeeper'])
})

it('shows the data of the mocks, even if it does not match the document', async () => {
  await view.open('/v1/user')
  await view.page.getByRole('cell', { name: 'Marta Lindqvist' }).waitFor()
  await view.page.getByRole('link', { name: '1', exact: true }).click()
  await view.page.getByRole('heading', { name: 'Marta Lindqvist' }).waitFor()
  await view.open('/v1/application/1/user/1/role')
  await view.page.getByRole('cell', { name: 'Clerk', exact: true }).waitFor()
})
