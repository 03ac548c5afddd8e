/** Creates the screenshots of the documentation, with the sample data of the directory: `npm run console:pictures`. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { type Page, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { builtConsole } from './built.ts'
import { lendingService } from './lending.ts'
import { sampleUsage } from './sample-usage.ts'
import { settledPage } from './settled.ts'
import { ticketService } from './ticket-service.ts'

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

interface Picture {
  readonly name: string
  readonly address: string
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** A service other than the directory: tickets have custom operations, lending has descriptions. */
  readonly service?: 'ticket' | 'lending'
  /** Actions before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const activeUsersPath = '/user-detail?status=ACTIVE&department=1&department=2&sort=lastName'

const pictures: readonly Picture[] = [
  { name: 'console-overview', address: '/', height: 800 },
  { name: 'console-schema', address: '/~schema?api=Directory+v1', height: 660 },
  { name: 'console-list', address: activeUsersPath },
  { name: 'console-list-dark', address: activeUsersPath, scheme: 'dark' },
  { name: 'console-drawer', address: '/user?sort=id&_record=/user/7', height: 700 },
  { name: 'console-drawer-dark', address: '/user?sort=id&_record=/user/7', height: 700, scheme: 'dark' },
  { name: 'console-form', address: '/user/7' },
  { name: 'console-form-dark', address: '/user/7', scheme: 'dark' },
  { name: 'console-history', address: '/user/7/change', height: 700 },
  { name: 'console-history-dark', address: '/user/7/change', scheme: 'dark', height: 700 },
  { name: 'console-links', address: '/v1/application/1/user/1/role' },
  { name: 'console-usage', address: '/~usage', height: 860 },
  { name: 'console-usage-dark', address: '/~usage', scheme: 'dark', height: 860 },
  { name: 'console-phone', address: '/user', width: 390, height: 720 },
  {
    name: 'console-request',
    address: '/user?status=SUSPENDED&pageSize=25',
    act: async (page) => {
      await page.getByRole('button', { name: /^Requests: / }).click()
      await page.getByRole('tab', { name: 'Typed client' }).click()
    },
  },
  {
    name: 'console-import',
    address: '/user',
    act: async (page) => {
      const csv = [
        'First name,Last name,E-Mail,status,team',
        'Ada,Byron,ada@example.com,ACTIVE,Engineering',
        'Grace,Hopper,grace@example.com,ACTIVE,Sales',
      ]
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv.join('\n')) }
      await page.locator('input[type="file"]').setInputFiles(file)
      await page.getByText('people.csv: 2 rows').waitFor()
    },
  },
  {
    name: 'console-operation',
    address: '/ticket/1',
    service: 'ticket',
    act: async (page) => {
      await page.getByRole('button', { name: 'Reopen a ticket' }).click()
      const dialog = page.getByRole('dialog', { name: 'Reopen a ticket' })
      await dialog.getByLabel(/^Reason/).fill('The paper jams again')
      await dialog.getByRole('combobox', { name: 'Owner' }).click()
      await page.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    },
  },
  {
    name: 'console-description',
    address: '/loan/1',
    service: 'lending',
    act: async (page) => {
      await page.getByRole('textbox', { name: /^Shelf/ }).fill('c7')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('combobox', { name: 'Status' }).click()
      await page.getByRole('option', { name: /^Returned/ }).waitFor()
    },
  },
]

/** Names of pictures on the command line (default: all). */
const pictureNames = process.argv.slice(2)

const directoryDefinition = directoryService()
const directory = await open(directoryDefinition, { database: 'sqlite::memory:', console: builtConsole })
const base = await directory.listen({ port: 0 })
await changeUser('shop/4.1', { phone: '555-0100', department: 3, status: 'SUSPENDED' })
await changeUser('payroll/2.0', { supervisor: 2, extension: '12' })
await changeUser('shop/4.1', { status: 'ACTIVE' })
const tickets = await open(ticketService, { database: 'sqlite::memory:', console: builtConsole })
const lending = await open(lendingService, { database: 'sqlite::memory:', console: builtConsole })
const bases = { directory: base, ticket: await tickets.listen({ port: 0 }), lending: await lending.listen({ port: 0 }) }
const browser = await startChromium()
mkdirSync(folder, { recursive: true })
try {
  for (const picture of pictures)
    if (pictureNames.length === 0 || pictureNames.includes(picture.name)) await takePicture(picture)
} finally {
  await browser.close()
  await directory.close()
  await tickets.close()
  await lending.close()
}

async function takePicture(picture: Picture): Promise<void> {
  const { name, address, scheme = 'light', width = 1280, height = 640, service = 'directory', act } = picture
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const settled = settledPage(page)
  // A new service has no usage yet, so the picture shows a sample report. The overview requests the last 30 days.
  await page.route(/\/usage(\?.*)?$/, (route) =>
    route.fulfill({ json: sampleUsage(directoryDefinition, route.request().url().includes('from=') ? 30 : 60) }),
  )
  await page.goto(`${bases[service]}/console/#${address}`)
  await settled()
  await act?.(page)
  await settled()
  await page.screenshot({ path: `${folder}${name}.png` })
  await context.close()
  console.log(`docs/pictures/${name}.png`)
}

/** A change of user 7 by another application, for the pictures of the history. */
async function changeUser(agent: string, payload: object): Promise<void> {
  await inject(directory, { method: 'PATCH', url: '/user/7', headers: { 'user-agent': agent }, payload })
}
