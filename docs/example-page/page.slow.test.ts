// The example page, in a real browser: it works on mocks alone.
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { type PageServer, servePage } from '@nomen/testing/page-server'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: PageServer
let browser: Browser
let page: Page

beforeAll(async () => {
  server = await servePage(fileURLToPath(new URL('.', import.meta.url)))
  browser = await startChromium()
  page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(server.url)
  await page.getByText('4 roles').waitFor()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

const names = () => page.locator('#rows td:first-child').allTextContents()
const message = (text: string) => page.getByRole('status').getByText(text).waitFor()

it('lists, opens, adds, changes and deletes a role', async () => {
  expect(await names()).toEqual(['Clerk', 'Manager', 'Counter', 'Storekeeper'])

  await page.getByRole('cell', { name: 'Counter', exact: true }).click()
  await page.getByRole('heading', { name: 'Role 3' }).waitFor()
  expect(await page.getByLabel('Description').inputValue()).toBe('Walks the aisles in January')

  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByRole('heading', { name: 'New role' }).waitFor()
  await page.getByLabel('Name').fill('Auditor')
  await page.getByRole('button', { name: 'Save' }).click()
  await message('Auditor is saved.')
  await page.getByRole('heading', { name: 'Role 5' }).waitFor()
  expect(await names()).toEqual(['Clerk', 'Manager', 'Counter', 'Storekeeper', 'Auditor'])

  await page.getByLabel('Description').fill('Looks at everything')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Looks at everything' }).waitFor()

  await page.getByRole('cell', { name: 'Manager', exact: true }).click()
  await page.getByRole('heading', { name: 'Role 2' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await message('The role is deleted.')
  expect(await names()).toEqual(['Clerk', 'Counter', 'Storekeeper', 'Auditor'])
})

it('says what went wrong', async () => {
  await page.getByRole('cell', { name: 'Clerk', exact: true }).click()
  await page.getByRole('heading', { name: 'Role 1' }).waitFor()
  // Another tab has deleted it meanwhile.
  await page.evaluate(() => fetch('/v1/role/1', { method: 'DELETE' }))
  await page.getByRole('button', { name: 'Save' }).click()
  await message('Not Found')
})
