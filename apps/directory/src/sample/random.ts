/** Random numbers of the sample. The seed depends on noun and ID, so that a record is always the same. */

/** The preferences of a user do not change if the user itself needs another random number. */
const streams = { user: 1, department: 2, supervisor: 3, preference: 4, role: 5 }

/** Another seed gives another sample, with the same fixed cases. */
const seed = 42 * 64

export type Draw = ReturnType<typeof draw>

/** Random numbers for one record (mulberry32), independent of the number of records. */
export function draw(stream: keyof typeof streams, id: number) {
  let state = mix((Math.imul(id, 8) + streams[stream]) ^ seed)

  /** At least 0 and below 1. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** An integer from 0, below the limit. */
  function below(limit: number): number {
    return Math.floor(fraction() * limit)
  }
  function chance(probability: number): boolean {
    return fraction() < probability
  }
  function oneOf<T>(values: readonly T[]): T {
    return values[below(values.length)] as T
  }
  return { fraction, below, chance, oneOf }
}

/** Consecutive IDs must not give similar numbers (the last step of murmur3). */
function mix(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
