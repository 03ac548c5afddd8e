/** A seeded random generator: the same seed and name give the same choices. */

export interface Random {
  /** At least 0 and less than 1. */
  readonly next: () => number
  /** At least 0 and less than `limit`. */
  readonly below: (limit: number) => number
  /** A sample of at most this size, in the original order. */
  readonly sample: <Item>(items: readonly Item[], count: number) => Item[]
  /** This number of lower-case letters and digits. */
  readonly word: (length: number) => string
}

/** Generators with different names are independent. */
export function random(seed: string, name: string): Random {
  let state = hash(`${seed}\n${name}`)
  // mulberry32: small, and uniform enough for sampling.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const sample = <Item>(items: readonly Item[], count: number): Item[] => {
    const remaining = items.map((_, index) => index)
    const chosen: number[] = []
    while (chosen.length < count && remaining.length > 0) chosen.push(...remaining.splice(below(remaining.length), 1))
    return chosen.sort((a, b) => a - b).map((index) => items[index] as Item)
  }
  const word = (length: number) => Array.from({ length }, () => below(36).toString(36)).join('')
  return { next, below, sample, word }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value | 0
}
