/** Tells a full disk from other faults of a database file. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** With less room, in bytes, SQLite cannot even make the file that its connections share. */
const least = 64 * 1024

const [failed, full] = [10, 13]

/** SQLite says that the disk is full, or only that reading or writing failed, where it maps a file that it cannot extend. */
export function isDiskFull(error: unknown, path: string): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
  return code === full || (code === failed && freeBytes(path) < least)
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
