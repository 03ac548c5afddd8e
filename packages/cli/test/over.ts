/** Runs cleanups after a test or a file, even if a test fails, in reverse order. */
import { afterAll, onTestFinished } from 'vitest'

/** Registers a cleanup. */
export type OnCleanup = (cleanup: () => unknown) => void

/** Cleanups after the current test. */
export const forTest: OnCleanup = (cleanup) => onTestFinished(async () => void (await cleanup()))

/** Cleanups after all tests of the file or of the surrounding describe. */
export function forAll(): OnCleanup {
  const cleanups: (() => unknown)[] = []
  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  })
  return (cleanup) => cleanups.push(cleanup)
}
