/** The address of the page: read, changed, and guarded while something is not saved. */
import { useSyncExternalStore } from 'react'

export interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

class Router {
  #hash = location.hash
  #address = parsed(location.hash)
  #isGuarded = false
  #wanted: string | undefined
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

  /** The address that someone wants to go to while something is not saved. */
  readonly wanted = (): string | undefined => this.#wanted

  /** Goes to an address of the console. `isReplaced`: Back leads past the present one. */
  go(address: string, { isReplaced = false } = {}): void {
    if (this.#isGuarded && parsed(`#${address}`).path !== this.#address.path) this.#ask(address)
    else {
      history[isReplaced ? 'replaceState' : 'pushState'](null, '', `#${address}`)
      this.#show(`#${address}`)
    }
  }

  /** The address was changed without a step of the browser. */
  arrive(): void {
    this.#show(location.hash)
  }

  guard(isGuarded: boolean): void {
    this.#isGuarded = isGuarded
  }

  /** Leaves what is not saved, or stays with it. */
  decide(isLeft: boolean): void {
    const wanted = this.#wanted
    this.#wanted = undefined
    if (isLeft && wanted !== undefined) {
      this.#isGuarded = false
      this.go(wanted)
    } else this.#tell()
  }

  /** The browser has gone back or forth by itself. */
  #arrive(hash: string): void {
    if (this.#isGuarded && parsed(hash).path !== this.#address.path) {
      history.pushState(null, '', this.#hash)
      this.#ask(hash.slice(1))
    } else this.#show(hash)
  }

  #ask(address: string): void {
    this.#wanted = address
    this.#tell()
  }

  #show(hash: string): void {
    this.#hash = hash
    this.#address = parsed(hash)
    this.#tell()
  }

  #tell(): void {
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

export function useWanted(): string | undefined {
  return useSyncExternalStore(router.subscribe, router.wanted)
}
