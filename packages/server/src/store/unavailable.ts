/** Tells the faults of a database that may be over in a moment from those of the service. */
import { StoreUnavailable } from './error.ts'

/** SQLite's busy, locked, read-only, failed reading or writing, full, and cannot-open. */
const passing = [5, 6, 8, 10, 13, 14]

export function isUnavailable(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' && passing.includes(code & 0xff)
}
