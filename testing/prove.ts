/** How much is proven: a little with every run of the tests, all of it with `npm run prove`. */
const isFull = process.env.PROVE === 'full'

/** So many, or so many where all is to be proven. */
export function often(usual: number, full: number): number {
  return isFull ? full : usual
}

/** A test that may take long where all is to be proven, in milliseconds. */
export function patience(usual: number, full: number): { readonly timeout: number } {
  return { timeout: often(usual, full) }
}

/** The same each time, but new ones where all is to be proven, or the one that is asked for. */
export function proofSeed(): string {
  return process.env.PROVE_SEED ?? (isFull ? Math.random().toString(36).slice(2, 10) : 'a')
}

/** A service that turns nobody away because the machine is slow: what is proven here is another thing. */
export const unhurried = { WAIT_LIMIT: '0' }

/** A seed as a number, for generators that take no other. */
export function seedNumber(seed: string): number {
  let number = 0
  for (const letter of seed) number = (Math.imul(number, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return number
}
