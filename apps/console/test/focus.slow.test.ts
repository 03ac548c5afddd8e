// The focus in a real browser: keyboard users never lose their position.

import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { type ConsoleView, visit } from './visit.ts'

let browser: Browser
let service: OpenService
let view: ConsoleView

beforeAll(async () => {
  service = await open(directoryService(), { database: 'sqlite::memory:', console: builtConsole })
  browser = await startChromium()
  view = await visit(browser, `${await service.listen({ port: 0 })}/console/`)
})

afterAll(async () => {
  await browser?.close()
  await service?.close()
})

/** Polls until the expectation is met. */
const pollUntil = expect.poll

/** Creates departments, opens a list of them, and returns their IDs. */
async function openDepartments(count: number): Promise<readonly number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index++) {
    const payload = { name: `Department ${crypto.randomUUID()}` }
    ids.push((await inject(service, { method: 'POST', url: '/department', payload })).json().id)
  }
  await view.open(`/department?${ids.map((id) => `id=${id}`).join('&')}`)
  await menuOf(ids.at(-1)).waitFor()
  return ids
}

const press = (key: string) => view.page.keyboard.press(key)
const menuOf = (id: number | undefined) => view.page.getByRole('button', { name: `Actions for department ${id}` })
const item = (name: string) => view.page.getByRole('menuitem', { name, exact: true })

/** The name of the focused element. */
const focusedName = () =>
  view.page.locator(':focus').evaluateAll(([element]) => {
    const { id, ariaLabel, textContent } = element as unknown as { [name: string]: string | null }
    return ariaLabel ?? (id === 'main' ? id : textContent)
  })

/** Opens the menu of a row with the keyboard, and chooses one of its items. */
async function chooseItem(id: number | undefined, name: string): Promise<void> {
  await menuOf(id).focus()
  await press('Enter')
  await pollUntil(focusedName).toBe('Open')
  // Quick changes appear when the record is loaded.
  await view.page.getByRole('menuitem', { name: /Set retired to/ }).waitFor()
  for (let steps = 0; (await focusedName()) !== name && steps < 10; steps++) await press('ArrowDown')
  expect(await focusedName()).toBe(name)
  await press('Enter')
}

describe('a menu', () => {
  it('starts at its first item, and returns the focus to its button every time', async () => {
    const [id] = await openDepartments(1)
    const label = `Actions for department ${id}`
    for (const _ of ['first', 'second']) {
      await menuOf(id).focus()
      await press('Enter')
      await pollUntil(focusedName).toBe('Open')
      await press('Escape')
      await pollUntil(focusedName).toBe(label)
      await pollUntil(() => item('Open').count()).toBe(0)
    }
  })

  it('is closed by a key that is pressed before its first item has the focus', async () => {
    const [id] = await openDepartments(1)
    await menuOf(id).focus()
    await Promise.all([press('Enter'), press('Escape')])
    await pollUntil(() => item('Open').count()).toBe(0)
    expect(await focusedName()).toBe(`Actions for department ${id}`)
  })

  it('is closed by Tab, which moves to the element after its button', async () => {
    const [id, next] = await openDepartments(2)
    await menuOf(id).focus()
    await press('Enter')
    await pollUntil(focusedName).toBe('Open')
    await press('Tab')
    await pollUntil(focusedName).toBe(`Select department ${next}`)
    await pollUntil(() => item('Open').count()).toBe(0)
  })
})

describe('a dialog', () => {
  it('returns the focus to the button of the menu that opened it', async () => {
    const [id] = await openDepartments(1)
    await chooseItem(id, 'Delete …')
    const dialog = view.page.getByRole('dialog', { name: /^Delete department/ })
    await pollUntil(focusedName).toBe('Cancel')
    await press('Escape')
    await pollUntil(() => dialog.count()).toBe(0)
    expect(await focusedName()).toBe(`Actions for department ${id}`)
  })

  it('for a filter returns the focus to the filter button', async () => {
    await openDepartments(1)
    const filter = view.page.getByRole('button', { name: 'Filter', exact: true })
    await filter.focus()
    await press('Enter')
    await pollUntil(focusedName).toBe('Property or value to filter by')
    await view.page.keyboard.type('na')
    await press('Enter')
    const input = view.page.getByRole('combobox', { name: 'Name' })
    await pollUntil(() => input.evaluateAll(([element]) => element?.matches(':focus'))).toBe(true)
    await press('Escape')
    await pollUntil(focusedName).toBe('Filter')
  })

  it('of requests takes the focus, and returns it', async () => {
    await openDepartments(1)
    const requests = view.page.getByRole('button', { name: /^Requests: / })
    await requests.focus()
    await press('Enter')
    await pollUntil(focusedName).toBe('Close requests')
    await press('Escape')
    await pollUntil(focusedName).toMatch(/^Requests: /)
  })
})

describe('a message', () => {
  it('is reached by F8, and returns the focus', async () => {
    const [id] = await openDepartments(1)
    // An error message stays until it is closed.
    await view.page.route('**/department/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await chooseItem(id, 'Set retired to yes')
    await view.expectMessage(/does not respond/)
    await view.page.unroute('**/department/*')
    // The message is at the edge of the window, not at the end of the page.
    const { y = 0, height = 0 } = (await view.page.getByRole('region', { name: 'Messages' }).boundingBox()) ?? {}
    expect([y > 0, y + height < 800]).toEqual([true, true])
    expect(await focusedName()).toBe(`Actions for department ${id}`)
    await press('F8')
    await pollUntil(focusedName).toBe('Close message')
    await press('Enter')
    await pollUntil(focusedName).toBe(`Actions for department ${id}`)
    expect(
      await view.page
        .getByRole('status')
        .getByText(/does not respond/)
        .count(),
    ).toBe(0)
  })
})

describe('a removed element', () => {
  it('moves the focus to the next row, else to the previous row, else to the content', async () => {
    const [firstId, secondId, thirdId] = await openDepartments(3)
    const deleteRow = async (id: number | undefined) => {
      await chooseItem(id, 'Delete …')
      await pollUntil(focusedName).toBe('Cancel')
      await press('Tab')
      await pollUntil(focusedName).toBe('Delete')
      await press('Enter')
      await pollUntil(() => menuOf(id).count()).toBe(0)
    }
    await deleteRow(firstId)
    await pollUntil(focusedName).toBe(`Actions for department ${secondId}`)
    await deleteRow(thirdId)
    await pollUntil(focusedName).toBe(`Actions for department ${secondId}`)
    await deleteRow(secondId)
    await view.page.getByText('No departments match.').waitFor()
    expect(await view.page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
  })

  it('moves the focus to its neighbor: the button that clears all filters', async () => {
    await openDepartments(1)
    await view.page.getByRole('button', { name: 'Clear all' }).focus()
    await press('Enter')
    await pollUntil(() => view.path()).toBe('/department')
    await pollUntil(focusedName).toBe('Filter')
  })

  it('moves the focus to the content of the next page if the page changes', async () => {
    const [id] = await openDepartments(1)
    await view.page.locator(`tr[data-id="${id}"] .row-link`).focus()
    await press('Enter')
    await view.page.getByRole('button', { name: 'Delete …' }).waitFor()
    await pollUntil(focusedName).toBe('main')
  })

  it('does not move the focus if a click beside the element has removed it', async () => {
    const [firstId, secondId] = await openDepartments(2)
    await menuOf(firstId).focus()
    await view.page.getByRole('banner').click()
    expect(await view.page.evaluate('document.activeElement === document.body')).toBe(true)
    await inject(service, { method: 'DELETE', url: `/department/${firstId}` })
    await view.page.evaluate('document.querySelector(\'[aria-label="Refresh"]\').click()')
    await pollUntil(() => menuOf(firstId).count()).toBe(0)
    await menuOf(secondId).waitFor()
    expect(await view.page.evaluate('document.activeElement === document.body')).toBe(true)
  })
})
