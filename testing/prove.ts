/** The extent of randomized tests: small in every run, full with `npm run prove`. */
export const isFull = process.env.PROVE === 'full'

/** The number of runs of a randomized test: the usual one, or the full one with `npm run prove`. */
export function numberOfRuns(usual: number, full: number): number {
  return isFull ? full : usual
}

/** The timeout of a test, longer with `npm run prove`. */
export function timeoutOption(usualMs: number, fullMs: number): { readonly timeout: number } {
  return { timeout: isFull ? fullMs : usualMs }
}

/** The same seed each time; with `npm run prove` a new one; PROVE_SEED overrides it. */
export function proofSeed(): string {
  return process.env.PROVE_SEED ?? (isFull ? Math.random().toString(36).slice(2, 10) : 'a')
}

/** The environment that disables load shedding, so that a slow machine does not cause 503. */
export const withoutLoadShedding = { WAIT_LIMIT: '0' }

/** A seed as a number, for generators that need one. */
export function seedNumber(seed: string): number {
  let number = 0
  for (const letter of seed) number = (Math.imul(number, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return number
}
