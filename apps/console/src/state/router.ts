/** The router: the URL of the page with its drawer, guarded while there are unsaved changes. */

import { useSyncExternalStore } from 'react'
import { Listeners } from '../listeners.ts'
import { type Address, addressText, parseAddress, unchangedLevels } from '../model/drawer.ts'

/** Options of a navigation. */
export interface NavigateOptions {
  /** Replaces the current history entry. Records in the drawer stay open. */
  readonly replaceHistory?: boolean
  /** Does not ask about unsaved changes. */
  readonly discardChanges?: boolean
}

/** The state of a history entry that opened a record in the drawer: Back closes it. */
const drawerState = 'drawer'

class Router {
  #address = parseAddress(location.hash.slice(1))
  #state: unknown = history.state
  /** The forms with unsaved changes, with their level: 0 is the page, 1 the first record in the drawer. */
  readonly #guards = new Map<object, number>()
  #isReturn = false
  #pendingUrl: string | undefined
  readonly #listeners = new Listeners()

  constructor() {
    addEventListener('popstate', () => this.handlePopState(parseAddress(location.hash.slice(1))))
    addEventListener('beforeunload', (event) => {
      if (this.#guards.size > 0) event.preventDefault()
    })
  }

  readonly subscribe = this.#listeners.subscribe

  readonly address = (): Address => this.#address

  /** The requested URL while there are unsaved changes. */
  readonly pendingUrl = (): string | undefined => this.#pendingUrl

  /** Navigates to a URL of the console. */
  go(url: string, { replaceHistory = false, discardChanges = false }: NavigateOptions = {}): void {
    const next = parseAddress(url)
    const { drawer } = this.#address
    const address = replaceHistory && next.drawer.length === 0 ? { ...next, drawer } : next
    if (discardChanges) this.clearGuards()
    if (!replaceHistory) this.#isReturn = false
    this.#navigate(address, replaceHistory ? 'replaceState' : 'pushState', replaceHistory ? this.#state : null)
  }

  /** Opens a record in the drawer, above the records that are open. */
  openRecord(path: string): void {
    this.#navigate({ ...this.#address, drawer: [...this.#address.drawer, path] }, 'pushState', drawerState)
  }

  /** Shows another record in the drawer. The list below may turn to another page. */
  replaceRecord(path: string, query = this.#address.query): void {
    const drawer = this.#address.drawer.with(-1, path)
    // After a turn of the page, Back leads to the page before and does not only close the drawer.
    this.#navigate(
      { ...this.#address, query, drawer },
      'replaceState',
      query === this.#address.query ? this.#state : null,
    )
  }

  /** Closes the last record of the drawer. */
  readonly closeRecord = (): void => {
    const address = { ...this.#address, drawer: this.#address.drawer.slice(0, -1) }
    if (this.#state === drawerState && !this.losesChanges(address)) history.back()
    else this.#navigate(address, 'replaceState', null)
  }

  /** Reads the URL again after it was replaced without navigation. */
  reload(): void {
    this.#show(parseAddress(location.hash.slice(1)))
  }

  /** Whether Back or Forward led to the current URL. */
  readonly isReturn = (): boolean => this.#isReturn

  /** Whether the page has unsaved changes. */
  readonly isGuarded = (): boolean => this.#guards.size > 0

  /** Asks before the level of a form is left. Undefined ends this. */
  setGuard(form: object, level: number | undefined): void {
    const wasGuarded = this.isGuarded()
    if (level === undefined) this.#guards.delete(form)
    else this.#guards.set(form, level)
    if (this.isGuarded() !== wasGuarded) this.#notify()
  }

  clearGuards(): void {
    this.#guards.clear()
  }

  /** Discards unsaved changes and navigates, or stays. */
  resolvePending(isLeft: boolean): void {
    const pendingUrl = this.#pendingUrl
    this.#pendingUrl = undefined
    if (isLeft && pendingUrl !== undefined) this.go(pendingUrl, { discardChanges: true })
    else this.#notify()
  }

  losesChanges(next: Address): boolean {
    const kept = unchangedLevels(this.#address, next)
    return [...this.#guards.values()].some((level) => level > kept)
  }

  #navigate(next: Address, method: 'pushState' | 'replaceState', state: unknown): void {
    if (this.losesChanges(next)) this.#confirm(next)
    else {
      history[method](state, '', `#${addressText(next)}`)
      this.#show(next)
    }
  }

  /** Handles Back and Forward of the browser. */
  handlePopState(next: Address): void {
    if (this.losesChanges(next)) {
      history.pushState(this.#state, '', `#${addressText(this.#address)}`)
      this.#confirm(next)
    } else {
      this.#isReturn = true
      this.#show(next)
    }
  }

  #confirm(address: Address): void {
    this.#pendingUrl = addressText(address)
    this.#notify()
  }

  #show(next: Address): void {
    const before = this.#address
    // The same object as long as the query is the same: a drawer changes nothing in the list below it.
    this.#address = `${before.query}` === `${next.query}` ? { ...next, query: before.query } : next
    this.#state = history.state
    this.#notify()
  }

  #notify(): void {
    this.#listeners.notify()
  }
}

export const router = new Router()

export function useAddress(): Address {
  return useSyncExternalStore(router.subscribe, router.address)
}

/** Whether the page has unsaved changes. */
export function useGuarded(): boolean {
  return useSyncExternalStore(router.subscribe, router.isGuarded)
}

export function usePendingUrl(): string | undefined {
  return useSyncExternalStore(router.subscribe, router.pendingUrl)
}
