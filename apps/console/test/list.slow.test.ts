// Lists of the console in a real browser.
import type { Request } from '@nomen/testing/chromium'
import { describe, expect, it } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'

const { view, send, newUser, button } = directoryConsole('SQLite', { hasTabs: true })

describe('a list', () => {
  it('has the columns of the list shape and the total', async () => {
    await view.open('/user')
    await view.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).waitFor()
    const headers = await view.page.getByRole('columnheader').allInnerTexts()
    expect(headers.map((header) => header.trim())).toEqual(['', 'First name', 'Last name', 'Email', 'ID', 'Actions'])
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    await view.expectNoErrors()
    // Beside the text, because a link could not be selected.
    await view.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).hover()
    const link = view.page.getByRole('link', { name: 'Send an e-mail' })
    expect(await link.getAttribute('href')).toBe('mailto:lukasz.nowak@example.com')
  })

  it('shows the whole text of a cell that is too narrow for it', async () => {
    await view.open('/user')
    const cell = view.page.getByRole('cell', { name: 'lukasz.nowak@example.com' })
    await cell.hover()
    expect(await cell.getAttribute('title')).toBe('')
    await cell.evaluate((element) => Object.assign(element.style, { display: 'block', width: '60px' }))
    await view.page.mouse.move(5, 700)
    await cell.hover()
    expect(await cell.getAttribute('title')).toBe('lukasz.nowak@example.com')
  })

  it('keeps page, sort and page size in the URL, so that Back and a link show the same', async () => {
    await view.open('/user')
    await button('Page 2').click()
    await view.page.getByText(/^26–50 of 2\d\d$/).waitFor()
    await button('Last name').click()
    await view.page.getByRole('columnheader', { name: 'Last name', sort: 'ascending' } as never).waitFor()
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    expect(view.path()).toBe('/user?pageSize=25&sort=lastName')
    const lastNames = await view.column('Last name')
    await view.page.getByRole('combobox', { name: 'Records per page' }).selectOption('10 per page')
    await view.page.getByText(/^1–10 of 2\d\d$/).waitFor()
    expect(view.path()).toBe('/user?sort=lastName')
    await view.page.getByLabel('Go to page').fill('8')
    await view.page.keyboard.press('Enter')
    await view.page.getByText(/^71–80 of/).waitFor()
    // A link to a page names its size, because others may have chosen another one.
    expect(view.path()).toBe('/user?sort=lastName&pageSize=10&pageNumber=8')
    await view.page.goBack()
    await view.page.getByText(/^1–10 of 2\d\d$/).waitFor()
    // The size is kept for other lists and visits.
    await view.open('/v1/user')
    await view.page.getByText(/^1–10 of 2\d\d$/).waitFor()
    await view.page.getByRole('combobox', { name: 'Records per page' }).selectOption('25 per page')
    await view.open('/user?sort=lastName')
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    expect(await view.column('Last name')).toEqual(lastNames)
  })

  it('shows any field as a column, from the list that has it with the fewest others', async () => {
    const headers = async () => (await view.page.getByRole('columnheader').allInnerTexts()).slice(1, -1)
    const columns = ['First name', 'Last name', 'Email', 'ID']
    const box = (name: string) => view.page.getByRole('checkbox', { name, exact: true })
    await view.open('/user?search=nowak')
    await pollUntil(headers).toEqual(columns)
    await button('Columns').click()
    await box('Status').check()
    await pollUntil(headers).toEqual([...columns, 'Status'])
    await pollUntil(() => view.path()).toBe('/user-detail?search=nowak&_columns=firstName+lastName+email+id+status')
    await button('Move Status up').click()
    await box('ID').uncheck()
    await view.expectNoErrors()
    const chosen = ['First name', 'Last name', 'Email', 'Status']
    await pollUntil(headers).toEqual(chosen)
    // The choice is kept, also with another URL of the list, and a link has it.
    await view.open('/user-summary')
    await pollUntil(headers).toEqual(chosen)
    await pollUntil(() => view.path()).toBe('/user-detail?_columns=firstName+lastName+email+status')
    await view.open('/user?_columns=email+id')
    await pollUntil(headers).toEqual(['Email', 'ID'])
    expect(view.path()).toBe('/user?_columns=email+id')
    await view.open('/user')
    await pollUntil(headers).toEqual(chosen)
    // The last column cannot be hidden.
    await button('Columns, 4 of 11 shown').click()
    for (const name of chosen.slice(1)) await box(name).uncheck()
    expect(await box('First name').isDisabled()).toBe(true)
    await button('Reset').click()
    await view.page.keyboard.press('Escape')
    await view.open('/user')
    await pollUntil(headers).toEqual(columns)
  })

  it('keeps the width of a column, and the density of the rows', async () => {
    await view.open('/user')
    const head = view.page.getByRole('columnheader', { name: 'Email' })
    const widthOf = async () => Math.round((await head.boundingBox())?.width ?? 0)
    await view.page.locator('tr[data-id]').first().waitFor()
    const before = await widthOf()
    const { x, y, width, height } = (await head.boundingBox()) as {
      x: number
      y: number
      width: number
      height: number
    }
    await view.page.mouse.move(x + width - 3, y + height / 2)
    await view.page.mouse.down()
    await view.page.mouse.move(x + width - 63, y + height / 2, { steps: 4 })
    await view.page.mouse.up()
    await pollUntil(widthOf).toBeLessThan(before - 40)
    const narrow = await widthOf()
    await button('Columns, 4 of 11 shown').click()
    await view.page.getByRole('switch', { name: 'Compact rows' }).click()
    await view.open('/user')
    await pollUntil(widthOf).toBe(narrow)
    const row = view.page.getByRole('row').nth(1)
    await pollUntil(async () => (await row.boundingBox())?.height ?? 99).toBeLessThan(30)
    await button('Columns, 4 of 11 shown').click()
    await view.page.getByRole('switch', { name: 'Compact rows' }).click()
    await button('Reset').click()
    await view.page.keyboard.press('Escape')
  })

  it('keeps pinned columns first and visible while the others scroll', async () => {
    const headers = async () => (await view.page.getByRole('columnheader').allInnerTexts()).slice(1, 4)
    const columns = 'firstName+lastName+email+phone+extension+status+department+supervisor+createdAt+updatedAt+id'
    await view.open(`/user-detail?_columns=${columns}`)
    await view.page.locator('tr[data-id]').first().waitFor()
    await button(/^Columns/).click()
    expect(await button('Pin First name').getAttribute('aria-pressed')).toBe('true')
    await button('Pin Status').click()
    await view.expectNoErrors()
    await pollUntil(headers).toEqual(['First name', 'Status', 'Last name'])
    await view.open(`/user-detail?_columns=${columns}`)
    await pollUntil(headers).toEqual(['First name', 'Status', 'Last name'])
    await view.page.locator('tr[data-id]').first().waitFor()
    const leftOf = async (name: string) =>
      Math.round((await view.page.getByRole('columnheader', { name }).boundingBox())?.x ?? 0)
    const names = ['First name', 'Status', 'Last name']
    const before = await Promise.all(names.map(leftOf))
    await view.page.locator('.list-scroll').evaluate((list) => {
      list.scrollLeft = 200
    })
    await pollUntil(() => leftOf('Last name')).toBe((before[2] ?? 0) - 200)
    expect(await Promise.all(names.slice(0, 2).map(leftOf))).toEqual(before.slice(0, 2))
    await button(/^Columns/).click()
    await button('Pin First name').click()
    await pollUntil(headers).toEqual(['Status', 'First name', 'Last name'])
    await button('Reset').click()
    await view.page.keyboard.press('Escape')
  })

  it('lets text be selected, opens rows in new tabs, and returns to the row with Back', async () => {
    await view.open('/user?pageSize=100')
    const cell = view.page.getByRole('cell', { name: 'anna.keller@example.com' })
    const box = (await cell.boundingBox()) as { x: number; y: number; width: number; height: number }
    await view.page.mouse.move(box.x + 14, box.y + box.height / 2)
    await view.page.mouse.down()
    await view.page.mouse.move(box.x + 120, box.y + box.height / 2, { steps: 4 })
    await view.page.mouse.up()
    expect(await view.page.evaluate<string>('getSelection().toString()')).toMatch(/^anna\.keller/)
    expect(view.path()).toBe('/user?pageSize=100')
    await view.page.mouse.click(5, 700)
    const opened = async (click: () => Promise<void>) => {
      const [tab] = await Promise.all([view.page.context().waitForEvent('page'), click()])
      await tab.waitForURL(/#\/user\/3$/)
      await tab.close()
    }
    await opened(() => cell.click({ modifiers: ['Control'] }))
    await opened(() => cell.click({ button: 'middle' }))
    await opened(() => view.page.getByRole('link', { name: 'Anna' }).click({ modifiers: ['Control'] }))
    expect(view.path()).toBe('/user?pageSize=100')
    // Only rows near the visible part are in the page.
    const last = view.page.locator('tr[data-id="90"]')
    expect(await last.count()).toBe(0)
    await view.page.locator('.list-scroll').evaluate((list) => {
      list.scrollTop = 89 * 35 - 200
    })
    await last.getByRole('link').first().click()
    await pollUntil(() => view.path()).toBe('/user/90')
    await view.page.getByRole('heading', { level: 1 }).waitFor()
    await view.page.goBack()
    await last.waitFor()
    await pollUntil(() => view.page.evaluate('document.activeElement.closest("tr")?.dataset.id')).toBe('90')
    await pollUntil(() => view.page.locator('.list-scroll').evaluate((list) => list.scrollTop)).toBeGreaterThan(2500)
  })

  it('shows the default filter, and lets the user change it', async () => {
    await view.open('/department')
    await button(/^Retired ?no/).click()
    await view.page.getByRole('checkbox', { name: 'Yes' }).check()
    await pollUntil(() => view.path()).toBe('/department?retired=true')
    await view.page.getByRole('cell', { name: 'yes', exact: true }).first().waitFor()
    await view.page.getByRole('checkbox', { name: 'No' }).check()
    await view.page.getByRole('cell', { name: 'no', exact: true }).first().waitFor()
    expect(new Set(await view.column('Retired'))).toEqual(new Set(['', '–']))
    await view.page.getByRole('checkbox', { name: 'No' }).uncheck()
    await button('Done').click()
    await view.page.getByRole('checkbox', { name: 'No' }).waitFor({ state: 'detached' })
    await view.page.getByRole('img', { name: 'yes' }).first().waitFor()
  })

  it('shows the names of referenced records, as links that open the drawer, or a new tab', async () => {
    await view.open('/v1/role')
    await view.page.getByRole('link', { name: 'Payroll' }).first().click()
    await pollUntil(() => view.path()).toBe('/v1/role?_record=/v1/application/1')
    // This list has the label of the department, but not its ID.
    await view.open('/user-detail?id=3&_columns=firstName+department')
    const { department } = await send('GET', '/user/3')
    const { name } = await send('GET', `/department/${department}`)
    const link = view.page.getByRole('link', { name: `${name}` })
    await link.click()
    await pollUntil(() => view.path()).toMatch(new RegExp(`&_record=/department/${department}$`))
    await view.page.getByRole('dialog', { name: `${name}` }).waitFor()
    await view.page.keyboard.press('Escape')
    await pollUntil(() => view.page.getByRole('dialog').count()).toBe(0)
    await view.expectNoErrors()
    const [tab] = await Promise.all([view.page.context().waitForEvent('page'), link.click({ modifiers: ['Control'] })])
    await tab.waitForURL(new RegExp(`#/department/${department}$`))
    await tab.close()
  })

  it('reports that no record matches, that the page is past the end, or an error', async () => {
    await view.open('/user?search=nobody-is-called-so')
    await view.page.getByText('No users match.').waitFor()
    await button('Clear filters').click()
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    await view.open('/user?pageNumber=999')
    await view.page.getByText('This page no longer exists.').waitFor()
    expect(await view.page.locator('.page-controls [aria-current]').count()).toBe(0)
    await view.expectNoErrors()
    await view.open('/user?stauts=ACTIVE')
    await view.page.getByRole('alert').getByText('Did you mean "status"?').first().waitFor()
    await view.expectNoErrors()
    await button('Remove stauts').click()
    await pollUntil(() => view.path()).toBe('/user')
    const requested: string[] = []
    const record = (request: Request) => requested.push(new URL(request.url()).pathname)
    view.page.on('request', record)
    await view.open('/user/999999')
    await view.page.getByRole('heading', { name: 'User 999999 not found', level: 1 }).waitFor()
    await view.settled()
    view.page.off('request', record)
    expect(requested.filter((path) => path === '/user/999999')).toHaveLength(1)
    await view.expectNoErrors()
    await view.page.getByRole('link', { name: 'Back to Users' }).click()
    await pollUntil(() => view.path()).toBe('/user')
    await pollUntil(() => view.page.title()).toBe('Users · Directory')
    await view.page.getByRole('link', { name: 'Anna' }).first().click()
    await pollUntil(() => view.page.title()).toBe('Anna Keller · Users · Directory')
    await view.open('/nothing')
    await view.page.getByText('There is no page at /nothing.').waitFor()
    await view.expectNoErrors()
  })

  it('keeps its rows while the service does not respond, and loads the page when it responds again', async () => {
    await view.open('/user?pageSize=25')
    const row = view.page.getByRole('cell', { name: 'lukasz.nowak@example.com' })
    await row.waitFor()
    await view.page.route('**/user?*', (route) => route.abort())
    await button('Page 2').click()
    const alert = view.page.getByRole('alert')
    await alert.getByText(/does not respond/).waitFor()
    await alert.getByText('The rows below were loaded before the error.').waitFor()
    expect(await row.isVisible()).toBe(true)
    await view.expectNoErrors()
    // A retry that fails leaves everything as it is.
    await view.page.waitForEvent('requestfailed')
    await alert.getByText(/does not respond/).waitFor()
    expect(await row.isVisible()).toBe(true)
    await view.page.unroute('**/user?*')
    await view.page.getByText(/^26–50 of 2\d\d$/).waitFor()
    await pollUntil(() => alert.count()).toBe(0)
  })

  it('reports when to retry a request to a busy service, and retries at a click', async () => {
    await view.page.route('**/user?*', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '700' }, json: { title: 'Busy', detail: 'Too many.' } }),
    )
    await view.open('/user?pageSize=50')
    await view.page
      .getByRole('alert')
      .getByText(/try again in 700 seconds/)
      .waitFor()
    await view.page.unroute('**/user?*')
    await button('Try again').click()
    await view.page.getByText(/^1–50 of 2\d\d$/).waitFor()
  })

  it('shows that the list is loading', async () => {
    let release = () => {}
    const releasePromise = new Promise<void>((resolve) => {
      release = resolve
    })
    await view.page.route('**/department?*', async (route) => {
      await releasePromise
      await route.continue()
    })
    await view.open('/department?pageSize=5')
    await view.page.locator('table[aria-busy="true"]').waitFor()
    await view.expectNoErrors()
    // The header, and as many rows as a page.
    expect(await view.page.getByRole('row').count()).toBe(6)
    release()
    await view.page.getByRole('cell', { name: 'Operations' }).waitFor()
    // The number of the next page is the current one before the page is loaded.
    await view.page.route('**/department?*pageNumber=2*', () => undefined)
    await button('Page 2').click()
    await view.page.locator('table[aria-busy="true"]').waitFor()
    await pollUntil(() => button('Page 2').getAttribute('aria-current')).toBe('page')
    await view.page.unroute('**/department?*')
    await view.page.unroute('**/department?*pageNumber=2*')
    // A browser that says that it is offline may still reach the service.
    await view.open('/department?pageSize=5')
    await view.page.getByRole('row').nth(1).waitFor()
    await view.page.evaluate('dispatchEvent(new Event("offline"))')
    await button('Page 2').click()
    await view.page.getByText(/^6–10 of/).waitFor()
  })

  it('can be used with the keyboard alone', async () => {
    await view.open('/user')
    await view.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).waitFor()
    await view.page.keyboard.press('Tab')
    await view.page.keyboard.press('Enter')
    expect(await view.page.locator(':focus').getAttribute('id')).toBe('main')
    await view.page.getByRole('link', { name: 'Łukasz' }).focus()
    await view.page.keyboard.press('ArrowDown')
    await view.page.keyboard.press('ArrowDown')
    await view.page.keyboard.press('Enter')
    await view.page.getByRole('heading', { name: 'Anna Keller' }).waitFor()
    expect(view.path()).toBe('/user/3')
  })

  it('suspends and reactivates a user in the list, by PATCH', async () => {
    const { id } = await newUser()
    await view.open(`/user?id=${id}`)
    await button(`Actions for user ${id}`).click()
    await view.page.getByRole('menuitem', { name: 'Set status to Suspended' }).click()
    await view.expectMessage('Status set to Suspended.')
    expect((await send('GET', `/user/${id}`)).status).toBe('SUSPENDED')
    // The message about one write disappears when the next one begins.
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await view.page.route(`**/user/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await released
      await route.continue()
    })
    await button(`Actions for user ${id}`).click()
    await view.page.getByRole('menuitem', { name: 'Set status to Active' }).click()
    await view.page.getByText('Status set to Suspended.').waitFor({ state: 'detached', timeout: 5000 })
    release()
    await view.expectMessage('Status set to Active.')
    await view.page.unroute(`**/user/${id}`)
    expect((await send('GET', `/user/${id}`)).status).toBe('ACTIVE')
  })
})
