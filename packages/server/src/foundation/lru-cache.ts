/** A cache that drops the least recently used entry when it is full. */
export class LruCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #maxEntries: number
  readonly #onDrop: ((key: string) => void) | undefined

  /** `onDrop` is called with the key of each entry that is dropped. */
  constructor(maxEntries: number, onDrop?: (key: string) => void) {
    this.#maxEntries = maxEntries
    this.#onDrop = onDrop
  }

  get(key: string, make: () => Value): Value {
    const cachedValue = this.#values.get(key)
    if (cachedValue !== undefined) {
      // The order of use matters only if the cache may soon be full.
      if (this.#values.size > this.#maxEntries / 2) {
        this.#values.delete(key)
        this.#values.set(key, cachedValue)
      }
      return cachedValue
    }
    const value = make()
    if (this.#values.size >= this.#maxEntries) this.#dropOldest()
    this.#values.set(key, value)
    return value
  }

  #dropOldest(): void {
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest)
      this.#onDrop?.(oldest)
      return
    }
  }
}
