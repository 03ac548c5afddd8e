/** Writes to a file or a pipe. A pipe may be full because its reader is slow. */
import { write } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const writeBytes = promisify(write)

/** Appends as many bytes as fit, and returns their number. If a pipe is full, it waits briefly and returns 0. */
export async function writeSome(file: number, bytes: Buffer): Promise<number> {
  try {
    return (await writeBytes(file, bytes, 0, bytes.length, null)).bytesWritten
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    await pause(20)
    return 0
  }
}
