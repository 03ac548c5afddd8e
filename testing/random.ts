/** Random numbers that are reproducible by a seed. */

export interface Random {
  /** At least 0, and less than 1. */
  readonly next: () => number
  /** At least 0, and less than the limit. */
  readonly below: (limit: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
}

/** The generator Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (items) => items[below(items.length)] as (typeof items)[number] }
}
