/// <reference lib="dom" />
// The router with a history like that of a browser, while there are unsaved changes.
import { afterAll, beforeEach, expect, it, vi } from 'vitest'

/** The session history of a tab. A traversal ends later, with an event. */
class TabHistory {
  entries: { state: unknown; url: string }[] = [{ state: null, url: '#/' }]
  index = 0
  onPopState: () => void = () => {}

  get state(): unknown {
    return this.entries[this.index]?.state
  }

  get url(): string {
    return `${this.entries[this.index]?.url}`
  }

  pushState(state: unknown, _: string, url: string): void {
    this.entries = [...this.entries.slice(0, ++this.index), { state, url }]
  }

  replaceState(state: unknown, _: string, url = this.url): void {
    this.entries[this.index] = { state, url }
  }

  go(distance: number): void {
    queueMicrotask(() => {
      this.index += distance
      this.onPopState()
    })
  }

  back(): void {
    this.go(-1)
  }
}

const tab = new TabHistory()
const urls = () => tab.entries.map(({ url }) => url)
/** Goes back or forward, and waits until the router has reacted. */
const traverse = async (distance: number) => {
  tab.go(distance)
  await settled()
}
const settled = () => new Promise<void>((resolve) => setTimeout(resolve))

vi.stubGlobal('history', tab)
vi.stubGlobal('location', {
  get hash() {
    return tab.url
  },
})
vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
  if (name === 'popstate') tab.onPopState = listener
})
const { router } = await import('./router.ts')
afterAll(() => void vi.unstubAllGlobals())

const form = {}
beforeEach(async () => {
  router.clearGuards()
  router.resolvePending(false)
  if (tab.index > 0) await traverse(-tab.index)
  router.go('/user')
  router.go('/user/7')
})

it('goes back after a confirmation, and keeps the entries of the history', async () => {
  router.go('/department')
  await traverse(-1)
  router.setGuard(form, 0)
  await traverse(-1)
  expect([router.isPending(), tab.url, router.address().path]).toEqual([true, '#/user/7', '/user/7'])
  router.resolvePending(true)
  await settled()
  expect([router.isPending(), tab.url, router.address().path]).toEqual([false, '#/user', '/user'])
  expect(router.isReturn()).toBe(true)
  expect(urls()).toEqual(['#/', '#/user', '#/user/7', '#/department'])
  await traverse(2)
  expect(router.address().path).toBe('/department')
})

it('stays at the entry if the user does', async () => {
  router.setGuard(form, 0)
  await traverse(-2)
  router.resolvePending(false)
  await settled()
  expect([router.isPending(), tab.url, router.isReturn()]).toEqual([false, '#/user/7', false])
  expect(urls()).toEqual(['#/', '#/user', '#/user/7'])
})

it('replaces the entry after a confirmation if the navigation does', () => {
  router.setGuard(form, 0)
  router.go('/role', { replaceHistory: true })
  router.resolvePending(true)
  expect(urls()).toEqual(['#/', '#/user', '#/role'])
})

it('closes a record of the drawer by Back, also if it was opened or is closed after a confirmation', async () => {
  router.openRecord('/user/1')
  router.setGuard(form, 1)
  router.go('/user/7?_record=/user/2')
  router.resolvePending(true)
  router.openRecord('/user/3')
  router.setGuard(form, 2)
  router.closeRecord()
  expect(router.isPending()).toBe(true)
  router.resolvePending(true)
  await settled()
  expect([tab.url, tab.index, urls().length]).toEqual(['#/user/7?_record=/user/2', 4, 6])
})

it('asks before a typed URL is shown', async () => {
  router.setGuard(form, 0)
  tab.pushState(null, '', '#/typed')
  tab.onPopState()
  await settled()
  expect([router.isPending(), tab.url]).toEqual([true, '#/user/7'])
  router.resolvePending(true)
  await settled()
  expect([router.address().path, tab.url]).toEqual(['/typed', '#/typed'])
})

it('knows whether Back led to the shown page', async () => {
  await traverse(-1)
  expect(router.isReturn()).toBe(true)
  router.setGuard(form, 0)
  router.go('/role')
  // The page stays, so Back still led to it.
  expect(router.isReturn()).toBe(true)
  router.resolvePending(false)
  router.openRecord('/user/1')
  expect(router.isReturn()).toBe(false)
  router.clearGuards()
  await traverse(-1)
  await traverse(1)
  expect(router.isReturn()).toBe(true)
  router.replaceRecord('/user/2', new URLSearchParams('pageNumber=2'))
  expect([router.isReturn(), tab.url]).toEqual([false, '#/user?pageNumber=2&_record=/user/2'])
})
