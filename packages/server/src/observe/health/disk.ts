/** The free space on the disks that a service writes to. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PartHealth } from './health.ts'

/** Below this, the service is degraded: the write-ahead log alone may need as much. */
const minFreeBytes = 128 * 1024 * 1024

/** The least free space of all folders, in bytes. For a folder that does not exist yet, that of its parent counts. */
export async function freeSpace(folders: readonly string[]): Promise<number> {
  return Math.min(...(await Promise.all(folders.map(freeBytesAt))))
}

async function freeBytesAt(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if (dirname(folder) === folder) throw error
    return freeBytesAt(dirname(folder))
  }
}

export async function diskHealth(folders: readonly string[]): Promise<PartHealth> {
  const freeBytes = await freeSpace(folders)
  if (freeBytes >= minFreeBytes) return { status: 'ok' }
  return { status: 'degraded', detail: `Only ${Math.floor(freeBytes / 1024 / 1024)} MiB of disk space are free.` }
}
