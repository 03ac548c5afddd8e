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

/** The state of a history entry. */
interface Entry {
  /** Its number in the history of the page. */
  readonly position: number
  /** It opened a record in the drawer: Back closes it. */
  readonly opensRecord: boolean
}

class Router {
  #address = addressOfPage()
  #entry = readEntry() ?? { position: 0, opensRecord: false }
  /** The forms with unsaved changes, with their level: 0 is the page, 1 the first record in the drawer. */
  readonly #guards = new Map<object, number>()
  #isReturn = false
  /** The navigation that waits until the user confirms that unsaved changes are lost. */
  #pending: (() => void) | undefined
  readonly #listeners = new Listeners()

  constructor() {
    history.replaceState(this.#entry, '')
    addEventListener('popstate', () => this.#handlePopState())
    addEventListener('beforeunload', (event) => {
      if (this.#guards.size > 0) event.preventDefault()
    })
  }

  readonly subscribe = this.#listeners.subscribe

  readonly address = (): Address => this.#address

  /** Whether a navigation waits for the user, because it would lose unsaved changes. */
  readonly isPending = (): boolean => this.#pending !== undefined

  /** Navigates to a URL of the console. */
  go(url: string, { replaceHistory = false, discardChanges = false }: NavigateOptions = {}): void {
    const next = parseAddress(url)
    if (discardChanges) this.clearGuards()
    if (!replaceHistory) this.#push(next, false)
    // The same entry with another URL: whether Back led to it stays the same.
    else if (next.drawer.length > 0) this.#replace(next, this.#entry.opensRecord, this.#isReturn)
    else this.#replace({ ...next, drawer: this.#address.drawer }, this.#entry.opensRecord, this.#isReturn)
  }

  /** Opens a record in the drawer, above the records that are open. */
  openRecord(path: string): void {
    this.#push({ ...this.#address, drawer: [...this.#address.drawer, path] }, true)
  }

  /** Shows another record in the drawer. With a query, the list below turns to another page. */
  replaceRecord(path: string, query?: URLSearchParams): void {
    const next = { ...this.#address, ...(query && { query }), drawer: this.#address.drawer.with(-1, path) }
    // After a turn of the page, Back leads to the page before and does not only close the drawer.
    this.#replace(next, query === undefined && this.#entry.opensRecord, false)
  }

  /** Closes the last record of the drawer. */
  readonly closeRecord = (): void => {
    const next = { ...this.#address, drawer: this.#address.drawer.slice(0, -1) }
    if (this.#entry.opensRecord) this.#confirm(next, () => history.back())
    else this.#replace(next, false, false)
  }

  /** Reads the URL after it was replaced without navigation. */
  readUrl(): void {
    this.#show(addressOfPage(), this.#entry, this.#isReturn)
    history.replaceState(this.#entry, '')
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
    const navigate = this.#pending
    this.#pending = undefined
    if (isLeft) {
      this.clearGuards()
      navigate?.()
    }
    this.#notify()
  }

  #push(next: Address, opensRecord: boolean): void {
    this.#confirm(next, () => {
      const entry = { position: this.#entry.position + 1, opensRecord }
      history.pushState(entry, '', `#${addressText(next)}`)
      this.#show(next, entry, false)
    })
  }

  #replace(next: Address, opensRecord: boolean, isReturn: boolean): void {
    this.#confirm(next, () => {
      const entry = { position: this.#entry.position, opensRecord }
      history.replaceState(entry, '', `#${addressText(next)}`)
      this.#show(next, entry, isReturn)
    })
  }

  /** Navigates at once, or after the user confirms that unsaved changes are lost. */
  #confirm(next: Address, navigate: () => void): void {
    if (this.#losesChanges(next)) this.#ask(navigate)
    else navigate()
  }

  #losesChanges(next: Address): boolean {
    const kept = unchangedLevels(this.#address, next)
    return [...this.#guards.values()].some((level) => level > kept)
  }

  #ask(navigate: () => void): void {
    this.#pending = navigate
    this.#notify()
  }

  /** Handles Back, Forward, and a URL that the user has typed. The browser has changed the URL already. */
  #handlePopState(): void {
    const known = readEntry()
    const entry = known ?? { position: this.#entry.position + 1, opensRecord: false }
    if (!known) history.replaceState(entry, '')
    const distance = entry.position - this.#entry.position
    // The browser is back at the entry that the page shows.
    if (distance === 0) return
    const next = addressOfPage()
    if (this.#losesChanges(next)) {
      // Returns to the shown entry, and keeps the others, until the user decides.
      history.go(-distance)
      this.#ask(() => history.go(distance))
    } else this.#show(next, entry, known !== undefined)
  }

  #show(next: Address, entry: Entry, isReturn: boolean): void {
    const before = this.#address
    // The same object as long as the query is the same: a drawer changes nothing in the list below it.
    this.#address = `${before.query}` === `${next.query}` ? { ...next, query: before.query } : next
    this.#entry = entry
    this.#isReturn = isReturn
    this.#notify()
  }

  #notify(): void {
    this.#listeners.notify()
  }
}

function addressOfPage(): Address {
  return parseAddress(location.hash.slice(1))
}

/** Undefined for an entry that the router has not made. */
function readEntry(): Entry | undefined {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'position' in state ? (state as Entry) : undefined
}

export const router = new Router()

export function useAddress(): Address {
  return useSyncExternalStore(router.subscribe, router.address)
}

/** Whether the page has unsaved changes. */
export function useGuarded(): boolean {
  return useSyncExternalStore(router.subscribe, router.isGuarded)
}

/** Whether a navigation waits for the user. */
export function usePending(): boolean {
  return useSyncExternalStore(router.subscribe, router.isPending)
}
