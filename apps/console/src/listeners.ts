/** The listeners of a value outside React, for `useSyncExternalStore`. */
export class Listeners {
  readonly #listeners = new Set<() => void>()

  /** Calls the listener after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
