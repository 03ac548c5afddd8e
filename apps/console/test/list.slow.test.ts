// Lists of the console in a real browser.
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
  })

  it('keeps page, sort and page size in the URL, so that Back and a link show the same', async () => {
    await view.open('/user')
    await button('Page 2').click()
    await view.page.getByText(/^26–50 of 2\d\d$/).waitFor()
    await button('Last name').click()
    await view.page.getByRole('columnheader', { name: 'Last name', sort: 'ascending' } as never).waitFor()
    expect(view.path()).toBe('/user?pageSize=25&sort=lastName')
    const lastNames = await view.column('Last name')
    await view.page.getByRole('combobox', { name: 'Records per page' }).click()
    await view.page.getByRole('option', { name: '10 per page' }).click()
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
    await view.page.getByRole('combobox', { name: 'Records per page' }).click()
    await view.page.getByRole('option', { name: '25 per page' }).click()
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
    await view.page.getByRole('img', { name: 'yes' }).first().waitFor()
  })

  it('shows the names of referenced records', async () => {
    await view.open('/v1/role')
    await view.page.getByRole('link', { name: 'Payroll' }).first().click()
    await pollUntil(() => view.path()).toBe('/v1/application/1')
  })

  it('reports that no record matches, that the page is past the end, or an error', async () => {
    await view.open('/user?search=nobody-is-called-so')
    await view.page.getByText('No users match.').waitFor()
    await button('Clear filters').click()
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    await view.open('/user?pageNumber=999')
    await view.page.getByText('This page no longer exists.').waitFor()
    await view.expectNoErrors()
    await view.open('/user?stauts=ACTIVE')
    await view.page.getByRole('alert').getByText('Did you mean "status"?').first().waitFor()
    await view.expectNoErrors()
    await button('Remove stauts').click()
    await pollUntil(() => view.path()).toBe('/user')
    await view.open('/user/999999')
    await view.page.getByRole('heading', { name: 'User 999999 not found', level: 1 }).waitFor()
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

  it('reports that the service does not respond, and retries', async () => {
    await view.page.route('**/user?*', (route) => route.abort())
    await view.open('/user?pageSize=25')
    await view.page
      .getByRole('alert')
      .getByText(/does not respond/)
      .waitFor()
    await view.expectNoErrors()
    await view.page.unroute('**/user?*')
    await button('Try again').click()
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
  })

  it('reports when to retry a request to a busy service', async () => {
    await view.page.route('**/user?*', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '7' }, json: { title: 'Busy', detail: 'Too many.' } }),
    )
    await view.open('/user?pageSize=25')
    await view.page
      .getByRole('alert')
      .getByText(/try again in 7 seconds/)
      .waitFor()
    await view.page.unroute('**/user?*')
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
    await view.open('/department?pageSize=25')
    await view.page.locator('table[aria-busy="true"]').waitFor()
    await view.expectNoErrors()
    release()
    await view.page.getByRole('cell', { name: 'Operations' }).waitFor()
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
    await button(`Actions for user ${id}`).click()
    await view.page.getByRole('menuitem', { name: 'Set status to Active' }).click()
    await view.expectMessage('Status set to Active.')
    expect((await send('GET', `/user/${id}`)).status).toBe('ACTIVE')
  })
})
