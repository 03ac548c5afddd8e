/** Distinguishes a full disk from other faults of a database file. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { faultOf } from '../fault/fault.ts'

/** With less free space, SQLite cannot create the shared-memory file of its connections. */
const minBytes = 64 * 1024

/** SQLite reports a full disk, or only a failed write if it cannot extend a file that it has mapped. */
export function isDiskFull(error: unknown, path: string): boolean {
  const fault = faultOf(error)
  return fault === 'disk-full' || (fault === 'disk-failure' && freeBytes(path) < minBytes)
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
