// Saved views, the command palette and keyboard shortcuts in a real browser.
import { describe, expect, it } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'
import { visit } from './visit.ts'

const { session, view, send, button } = directoryConsole()

const press = (key: string) => view.page.keyboard.press(key)
const link = (name: string) => view.page.getByRole('navigation').getByRole('link', { name })
const viewMenu = async (item: string) => {
  await button('Views of Users').click()
  await view.page.getByRole('menuitem', { name: item }).click()
}

describe('a saved view', () => {
  it('has filters, sort, columns and page size, and can be changed, renamed and deleted', async () => {
    const address = '/user-detail?_columns=firstName+status&pageSize=10&sort=lastName&status=SUSPENDED'
    await view.open('/user-detail?status=SUSPENDED&sort=lastName&_columns=firstName+status&pageSize=10')
    await view.page.locator('tr[data-id]').first().waitFor()
    await viewMenu('Save as a new view …')
    await view.page.getByLabel('Name of the view').fill('Suspended')
    await view.expectNoErrors()
    await button('Save').click()
    await pollUntil(() => view.path()).toContain(`${address}&_view=`)
    const path = view.path()
    // It is kept in the browser, and opens with everything that it has.
    await view.open('/department')
    await link('Suspended').click()
    await pollUntil(() => view.column('Status').then((values) => new Set(values))).toEqual(new Set(['Suspended']))
    await view.page.getByText(/^1–10 of/).waitFor()
    expect(view.path()).toBe(path)
    await view.expectNoErrors()
    await button('Clear sort').click()
    await view.page.getByText('Suspended (changed)').waitFor()
    await viewMenu('Save changes to “Suspended”')
    await pollUntil(() => view.page.getByText('Suspended (changed)').count()).toBe(0)
    await viewMenu('Rename “Suspended” …')
    await view.page.getByLabel('Name of the view').fill('On hold')
    await button('Save').click()
    await link('On hold').waitFor()
    // The columns of the list are not those of the view.
    await link('User').first().click()
    await pollUntil(() => view.column('Email').then((values) => values.length)).toBe(25)
    await link('On hold').click()
    await viewMenu('Delete “On hold”')
    await pollUntil(() => link('On hold').count()).toBe(0)
    await button('Undo').click()
    await link('On hold').and(view.page.getByTitle('Private view, kept in this browser')).waitFor()
    await viewMenu('Share “On hold” with all users')
    await link('On hold').and(view.page.getByTitle('Shared view')).waitFor()
    await pollUntil(() => view.path()).toMatch(/_view=shared-\d+$/)
    await viewMenu('Delete “On hold” for all users')
    await pollUntil(() => link('On hold').count()).toBe(0)
  })

  it('can be shared with all users, and is not overwritten by two of them', async () => {
    await view.open('/user?status=SUSPENDED')
    await view.page.locator('tr[data-id]').first().waitFor()
    await viewMenu('Save as a new view …')
    await view.page.getByLabel('Name of the view').fill('On leave')
    await view.page.getByRole('checkbox', { name: 'Share with all users' }).check()
    await view.expectNoErrors()
    await button('Save').click()
    await view.expectMessage('View “On leave” shared.')
    const { results } = (await send('GET', '/saved-view?name=On+leave')) as { results: { id: number }[] }
    expect(results).toEqual([
      expect.objectContaining({ path: '/user', query: expect.stringMatching(/pageSize=25&status=SUSPENDED$/) }),
    ])
    // Another user opens it and changes it.
    const other = await visit(session.browser, view.base)
    await other.open('/department')
    const otherLink = other.page.getByRole('navigation').getByRole('link', { name: 'On leave' })
    await otherLink.click()
    await other.page.getByRole('button', { name: /^Status ?Suspended$/ }).waitFor()
    await other.page.getByRole('columnheader', { name: 'Last name' }).getByRole('button').first().click()
    await other.page.getByText('On leave (changed)').waitFor()
    await other.page.getByRole('button', { name: 'Views of Users' }).click()
    await other.page.getByRole('menuitem', { name: 'Save changes to “On leave”' }).click()
    await other.expectMessage('View “On leave” saved.')
    // The first user has not seen this change yet.
    await viewMenu('Rename “On leave” …')
    await view.page.getByLabel('Name of the view').fill('Absent')
    await button('Save').click()
    const conflict = view.page.getByRole('alert').getByText('Someone else has changed “On leave”.')
    await conflict.waitFor()
    // Another change, between the two requests of the next try.
    const path = `/saved-view/${results[0]?.id}`
    await view.page.route(`**${path}`, async (route) => {
      const response = await route.fetch()
      if (route.request().method() === 'GET') await send('PATCH', path, { query: 'sort=email' })
      await route.fulfill({ response })
    })
    const rejected = view.page.waitForResponse((response) => response.status() === 412)
    await button('Save').click()
    await rejected
    await conflict.waitFor()
    await view.page.unroute(`**${path}`)
    await button('Save').click()
    await link('Absent').waitFor()
    expect(await send('GET', path)).toMatchObject({ name: 'Absent', query: 'sort=email' })
    await viewMenu('Delete “Absent” for all users')
    await pollUntil(() => link('Absent').count()).toBe(0)
    expect((await send('GET', path)).code).toBe('record-not-found')
    await other.close()
  })
})

describe('the command palette', () => {
  const option = (name: string) => view.page.getByRole('option', { name })

  it('finds nouns, actions and records by typing', async () => {
    await view.open('/user')
    await view.page.locator('tr[data-id]').first().waitFor()
    await press('Control+k')
    await view.page.locator('input:focus').waitFor()
    await view.expectNoErrors()
    await view.page.keyboard.type('keller')
    await option('Anna Keller').waitFor()
    await view.expectNoErrors()
    await option('Anna Keller').click()
    await view.page.getByRole('heading', { name: 'Anna Keller', level: 1 }).waitFor()
    // The service cannot search departments.
    await press('Control+k')
    await view.page.locator('input:focus').waitFor()
    await view.page.keyboard.type('customer sup')
    await option('Customer Support').click()
    await view.page.getByRole('heading', { name: 'Customer Support', level: 1 }).waitFor()
    await press('Control+k')
    await view.page.locator('input:focus').waitFor()
    await view.page.keyboard.type('new dep')
    await press('Enter')
    await pollUntil(() => view.path()).toBe('/department/~new')
    // The form takes the focus when it is loaded.
    await view.page.locator('main input:focus').waitFor()
    await press('Control+k')
    await view.page.locator('[role="dialog"] input:focus').waitFor()
    await view.page.keyboard.type('zzzz')
    await view.page.getByText('No results').waitFor()
    await press('Escape')
    await pollUntil(() => view.page.getByRole('dialog').count()).toBe(0)
  })

  it('waits at Enter for the records of the typed text', async () => {
    await view.open('/user')
    await view.page.locator('tr[data-id]').first().waitFor()
    await press('Control+k')
    const input = view.page.locator('[role="dialog"] input')
    await input.fill('nowak')
    await option('Łukasz Nowak').waitFor()
    // The records of the text before are still shown.
    await input.fill('keller')
    await press('Enter')
    await view.page.getByRole('heading', { name: 'Anna Keller', level: 1 }).waitFor()
    expect(view.path()).toBe('/user/3')
  })

  it('gets the text that is typed while it loads, and keeps the focus when the form below it appears', async () => {
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    await view.page.route('**/user/1', async (route) => {
      await released.promise
      await route.continue()
    })
    await view.page.route('**/assets/palette-*.js', async (route) => {
      await arrived.promise
      await route.continue()
    })
    await view.open('/user/~new?from=1')
    await view.page.locator('main .mantine-Skeleton-root').waitFor()
    await press('Control+k')
    // Text that is typed while the palette loads belongs to it: `n` would create a record.
    await view.page.keyboard.type('annex')
    await press('Backspace')
    arrived.resolve()
    const input = view.page.locator('[role="dialog"] input')
    await input.and(view.page.locator(':focus')).waitFor()
    expect([await input.inputValue(), view.path()]).toEqual(['anne', '/user/~new?from=1'])
    await input.fill('')
    released.resolve()
    await view.page.locator('main form').waitFor()
    await view.page.keyboard.type('over')
    expect(await input.inputValue()).toBe('over')
    await view.page.unrouteAll()
    await press('Escape')
    await pollUntil(() => view.page.getByRole('dialog').count()).toBe(0)
  })
})

describe('keys', () => {
  const focusedId = () => view.page.evaluate('document.activeElement.closest("tr")?.dataset.id')

  it('move between rows, select, open, create and show help, but not while somebody types', async () => {
    await view.open('/user')
    await view.page.locator('tr[data-id]').first().waitFor()
    await press('j')
    await press('j')
    await press('j')
    await press('k')
    expect(await focusedId()).toBe('2')
    await press('x')
    await view.page.getByText('1 selected').waitFor()
    await press('x')
    await pollUntil(() => view.page.getByText('1 selected').count()).toBe(0)
    expect(await focusedId()).toBe('2')
    await press('?')
    await view.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await view.expectNoErrors()
    // A dialog is open.
    await press('n')
    await press('Escape')
    await pollUntil(() => view.page.getByRole('dialog').count()).toBe(0)
    expect(view.path()).toBe('/user')
    await press('/')
    await view.page.keyboard.type('nxje')
    await pollUntil(() => view.path()).toBe('/user?search=nxje')
    await press('Escape')
    await pollUntil(() => view.path()).toBe('/user')
    await press('Escape')
    await view.page.locator('tr[data-id]').first().waitFor()
    await press('j')
    await pollUntil(focusedId).toBe('1')
    await press('e')
    await pollUntil(() => view.path()).toBe('/user/1')
    await pollUntil(() => view.page.evaluate('document.activeElement.name')).toBe('firstName')
    await view.page.goBack()
    await view.page.locator('tr[data-id]').first().waitFor()
    await press('n')
    await pollUntil(() => view.path()).toBe('/user/~new')
  })

  it('lead from the start of the page to the first row', async () => {
    await view.open('/user')
    await view.page.locator('tr[data-id]').first().waitFor()
    await button('Skip to the first row').focus()
    await press('Enter')
    expect(await focusedId()).toBe('1')
  })
})
