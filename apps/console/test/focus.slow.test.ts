// Where the focus is, in a real browser: whoever has a keyboard alone never loses the place.

import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { type Visit, visit } from './visit.ts'

let browser: Browser
let service: OpenService
let at: Visit

beforeAll(async () => {
  service = await open(directoryService(), { database: 'sqlite::memory:', console: builtConsole() })
  browser = await startChromium()
  at = await visit(browser, `${await service.listen({ port: 0 })}/console/`)
})

afterAll(async () => {
  await browser?.close()
  await service?.close()
})

/** What comes when it comes: others may keep the machine busy. */
const until: typeof expect.poll = (ask, options) => expect.poll(ask, { timeout: 10_000, ...options })

/** Some departments of one's own, and the list of them alone. */
async function departments(count: number): Promise<readonly number[]> {
  const made: number[] = []
  for (let index = 0; index < count; index++) {
    const payload = { name: `Department ${crypto.randomUUID()}` }
    made.push((await inject(service, { method: 'POST', url: '/department', payload })).json().id)
  }
  await at.open(`/department?${made.map((id) => `id=${id}`).join('&')}`)
  await at.page.getByRole('link', { name: `${made.at(-1)}`, exact: true }).waitFor()
  return made
}

const press = (key: string) => at.page.keyboard.press(key)
const menuOf = (id: number | undefined) => at.page.getByRole('button', { name: `Actions for department ${id}` })
const item = (name: string) => at.page.getByRole('menuitem', { name, exact: true })

/** What has the focus, as it is called. */
const focused = () =>
  at.page.locator(':focus').evaluateAll(([one]) => {
    const { id, ariaLabel, textContent } = one as unknown as { [name: string]: string | null }
    return ariaLabel ?? (id === 'main' ? id : textContent)
  })

/** Opens the menu of a row by keys, and goes down to one of its items. */
async function choose(id: number | undefined, name: string): Promise<void> {
  await menuOf(id).focus()
  await press('Enter')
  await until(focused).toBe('Open')
  // What depends on the record comes in when it is read.
  await at.page.getByRole('menuitem', { name: /Retired: set/ }).waitFor()
  for (let steps = 0; (await focused()) !== name && steps < 10; steps++) await press('ArrowDown')
  expect(await focused()).toBe(name)
  await press('Enter')
}

describe('a menu', () => {
  it('begins at its first item, and gives the focus back to its button, the first time and every other', async () => {
    const [id] = await departments(1)
    const label = `Actions for department ${id}`
    for (const _ of ['first', 'second']) {
      await menuOf(id).focus()
      await press('Enter')
      await until(focused).toBe('Open')
      await press('Escape')
      await until(focused).toBe(label)
      await until(() => item('Open').count()).toBe(0)
    }
  })

  it('is closed by a key that comes before its first item is there', async () => {
    const [id] = await departments(1)
    await menuOf(id).focus()
    await Promise.all([press('Enter'), press('Escape')])
    await until(() => item('Open').count()).toBe(0)
    expect(await focused()).toBe(`Actions for department ${id}`)
  })

  it('is left by Tab, to what comes after its button', async () => {
    const [id, next] = await departments(2)
    await menuOf(id).focus()
    await press('Enter')
    await until(focused).toBe('Open')
    await press('Tab')
    await until(focused).toBe(`Choose department ${next}`)
    await until(() => item('Open').count()).toBe(0)
  })
})

describe('a dialog', () => {
  it('gives the focus back to the button of the menu that it was opened from', async () => {
    const [id] = await departments(1)
    await choose(id, 'Delete …')
    const dialog = at.page.getByRole('dialog', { name: 'Delete this department?' })
    await until(focused).toBe('Keep it')
    await press('Escape')
    await until(() => dialog.count()).toBe(0)
    expect(await focused()).toBe(`Actions for department ${id}`)
  })

  it('that asks for a filter gives it back to the button of the filters', async () => {
    await departments(1)
    const filter = at.page.getByRole('button', { name: 'Filter', exact: true })
    await filter.focus()
    await press('Enter')
    await until(focused).toBe('Name')
    await press('Enter')
    const input = at.page.getByRole('combobox', { name: 'Name' })
    await until(() => input.evaluateAll(([one]) => one?.matches(':focus'))).toBe(true)
    await press('Escape')
    await until(focused).toBe('Filter')
  })

  it('of requests takes the focus, and gives it back', async () => {
    await departments(1)
    const requests = at.page.getByRole('button', { name: /^Requests/ })
    await requests.focus()
    await press('Enter')
    await until(focused).toBe('Close the requests')
    await press('Escape')
    await until(focused).toMatch(/^Requests/)
  })
})

describe('a message', () => {
  it('is reached by F8, and gives the focus back to where it was', async () => {
    const [id] = await departments(1)
    // What went wrong is told until it is closed.
    await at.page.route('**/department/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await choose(id, 'Retired: set yes')
    await at.told(/does not answer/)
    await at.page.unroute('**/department/*')
    // It stands at the edge of what is seen, and not below all else.
    const { y = 0, height = 0 } = (await at.page.getByRole('region', { name: 'Messages' }).boundingBox()) ?? {}
    expect([y > 0, y + height < 800]).toEqual([true, true])
    expect(await focused()).toBe(`Actions for department ${id}`)
    await press('F8')
    await until(focused).toBe('Close this message')
    await press('Enter')
    await until(focused).toBe(`Actions for department ${id}`)
    expect(
      await at.page
        .getByRole('status')
        .getByText(/does not answer/)
        .count(),
    ).toBe(0)
  })
})

describe('what goes away', () => {
  it('leaves the focus to the next row, the last one to the row before, and the last of all to the content', async () => {
    const [one, two, three] = await departments(3)
    const remove = async (id: number | undefined) => {
      await choose(id, 'Delete …')
      await until(focused).toBe('Keep it')
      await press('Tab')
      await until(focused).toBe('Delete')
      await press('Enter')
      await until(() => menuOf(id).count()).toBe(0)
    }
    await remove(one)
    await until(focused).toBe(`Actions for department ${two}`)
    await remove(three)
    await until(focused).toBe(`Actions for department ${two}`)
    await remove(two)
    await at.page.getByText('No department fits these filters.').waitFor()
    expect(await at.page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
  })

  it('leaves it to its neighbour: the button that clears all filters', async () => {
    await departments(1)
    await at.page.getByRole('button', { name: 'Clear all' }).focus()
    await press('Enter')
    await until(() => at.address()).toBe('/department')
    await until(focused).toBe('Filter')
  })

  it('with its page leaves it to the content of the next one', async () => {
    const [id] = await departments(1)
    await at.page.getByRole('link', { name: `${id}`, exact: true }).focus()
    await press('Enter')
    await at.page.getByRole('button', { name: 'Delete …' }).waitFor()
    await until(focused).toBe('main')
  })

  it('leaves it nowhere where someone has clicked beside it', async () => {
    const [one, two] = await departments(2)
    await menuOf(one).focus()
    await at.page.getByRole('banner').click()
    expect(await at.page.evaluate('document.activeElement === document.body')).toBe(true)
    await inject(service, { method: 'DELETE', url: `/department/${one}` })
    await at.page.evaluate('document.querySelector(\'[aria-label="Ask again"]\').click()')
    await until(() => menuOf(one).count()).toBe(0)
    await menuOf(two).waitFor()
    expect(await at.page.evaluate('document.activeElement === document.body')).toBe(true)
  })
})
