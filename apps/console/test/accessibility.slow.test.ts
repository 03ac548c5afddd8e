// Every state of the console on a phone in the dark. Other tests check the same states on a wide and light page.
import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, type Page, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, it } from 'vitest'
import { builtConsole } from './built.ts'
import { lendingService } from './lending.ts'
import { sampleUsage } from './sample-usage.ts'
import { ticketService } from './ticket-service.ts'
import { type ConsoleView, visit } from './visit.ts'

const session = {} as { services: OpenService[]; bases: string[]; browser: Browser; view: ConsoleView }

beforeAll(async () => {
  const definition = directoryService({ users: 12 })
  const options = { database: 'sqlite::memory:', console: builtConsole, webhookPrivateTargets: true }
  session.services = await Promise.all(
    [definition, ticketService, lendingService].map((service) => open(service, options)),
  )
  session.bases = await Promise.all(session.services.map((service) => service.listen({ port: 0 })))
  session.browser = await startChromium()
  const [base] = session.bases
  session.view = await visit(session.browser, `${base}/console/`, {
    width: 390,
    scheme: 'dark',
    allowedOrigins: session.bases,
  })
  await session.view.page.route(/\/usage(\?.*)?$/, (route) => route.fulfill({ json: sampleUsage(definition) }))
  await send('PATCH', '/user/7', { phone: '555' })
  await send('POST', '/webhook', { url: 'http://127.0.0.1:9/hook' })
})

afterAll(async () => {
  await session.browser?.close()
  for (const service of session.services) await service.close()
})

async function send(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<void> {
  const { statusCode, body } = await inject(session.services[0] as OpenService, {
    method,
    url,
    ...(payload && { payload }),
  })
  if (statusCode >= 300) throw new Error(body)
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name })
const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name })
const press = (page: Page, key: string) => page.keyboard.press(key)

interface State {
  readonly name: string
  readonly path: string
  /** Another service than the directory: tickets have operations, and suppliers many kinds of fields. */
  readonly service?: 'ticket' | 'lending'
  /** Actions that lead from the page to the state. */
  readonly act?: (page: Page) => Promise<void>
}

const states: readonly State[] = [
  { name: 'the overview', path: '/' },
  { name: 'the usage', path: '/~usage' },
  {
    name: 'the callers of an endpoint',
    path: '/~usage',
    act: async (page) => {
      await page.getByRole('table').getByRole('button', { name: '/user', exact: true }).click()
      await dialog(page, '/user').getByRole('cell').first().waitFor()
    },
  },
  { name: 'the schema', path: '/~schema' },
  { name: 'a list', path: '/user-detail?status=ACTIVE&sort=lastName' },
  { name: 'a list without matches', path: '/user?search=nobody-is-called-so' },
  { name: 'a list with an unknown parameter', path: '/user?stauts=ACTIVE' },
  { name: 'linked records', path: '/v1/application/1/user/1/role' },
  {
    name: 'the picker of linked records',
    path: '/v1/application/1/user/1/role',
    act: async (page) => {
      await button(page, 'Link a role').click()
      await page.getByRole('listbox').getByRole('option').first().click()
    },
  },
  {
    name: 'the menu of a row',
    path: '/user',
    act: async (page) => {
      await button(page, 'Actions for user 1').click()
      await menuItem(page, 'Delete …').waitFor()
    },
  },
  {
    name: 'the filter menu',
    path: '/user',
    act: async (page) => {
      await press(page, 'f')
      await page.locator('input:focus').waitFor()
      await page.keyboard.type('susp')
      await page.getByRole('option', { name: 'Status Suspended' }).waitFor()
    },
  },
  ...(
    [
      ['a choice', 'status=ACTIVE', 'Status'],
      ['a text', 'lastName=Nowak', 'Last name'],
      ['a range', 'createdOrUpdatedFrom=last-7-days', 'Created or updated'],
      ['the sort', 'sort=lastName', 'Sort'],
    ] as const
  ).map(([name, query, title]) => ({
    name: `the editor of ${name}`,
    path: `/user?${query}`,
    act: async (page: Page) => {
      await button(page, new RegExp(`^${title}`))
        .first()
        .click()
      await dialog(page).waitFor()
    },
  })),
  {
    name: 'the editor of a reference',
    path: '/user?department=1',
    act: async (page) => {
      await button(page, /^Department/)
        .first()
        .click()
      await page.getByRole('combobox', { name: 'Department', expanded: true }).waitFor()
      await page.getByRole('listbox').getByRole('option').first().waitFor()
    },
  },
  {
    name: 'the columns',
    path: '/user',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Columns').click()
      await button(page, 'Pin Status').waitFor()
    },
  },
  {
    name: 'the formats of an export',
    path: '/user',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Export').click()
      await menuItem(page, 'Export as CSV').waitFor()
    },
  },
  {
    name: 'selected records',
    path: '/user',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select user 1', exact: true }).check()
      await button(page, 'Set …').click()
      await menuItem(page, 'Other field …').waitFor()
    },
  },
  {
    name: 'a field of selected records',
    path: '/user',
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select user 1', exact: true }).check()
      await button(page, 'Set …').click()
      await menuItem(page, 'Other field …').click()
      await page.getByRole('combobox', { name: 'Field' }).click()
      await page.getByRole('option', { name: 'Department' }).click()
      await page.getByRole('combobox', { name: 'Department' }).waitFor()
    },
  },
  {
    name: 'a change of selected records',
    path: '/user?pageSize=10',
    act: async (page) => {
      for (const box of await page.getByRole('checkbox').all()) await box.check()
      await button(page, 'Set …').click()
      await menuItem(page, 'Set status to Suspended').click()
      await dialog(page).getByText('10 users on this page are selected.').waitFor()
    },
  },
  {
    name: 'the deletion of a record with dependents',
    path: '/department/1',
    act: async (page) => {
      await button(page, 'Delete …').click()
      await dialog(page).getByText('users').first().waitFor()
    },
  },
  {
    name: 'the first step of an import',
    path: '/department',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Import').click()
      await button(page, 'Download template').waitFor()
    },
  },
  {
    name: 'the columns of an import',
    path: '/department',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Import').click()
      await chooseFile(page)
    },
  },
  {
    name: 'the checked rows of an import',
    path: '/department',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Import').click()
      await chooseFile(page)
      await button(page, 'Continue').click()
      await page.getByText('1 ready, 1 with errors.').waitFor()
    },
  },
  {
    name: 'the result of an import',
    path: '/department',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Import').click()
      await chooseFile(page)
      await button(page, 'Continue').click()
      await button(page, 'Import 1').click()
      await page.getByText('1 created, 1 rejected.').waitFor()
    },
  },
  { name: 'a form', path: '/user/7' },
  { name: 'a form with many kinds of fields', path: '/supplier/~new', service: 'lending' },
  {
    name: 'the input of an operation',
    path: '/ticket/1',
    service: 'ticket',
    act: async (page) => {
      await button(page, 'Reopen a ticket').click()
      await dialog(page, 'Reopen a ticket').getByRole('button', { name: 'Reopen a ticket' }).click()
      await dialog(page, 'Reopen a ticket').getByRole('alert').waitFor()
    },
  },
  {
    name: 'the response of an operation',
    path: '/ticket/1',
    service: 'ticket',
    act: async (page) => {
      await button(page, 'Outlook').click()
      await dialog(page, 'Outlook').getByText('Dec 24, 2026').waitFor()
    },
  },
  {
    name: 'a form with errors',
    path: '/user/~new',
    act: async (page) => {
      await button(page, 'Create').click()
      await page.getByText('Email is required').waitFor()
    },
  },
  {
    name: 'the options of a reference',
    path: '/user/7',
    act: async (page) => {
      await page.getByRole('combobox', { name: /Supervisor/ }).click()
      await page.getByRole('option').nth(3).waitFor()
    },
  },
  {
    name: 'a conflict',
    path: '/user/7',
    act: async (page) => {
      await page.getByLabel('Phone').fill('1')
      await send('PATCH', '/user/7', { extension: `${Math.random()}`.slice(2, 6) })
      await button(page, 'Save').click()
      await button(page, 'Merge').waitFor()
    },
  },
  {
    name: 'a form that is left with changes',
    path: '/user/7',
    act: async (page) => {
      await page.getByLabel('Phone').fill('1')
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Users' }).click()
      await dialog(page).waitFor()
    },
  },
  {
    name: 'the drawer',
    path: '/user?sort=id&_record=/user/7',
    act: (page) => dialog(page).getByLabel('Phone').waitFor(),
  },
  {
    name: 'a record created from a reference',
    path: '/user/7',
    act: async (page) => {
      await page.getByRole('combobox', { name: /Department/ }).click()
      await page.getByRole('option', { name: 'New department …' }).click()
      await dialog(page, 'New department').getByLabel(/^Name/).waitFor()
    },
  },
  { name: 'a list of dependents', path: '/department/1?_list=user.department' },
  { name: 'the history of a record', path: '/user/7/change' },
  {
    name: 'an entry of the history',
    path: '/change',
    act: async (page) => {
      await page.locator('.row-link').first().click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  {
    name: 'the restore of a value',
    path: '/user/7/change',
    act: async (page) => {
      await button(page, 'Restore this value').first().click()
      await dialog(page, 'Restore these values?').getByRole('cell').first().waitFor()
    },
  },
  {
    name: 'a deleted record',
    path: '/user/11',
    act: async (page) => {
      await send('DELETE', '/user/11')
      await page.reload()
      await button(page, 'Restore').waitFor()
    },
  },
  {
    name: 'a new view',
    path: '/user?status=ACTIVE',
    act: async (page) => {
      await button(page, 'More').click()
      await button(page, 'Views of Users').click()
      await menuItem(page, 'Save as a new view …').click()
      await page.getByRole('checkbox', { name: 'Share with all users' }).waitFor()
    },
  },
  {
    name: 'the palette',
    path: '/user',
    act: async (page) => {
      await press(page, 'Control+k')
      await page.locator('[role="dialog"] input:focus').waitFor()
      await page.keyboard.type('keller')
      await page.getByRole('option', { name: 'Anna Keller' }).waitFor()
    },
  },
  {
    name: 'the shortcuts',
    path: '/user',
    act: async (page) => {
      await press(page, '?')
      await dialog(page, 'Keyboard shortcuts').waitFor()
    },
  },
  {
    name: 'the requests',
    path: '/user',
    act: async (page) => {
      await button(page, 'Navigation').click()
      await button(page, /^API requests/).click()
      await dialog(page, 'Requests').locator('.exchange').first().waitFor()
    },
  },
  {
    name: 'the deliveries of a webhook',
    path: '/webhook/1/delivery',
    act: async (page) => {
      await button(page, 'Send test').click()
      await page
        .getByRole('status')
        .getByText(/^Not delivered/)
        .waitFor()
      await page.getByRole('row').nth(1).waitFor()
    },
  },
  {
    name: 'the navigation',
    path: '/user',
    act: (page) => button(page, 'Navigation').click(),
  },
  { name: 'a page that does not exist', path: '/nothing' },
]

async function chooseFile(page: Page): Promise<void> {
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('name,retired\nx,maybe\nSmall,false\n') }
  await page.locator('input[type="file"]').setInputFiles(file)
  await page.getByText('a.csv: 2 rows').waitFor()
}

it.each(states)('finds no accessibility errors in $name', async ({ path, service, act }) => {
  const { view, bases } = session
  await view.page.goto('about:blank')
  await view.page.goto(`${bases[service ? { ticket: 1, lending: 2 }[service] : 0]}/console/#${path}`)
  await view.settled()
  await act?.(view.page)
  await view.expectNoErrors()
})
