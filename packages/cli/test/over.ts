/** Ends what was begun for a test, also when the test fails: the latest first. */
import { afterAll, onTestFinished } from 'vitest'

/** Takes what is to be done when it is over. */
export type Over = (end: () => unknown) => void

/** When the test that is running is over. */
export const forTest: Over = (end) => onTestFinished(async () => void (await end()))

/** When all tests of the file, or of the surrounding describe, are over. */
export function forAll(): Over {
  const ends: (() => unknown)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (end) => ends.push(end)
}
