/** Random numbers that are the same for the same seed. */

export interface Random {
  /** From 0, below 1. */
  readonly next: () => number
  /** From 0, below the limit. */
  readonly below: (limit: number) => number
  readonly pick: <One>(all: readonly One[]) => One
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (all) => all[below(all.length)] as (typeof all)[number] }
}
