/** Chance that can be repeated: the same seed and the same name give the same choices. */

export interface Random {
  /** From 0 up to and without 1. */
  readonly next: () => number
  /** From 0 up to and without `limit`. */
  readonly below: (limit: number) => number
  /** At most so many of them, in their own order. */
  readonly some: <Item>(items: readonly Item[], count: number) => Item[]
  /** So many lower-case letters and digits. */
  readonly word: (length: number) => string
}

/** `name` keeps the choices of one place apart from those of another, whatever is asked in between. */
export function random(seed: string, name: string): Random {
  let state = hash(`${seed}\n${name}`)
  // mulberry32: small, and even enough for choosing
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const some = <Item>(items: readonly Item[], count: number): Item[] => {
    const left = items.map((_, index) => index)
    const taken: number[] = []
    while (taken.length < count && left.length > 0) taken.push(...left.splice(below(left.length), 1))
    return taken.sort((a, b) => a - b).map((index) => items[index] as Item)
  }
  const word = (length: number) => Array.from({ length }, () => below(36).toString(36)).join('')
  return { next, below, some, word }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value | 0
}
