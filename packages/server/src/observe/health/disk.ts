/** The room that is left on the discs that a service writes to. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PartHealth } from './health.ts'

/** With less, in bytes, it is time to make room: the latest commits alone may take as much. */
const enough = 128 * 1024 * 1024

/** The least room of all, in bytes. A folder that is not made yet lies on the disc of the one above it. */
export async function freeSpace(folders: readonly string[]): Promise<number> {
  return Math.min(...(await Promise.all(folders.map(freeAt))))
}

async function freeAt(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if (dirname(folder) === folder) throw error
    return freeAt(dirname(folder))
  }
}

export async function diskHealth(folders: readonly string[]): Promise<PartHealth> {
  const free = await freeSpace(folders)
  if (free >= enough) return { status: 'ok' }
  return { status: 'degraded', detail: `${Math.floor(free / 1024 / 1024)} MiB are free.` }
}
