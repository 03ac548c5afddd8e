/** SQLite's word for a lock that another connection holds, and the wait until it is asked for again. */

/** Whether another connection writes, or changes the form of the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

/** In milliseconds: short, lest the lock's owner always be first, and never in step with others. */
export function lockPause(): number {
  return 1 + Math.random() * 3
}
