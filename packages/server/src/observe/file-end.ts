/** The end of a file that other processes may be writing. */
import { fstat, read } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const settleDelayMs = 50
const newline = 10

const readBytes = promisify(read)
const statFile = promisify(fstat)

/** The last bytes of a file, or all if it is shorter; undefined if they cannot be read. */
export async function settledEnd(file: number, length: number): Promise<Buffer | undefined> {
  let end = await endOf(file, length)
  // A file grows page by page, so a line that another process is writing looks incomplete for a moment.
  for (let size = -1; end && isWithinLine(end.bytes) && end.size !== size; ) {
    size = end.size
    await pause(settleDelayMs)
    end = await endOf(file, length)
  }
  return end?.bytes
}

export function isWithinLine(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.at(-1) !== newline
}

async function endOf(file: number, length: number): Promise<{ size: number; bytes: Buffer } | undefined> {
  try {
    const state = await statFile(file)
    if (!state.isFile()) return undefined
    const bytes = Buffer.alloc(Math.min(length, state.size))
    const { bytesRead } = await readBytes(file, bytes, 0, bytes.length, state.size - bytes.length)
    return { size: state.size, bytes: bytes.subarray(0, bytesRead) }
  } catch {
    return undefined
  }
}
