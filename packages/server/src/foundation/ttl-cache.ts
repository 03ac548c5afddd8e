/** A cache whose entries expire. Times are milliseconds of one clock, by default the wall clock. */

interface Entry<Value> {
  readonly value: Value
  readonly expiresAt: number
}

export class TtlCache<Value> {
  readonly #maxEntries: number
  readonly #lifetimeMs: number
  // Two generations instead of an order of use: a hit moves nothing, and the older generation is dropped as a whole.
  #recent = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()
  #rotatedAt = 0

  /** Keeps the latest `maxEntries` entries at least and twice as many at most, none longer than `lifetimeMs`. */
  constructor(maxEntries: number, lifetimeMs: number) {
    this.#maxEntries = maxEntries
    this.#lifetimeMs = lifetimeMs
  }

  get(key: string, now = Date.now()): Value | undefined {
    this.#rotate(now)
    const entry = this.#recent.get(key) ?? this.#promote(key)
    return entry && now < entry.expiresAt ? entry.value : undefined
  }

  /** The entry expires at the end of the lifetime, or at `expiresAt` if that is earlier. */
  set(key: string, value: Value, now = Date.now(), expiresAt = Number.POSITIVE_INFINITY): void {
    this.#rotate(now)
    this.#recent.set(key, { value, expiresAt: Math.min(expiresAt, now + this.#lifetimeMs) })
  }

  clear(): void {
    this.#recent = new Map()
    this.#old = new Map()
  }

  #promote(key: string): Entry<Value> | undefined {
    const entry = this.#old.get(key)
    if (entry) this.#recent.set(key, entry)
    return entry
  }

  #rotate(now: number): void {
    const age = now - this.#rotatedAt
    if (age < this.#lifetimeMs && this.#recent.size < this.#maxEntries) return
    this.#old = age < 2 * this.#lifetimeMs ? this.#recent : new Map()
    this.#recent = new Map()
    this.#rotatedAt = now
  }
}
