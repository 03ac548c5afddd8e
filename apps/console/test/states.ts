/** The states of the console that the accessibility test checks, and how to reach them. */
import type { Page } from '@nomen/testing/chromium'

export interface Session {
  readonly page: Page
  readonly isPhone: boolean
  /** A token for the secured service. */
  readonly token: string
  /** Sends a request to the directory. */
  send(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<void>
}

export interface State {
  readonly name: string
  readonly path: string
  /** Another service than the directory: tickets have operations, suppliers many kinds of fields, and the secured one needs a token. */
  readonly service?: 'ticket' | 'lending' | 'secured'
  /** Actions that lead from the page to the state. */
  readonly act?: (session: Session) => Promise<unknown>
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name })
const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name })
const press = (page: Page, key: string) => page.keyboard.press(key)

/** Loads the page again, with another settings.json. */
async function reloadWithSettings(page: Page, response: { status: number } | { json: object }): Promise<void> {
  await page.route('**/settings.json', (route) => route.fulfill(response), { times: 1 })
  await page.reload()
}

/** Presses a button above a list. A phone has it in a menu. */
async function pressTool({ page, isPhone }: Session, name: string): Promise<void> {
  if (isPhone) await button(page, 'More').click()
  await button(page, name).click()
}

/** On a phone, the navigation is behind a button. */
const openNavigation = async ({ page, isPhone }: Session) => isPhone && button(page, 'Navigation').click()

/** Changes the form of a user without saving it. */
const changeForm = (page: Page) => page.getByLabel('Phone').fill('1')

/** Selects a user, and opens the dialog for one of its fields. */
async function openFieldMenu(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select user 1', exact: true }).check()
  await button(page, 'Edit field …').click()
  await menuItem(page, 'Other field …').waitFor()
}

/** Opens the import of departments at its second step. */
async function chooseFile(session: Session): Promise<void> {
  const { page, isPhone } = session
  await pressTool(session, 'Import')
  const buffer = Buffer.from(`name,retired\nx,maybe\nSmall${isPhone ? ' phone' : ''},false\n`)
  await page.locator('input[type="file"]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  await page.getByText('a.csv: 2 rows').waitFor()
}

/** Opens the import of departments at its third step. */
async function checkRows(session: Session): Promise<void> {
  await chooseFile(session)
  await button(session.page, 'Continue').click()
  await session.page.getByText('1 ready, 1 with errors.').waitFor()
}

/** Signs in with a token that may only read users. */
async function signIn({ page, token }: Session): Promise<void> {
  await dialog(page).getByLabel('Bearer token').fill(token)
  await button(page, 'Use this token').click()
  await button(page, /^Signed in/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
}

export const states: readonly State[] = [
  { name: 'the overview', path: '/' },
  { name: 'the usage', path: '/~usage' },
  {
    name: 'the callers of an endpoint',
    path: '/~usage',
    act: async ({ page }) => {
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
    act: async ({ page }) => {
      await button(page, 'Link a role').click()
      await page.getByRole('listbox').getByRole('option').first().click()
    },
  },
  {
    name: 'the menu of a row',
    path: '/user',
    act: async ({ page }) => {
      await button(page, 'Actions for user 1').click()
      await menuItem(page, 'Delete …').waitFor()
    },
  },
  {
    name: 'the filter menu',
    // Its menu leaves no narrow rest of another button.
    path: '/user?_columns=email+id',
    act: async ({ page }) => {
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
    act: async ({ page }: Session) => {
      await button(page, new RegExp(`^${title}`))
        .first()
        .click()
      await dialog(page).locator('button, input').first().waitFor()
    },
  })),
  {
    name: 'the editor of a reference',
    path: '/user?department=1',
    act: async ({ page }) => {
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
    act: async (session) => {
      await pressTool(session, 'Columns')
      await button(session.page, 'Pin Status').waitFor()
    },
  },
  {
    name: 'the formats of an export',
    path: '/user',
    act: async (session) => {
      await pressTool(session, 'Export')
      await menuItem(session.page, 'Export as CSV').waitFor()
    },
  },
  { name: 'selected records', path: '/user', act: ({ page }) => openFieldMenu(page) },
  {
    name: 'a field of selected records',
    path: '/user',
    act: async ({ page }) => {
      await openFieldMenu(page)
      await menuItem(page, 'Other field …').click()
      await page.getByRole('combobox', { name: 'Field' }).click()
      await page.getByRole('option', { name: 'Department' }).click()
      await page.getByRole('combobox', { name: 'Department' }).waitFor()
    },
  },
  {
    name: 'a change of selected records',
    path: '/user?pageSize=10',
    act: async ({ page }) => {
      for (const box of await page.getByRole('checkbox').all()) await box.check()
      await button(page, 'Edit field …').click()
      await menuItem(page, 'Set status to Suspended').click()
      await dialog(page).getByText('10 users on this page are selected.').waitFor()
    },
  },
  {
    name: 'the deletion of a record with dependents',
    path: '/department/1',
    act: async ({ page }) => {
      await button(page, 'Delete …').click()
      await dialog(page).getByText('users').first().waitFor()
    },
  },
  {
    name: 'the first step of an import',
    path: '/department',
    act: async (session) => {
      await pressTool(session, 'Import')
      await button(session.page, 'Download template').waitFor()
    },
  },
  { name: 'the columns of an import', path: '/department', act: chooseFile },
  { name: 'the checked rows of an import', path: '/department', act: checkRows },
  {
    name: 'the result of an import',
    path: '/department',
    act: async (session) => {
      await checkRows(session)
      await button(session.page, 'Import 1 row').click()
      await session.page.getByText('1 created, 1 rejected.').waitFor()
    },
  },
  { name: 'a form', path: '/user/7' },
  { name: 'a form with many kinds of fields', path: '/supplier/~new', service: 'lending' },
  {
    name: 'the input of an operation',
    path: '/ticket/1',
    service: 'ticket',
    act: async ({ page }) => {
      await button(page, 'Reopen a ticket').click()
      await dialog(page, 'Reopen a ticket').getByRole('button', { name: 'Reopen a ticket' }).click()
      await dialog(page, 'Reopen a ticket').getByRole('alert').waitFor()
    },
  },
  {
    name: 'the response of an operation',
    path: '/ticket/1',
    service: 'ticket',
    act: async ({ page }) => {
      await button(page, 'Outlook').click()
      await dialog(page, 'Outlook').getByText('Dec 24, 2026').waitFor()
    },
  },
  {
    name: 'a form with errors',
    path: '/user/~new',
    act: async ({ page }) => {
      await button(page, 'Create').click()
      await page.getByText('Email is required').waitFor()
    },
  },
  {
    name: 'the options of a reference',
    path: '/user/7',
    act: async ({ page }) => {
      await page.getByRole('combobox', { name: /Supervisor/ }).click()
      await page.getByRole('option').nth(3).waitFor()
    },
  },
  {
    name: 'a conflict',
    path: '/user/7',
    act: async ({ page, send }) => {
      await changeForm(page)
      await send('PATCH', '/user/7', { extension: `${Math.random()}`.slice(2, 6) })
      await button(page, 'Save').click()
      await button(page, 'Merge').waitFor()
    },
  },
  {
    name: 'a form that is left with changes',
    path: '/user/7',
    act: async ({ page }) => {
      await changeForm(page)
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Users' }).click()
      await dialog(page).waitFor()
    },
  },
  {
    name: 'the drawer',
    path: '/user?sort=id&_record=/user/7',
    act: ({ page }) => dialog(page).getByLabel('Phone').waitFor(),
  },
  {
    name: 'a record created from a reference',
    path: '/user/7',
    act: async ({ page }) => {
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
    act: async ({ page }) => {
      await page.locator('.row-link').first().click()
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  {
    name: 'the restore of a value',
    path: '/user/7/change',
    act: async ({ page }) => {
      await button(page, 'Restore this value').first().click()
      await dialog(page, 'Restore these values?').getByRole('cell').first().waitFor()
    },
  },
  {
    name: 'a deleted record',
    path: '/user/11',
    act: async ({ page, send, isPhone }) => {
      // Both widths have the same service.
      if (isPhone) await send('DELETE', '/user/11')
      await page.reload()
      await button(page, 'Restore').waitFor()
    },
  },
  {
    name: 'a new view',
    path: '/user?status=ACTIVE',
    act: async (session) => {
      await pressTool(session, 'Views of Users')
      await menuItem(session.page, 'Save as a new view …').click()
      await session.page.getByRole('checkbox', { name: 'Share with all users' }).waitFor()
    },
  },
  {
    name: 'the palette',
    path: '/user',
    act: async ({ page }) => {
      await press(page, 'Control+k')
      await page.locator('[role="dialog"] input:focus').waitFor()
      await page.keyboard.type('keller')
      await page.getByRole('option', { name: 'Anna Keller' }).waitFor()
    },
  },
  {
    name: 'the shortcuts',
    path: '/user',
    act: async ({ page }) => {
      await press(page, '?')
      await dialog(page, 'Keyboard shortcuts').waitFor()
    },
  },
  {
    name: 'the requests',
    path: '/user',
    act: async (session) => {
      const { page } = session
      await openNavigation(session)
      await button(page, /^Requests: /).click()
      await page.locator('.exchange').first().waitFor()
    },
  },
  {
    name: 'the deliveries of a webhook',
    path: '/webhook/1/delivery',
    act: async ({ page }) => {
      await button(page, 'Send test').click()
      await page
        .getByRole('status')
        .getByText(/^Not delivered/)
        .waitFor()
      await page.locator('.deliveries tbody tr').first().waitFor()
    },
  },
  { name: 'the navigation', path: '/user', act: openNavigation },
  { name: 'the sign-in', path: '/user', service: 'secured', act: ({ page }) => dialog(page).waitFor() },
  { name: 'the menu of the user', path: '/user', service: 'secured', act: signIn },
  {
    name: 'a form that the token may not change',
    path: '/user/1',
    service: 'secured',
    act: async (session) => {
      await signIn(session)
      await press(session.page, 'Escape')
      await session.page.getByText('You need the scope user:write.').waitFor()
    },
  },
  { name: 'a page that does not exist', path: '/nothing' },
  {
    name: 'settings that cannot be read',
    path: '/',
    act: async ({ page }) => {
      await reloadWithSettings(page, { status: 500 })
      await page.getByText('settings.json of this page is not a JSON object (HTTP status 500).').waitFor()
    },
  },
  {
    name: 'the choice of a service',
    path: '/',
    act: async ({ page }) => {
      await reloadWithSettings(page, { json: {} })
      await page.getByRole('heading', { name: 'Connect to a service' }).waitFor()
    },
  },
]
