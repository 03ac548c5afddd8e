// Filters and sort of a list in a real browser.
import { describe, expect, it } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'

const { view, send, button, field } = directoryConsole()

const valuesOf = (column: string) => view.column(column).then((values) => new Set(values))

describe('a list', () => {
  it('filters by choices, references, ranges and search', async () => {
    await view.open('/user-detail')
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    const filter = async (title: string) => {
      await button('Filter').click()
      await view.page.getByRole('option', { name: title, exact: true }).click()
    }
    await filter('Status')
    await view.page.getByRole('checkbox', { name: 'Suspended' }).check()
    await pollUntil(() => view.column('Status').then((values) => new Set(values))).toEqual(new Set(['Suspended']))
    await view.page.keyboard.press('Escape')
    await filter('Department')
    await view.page.getByRole('combobox', { name: 'Department' }).click()
    await view.page.getByRole('option', { name: 'Operations' }).click()
    await pollUntil(() => view.column('Department').then((values) => new Set(values))).toEqual(new Set(['Operations']))
    await view.expectNoErrors()
    await view.page.keyboard.press('Escape')
    await view.page.keyboard.press('Escape')
    await filter('Created or updated')
    await field('Created or updated, from').fill('2012-01-01')
    await field('Created or updated, before').fill('2030-01-01')
    await button('Done').click()
    expect(new URLSearchParams(view.path().split('?')[1]).get('createdOrUpdatedTo')).toBe('2030-01-01T00:00:00.000Z')
    await button('Clear all').click()
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    await view.page.keyboard.press('/')
    await view.page.keyboard.type('nowak')
    await pollUntil(() => view.column('Last name').then((values) => new Set(values))).toEqual(new Set(['Nowak']))
    expect(view.path()).toBe('/user-detail?search=nowak')
    await view.page.keyboard.press('Escape')
    await view.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    expect(view.path()).toBe('/user-detail')
  })

  it('finds every record by name or ID for a filter, also without search in the service', async () => {
    const { results } = (await send('GET', '/v1/user?pageNumber=150&pageSize=1')) as unknown as {
      results: { id: number; firstName: string; lastName: string; email: string }[]
    }
    const { id, firstName, lastName, email } = results[0] ?? { id: 0, firstName: '', lastName: '', email: '' }
    await view.open('/v1/user')
    await button('Filter').click()
    await view.page.getByRole('option', { name: 'Created by', exact: true }).click()
    const input = view.page.getByRole('combobox', { name: 'Created by' })
    await input.click()
    await view.page.getByText(/^100 of 2\d\d shown$/).waitFor()
    const option = view.page.getByRole('option').filter({ hasText: email })
    expect(await option.count()).toBe(0)
    await input.fill(`${firstName} ${lastName}`.toUpperCase())
    await option.waitFor()
    await view.expectNoErrors()
    await input.fill(`${id}`)
    await option.click()
    await pollUntil(() => view.path()).toBe(`/v1/user?createdBy=${id}`)
    // The end of the list loads more.
    await input.fill('')
    await view.page.getByText(/^101 of 2\d\d shown$/).scrollIntoViewIfNeeded()
    await pollUntil(() => view.page.getByRole('option').count()).toBeGreaterThan(150)
    await view.page.keyboard.press('Escape')
  })

  it('is filtered by a value of a cell, also of one that shows a label, and from the head of a column', async () => {
    await view.open('/user-detail')
    const filterBy = async (value: string) => {
      await view.page.getByRole('cell', { name: value, exact: true }).first().hover()
      await button('Filter by this value').click()
    }
    await filterBy('Suspended')
    await pollUntil(() => valuesOf('Status')).toEqual(new Set(['Suspended']))
    await filterBy('Engineering')
    await pollUntil(() => valuesOf('Department')).toEqual(new Set(['Engineering']))
    const { results } = (await send('GET', '/department?name=Engineering')) as unknown as { results: { id: number }[] }
    expect(view.path()).toBe(`/user-detail?status=SUSPENDED&department=${results[0]?.id}`)
    await view.expectNoErrors()
    await view.page.getByRole('columnheader', { name: /^Status/ }).hover()
    await button('Filter by Status').click()
    await view.page.getByRole('checkbox', { name: 'Active' }).check()
    await pollUntil(() => view.path()).toMatch(/status=SUSPENDED&status=ACTIVE$/)
    await view.page.keyboard.press('Escape')
  })

  it('is filtered by presets of time, which stay relative in the URL', async () => {
    await view.open('/user')
    await view.page.getByRole('row').nth(1).waitFor()
    await view.page.keyboard.press('f')
    await view.page.locator('input:focus').waitFor()
    await view.page.keyboard.type('created or')
    await view.page.keyboard.press('Enter')
    const [request] = await Promise.all([
      view.page.waitForRequest(/createdOrUpdatedFrom/),
      button('Last 7 days').click(),
    ])
    const from = new URL(request.url()).searchParams.get('createdOrUpdatedFrom') ?? ''
    expect(from).toMatch(/T00:00:00.000Z$/)
    const days = (Date.now() - Date.parse(from)) / 86_400_000
    expect(Math.floor(days)).toBe(6)
    expect(view.path()).toBe('/user?createdOrUpdatedFrom=last-7-days')
    await button(/^Created or updated ?last 7 days$/).click()
    await view.expectNoErrors()
    await view.page.keyboard.press('Escape')
    // The history has exact times as well.
    await view.open('/change?timeFrom=today')
    await button(/^Time ?today$/).click()
    await view.page.getByText('Is any of').click()
    await view.page.getByRole('textbox', { name: 'Time' }).fill('2026-01-02T03:04:05.678')
    await button('Done').click()
    await pollUntil(() => view.path()).toBe('/change?time=2026-01-02T03%3A04%3A05.678Z')
    await view.page.getByText('No changes match.').waitFor()
  })

  it('shows and changes its sort in a pill, also by columns that are not shown', async () => {
    await view.open('/user?sort=-created&include=5')
    await button('Sort Created ↓').click()
    await button('Created, descending').click()
    await pollUntil(() => view.path()).toBe('/user?include=5&sort=created')
    await view.page.getByRole('combobox', { name: 'Then by …' }).click()
    await view.page.getByRole('option', { name: 'Status' }).click()
    await pollUntil(() => view.path()).toBe('/user?include=5&sort=created&sort=status')
    await view.expectNoErrors()
    await view.page.keyboard.press('Escape')
    await button('Clear sort').click()
    await pollUntil(() => view.path()).toBe('/user?include=5')
    await button('Clear filter include').click()
    await pollUntil(() => view.path()).toBe('/user')
  })
})
