/** The router: the URL of the page, guarded while there are unsaved changes. */
import { useSyncExternalStore } from 'react'

export interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

/** Options of a navigation. */
export interface NavigateOptions {
  /** Replaces the current history entry. */
  readonly replaceHistory?: boolean
}

class Router {
  #hash = location.hash
  #address = parsed(location.hash)
  #isGuarded = false
  #isReturn = false
  #pendingUrl: string | undefined
  readonly #listeners = new Set<() => void>()

  constructor() {
    addEventListener('popstate', () => this.#arrive(location.hash))
    addEventListener('beforeunload', (event) => {
      if (this.#isGuarded) event.preventDefault()
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly address = (): Address => this.#address

  /** The requested URL while there are unsaved changes. */
  readonly pendingUrl = (): string | undefined => this.#pendingUrl

  /** Navigates to a URL of the console. */
  go(address: string, { replaceHistory = false }: NavigateOptions = {}): void {
    if (this.#isGuarded && parsed(`#${address}`).path !== this.#address.path) this.#confirm(address)
    else {
      if (!replaceHistory) this.#isReturn = false
      history[replaceHistory ? 'replaceState' : 'pushState'](null, '', `#${address}`)
      this.#show(`#${address}`)
    }
  }

  /** Reads the URL again after it was replaced without navigation. */
  arrive(): void {
    this.#show(location.hash)
  }

  /** Whether Back or Forward led to the current URL. */
  readonly isReturn = (): boolean => this.#isReturn

  /** Whether the page has unsaved changes. */
  readonly isGuarded = (): boolean => this.#isGuarded

  guard(isGuarded: boolean): void {
    this.#isGuarded = isGuarded
  }

  /** Discards unsaved changes and navigates, or stays. */
  decide(isLeft: boolean): void {
    const pendingUrl = this.#pendingUrl
    this.#pendingUrl = undefined
    if (isLeft && pendingUrl !== undefined) {
      this.#isGuarded = false
      this.go(pendingUrl)
    } else this.#notify()
  }

  /** Handles Back and Forward of the browser. */
  #arrive(hash: string): void {
    if (this.#isGuarded && parsed(hash).path !== this.#address.path) {
      history.pushState(null, '', this.#hash)
      this.#confirm(hash.slice(1))
    } else {
      this.#isReturn = true
      this.#show(hash)
    }
  }

  #confirm(address: string): void {
    this.#pendingUrl = address
    this.#notify()
  }

  #show(hash: string): void {
    this.#hash = hash
    this.#address = parsed(hash)
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

function parsed(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  return { path: path || '/', query: new URLSearchParams(query) }
}

export const router = new Router()

export function useAddress(): Address {
  return useSyncExternalStore(router.subscribe, router.address)
}

export function usePendingUrl(): string | undefined {
  return useSyncExternalStore(router.subscribe, router.pendingUrl)
}
