/** A table that forgets: what was not set for a while is gone, and there is never too much in it. */

export class TtlCache<Value> {
  readonly #most: number
  readonly #lifetime: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #turnedAt = 0

  /** Keeps what was set within the lifetime, in milliseconds, and at least so many of the latest where there are more. */
  constructor(most: number, lifetime: number) {
    this.#most = most
    this.#lifetime = lifetime
  }

  get(key: string, now: number): Value | undefined {
    this.#turn(now)
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: string, value: Value, now: number): void {
    this.#turn(now)
    this.#young.set(key, value)
  }

  #turn(now: number): void {
    const age = now - this.#turnedAt
    if (age < this.#lifetime && this.#young.size < this.#most) return
    this.#old = age < 2 * this.#lifetime ? this.#young : new Map()
    this.#young = new Map()
    this.#turnedAt = now
  }
}
