// The console on mocks: no service at all, the same five things can be done.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { type Visit, visit } from './visit.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
let browser: Browser
let at: Visit
let stop: () => void

beforeAll(async () => {
  builtConsole()
  const served = spawn(process.execPath, ['scripts/console-mock.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stop = () => served.kill()
  const address = await new Promise<string>((resolve) =>
    served.stdout.on('data', (text) => {
      const [found] = /http:\S+/.exec(`${text}`) ?? []
      if (found) resolve(found)
    }),
  )
  browser = await startChromium()
  at = await visit(browser, address)
})

afterAll(async () => {
  await browser?.close()
  stop?.()
})

const button = (title: string) => at.page.getByRole('button', { name: title, exact: true })
const field = (title: string) => at.page.getByLabel(new RegExp(`^${title}( \\*)?$`))
const until: typeof expect.poll = (ask, options) => expect.poll(ask, { timeout: 10_000, ...options })

it('lists, opens, adds, changes and deletes', async () => {
  await at.page.goto(new URL(at.base).href)
  await at.page.getByRole('cell', { name: 'Clerk', exact: true }).waitFor()
  expect(at.address()).toBe('/v1/role')
  expect(await at.column('Name')).toEqual(['Clerk', 'Manager', 'Counter', 'Storekeeper'])
  await at.isSound()

  await at.page.getByRole('link', { name: '3', exact: true }).click()
  await at.page.getByRole('heading', { name: 'Counter' }).waitFor()
  await until(() => at.page.getByRole('combobox', { name: /Application/ }).inputValue()).toBe('Stock')

  await field('Description').fill('Counts')
  await button('Save').click()
  await at.told('Counter is saved.')

  await at.page.getByRole('navigation', { name: 'Nouns' }).getByRole('link', { name: 'Role' }).click()
  await until(() => at.column('Description')).toContain('Counts')
  await button('New role').click()
  await field('Name').fill('Auditor')
  await at.page.getByRole('combobox', { name: /Application/ }).click()
  await at.page.getByRole('option', { name: 'Payroll' }).click()
  await button('Create').click()
  await at.told('Auditor is created.')
  await at.page.getByRole('heading', { name: 'Auditor' }).waitFor()
  expect(at.address()).toBe('/v1/role/5')

  await button('Delete …').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.told('Auditor is deleted.')
  await until(() => at.column('Name')).toEqual(['Clerk', 'Manager', 'Counter', 'Storekeeper'])
})

it('shows what the mocks hold, though the document says otherwise', async () => {
  await at.open('/v1/user')
  await at.page.getByRole('cell', { name: 'Marta Lindqvist' }).waitFor()
  await at.page.getByRole('link', { name: '1', exact: true }).click()
  await at.page.getByRole('heading', { name: 'Marta Lindqvist' }).waitFor()
  await at.open('/v1/application/1/user/1/role')
  await at.page.getByRole('cell', { name: 'Clerk', exact: true }).waitFor()
})
