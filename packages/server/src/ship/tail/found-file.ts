/** The files of a log as they are found on the disk, each with the bytes that it begins with. */
import { hash } from 'node:crypto'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { byAge, type FamilyMember, familyMember } from './log-family.ts'

const unpack = promisify(gunzip)

/** A file is known again by so many of its first bytes. */
export const headSize = 1024

/** So much of a compressed file holds more than its first bytes. */
const packedHeadSize = 4096

export interface FoundFile {
  readonly member: FamilyMember
  readonly path: string
  readonly inode: number
  /** In bytes, those of a compressed file as its end tells them. */
  readonly size: number
  readonly modified: number
  readonly head: Buffer
}

/** The heads of compressed files, which do not change: by inode, size and time. */
export type HeadCache = Map<string, Pick<FoundFile, 'head' | 'size'>>

/** All files of a log that hold anything, the oldest first. What goes away meanwhile is left out. */
export async function findFiles(log: string, cache: HeadCache): Promise<readonly FoundFile[]> {
  const folder = dirname(log)
  const names = await readdir(folder).catch(() => [])
  const found: FoundFile[] = []
  const used: HeadCache = new Map()
  for (const name of names) {
    const member = familyMember(basename(log), name)
    const file = member && (await lookAt(join(folder, name), member, cache, used).catch(() => undefined))
    if (file) found.push(file)
  }
  cache.clear()
  for (const [key, value] of used) cache.set(key, value)
  return found.sort(byAge)
}

async function lookAt(
  path: string,
  member: FamilyMember,
  cache: HeadCache,
  used: HeadCache,
): Promise<FoundFile | undefined> {
  const state = await stat(path)
  if (!state.isFile() || state.size === 0) return undefined
  const file = { member, path, inode: state.ino, modified: state.mtimeMs }
  const key = `${state.ino} ${state.size} ${state.mtimeMs}`
  const known = cache.get(key)
  if (known && member.isCompressed) {
    used.set(key, known)
    return { ...file, ...known }
  }
  const handle = await open(path)
  try {
    // it may be another one by now
    if ((await handle.stat()).ino !== state.ino) return undefined
    if (!member.isCompressed) return { ...file, size: state.size, head: await bytesAt(handle, 0, headSize) }
    const [head, size] = [await packedHead(handle), await packedSize(handle, state.size)]
    used.set(key, { head, size })
    return { ...file, head, size }
  } finally {
    await handle.close()
  }
}

async function packedHead(handle: FileHandle): Promise<Buffer> {
  const packed = await bytesAt(handle, 0, packedHeadSize)
  // what is cut off is no fault here
  const head = await unpack(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  return head.subarray(0, headSize)
}

/** The last four bytes tell how much there was before it was compressed. */
async function packedSize(handle: FileHandle, size: number): Promise<number> {
  const end = await bytesAt(handle, Math.max(0, size - 4), 4)
  return end.length === 4 ? end.readUInt32LE() : 0
}

/** So many bytes, or fewer where the file ends. */
export async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** Short, and different for what is different. */
export function digest(of: string | Uint8Array): string {
  return hash('sha256', of, 'base64url').slice(0, 22)
}
