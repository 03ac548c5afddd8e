/** Finds the files of a log on the disk, with their first bytes, by which they are recognized. */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'
import { sha256 } from '../../foundation/sha256.ts'
import { byAge, type FamilyMember, familyMember } from './log-family.ts'

const gunzipAsync = promisify(gunzip)

/** The number of first bytes by which a file is recognized. */
export const headSize = 1024

/** The number of bytes of a compressed file that contain its head. */
const compressedHeadSize = 4096

export interface FoundFile {
  readonly member: FamilyMember
  readonly path: string
  readonly inode: number
  /** The uncompressed size in bytes; for a compressed file from its last bytes. */
  readonly size: number
  readonly modifiedMs: number
  readonly head: Buffer
}

/** A cache of the heads of compressed files, which do not change, by inode, size and time. */
export type HeadCache = Map<string, Pick<FoundFile, 'head' | 'size'>>

/** All non-empty files of a log, the oldest first. Files that disappear meanwhile are skipped. */
export async function findFiles(log: string, cache: HeadCache): Promise<readonly FoundFile[]> {
  const folder = dirname(log)
  const names = await readdir(folder).catch(() => [])
  const files: FoundFile[] = []
  const usedEntries: HeadCache = new Map()
  for (const name of names) {
    const member = familyMember(basename(log), name)
    const file = member && (await readState(join(folder, name), member, cache, usedEntries).catch(() => undefined))
    if (file) files.push(file)
  }
  cache.clear()
  for (const [key, value] of usedEntries) cache.set(key, value)
  return files.sort(byAge)
}

async function readState(
  path: string,
  member: FamilyMember,
  cache: HeadCache,
  usedEntries: HeadCache,
): Promise<FoundFile | undefined> {
  const state = await stat(path)
  if (!state.isFile() || state.size === 0) return undefined
  const file = { member, path, inode: state.ino, modifiedMs: state.mtimeMs }
  const key = `${state.ino} ${state.size} ${state.mtimeMs}`
  const cached = cache.get(key)
  if (cached && member.isCompressed) {
    usedEntries.set(key, cached)
    return { ...file, ...cached }
  }
  const handle = await open(path)
  try {
    // The path may lead to another file by now.
    if ((await handle.stat()).ino !== state.ino) return undefined
    if (!member.isCompressed) return { ...file, size: state.size, head: await bytesAt(handle, 0, headSize) }
    const [head, size] = [await uncompressedHead(handle), await uncompressedSize(handle, state.size)]
    usedEntries.set(key, { head, size })
    return { ...file, head, size }
  } finally {
    await handle.close()
  }
}

async function uncompressedHead(handle: FileHandle): Promise<Buffer> {
  const compressedBytes = await bytesAt(handle, 0, compressedHeadSize)
  // The input is truncated on purpose.
  const head = await gunzipAsync(compressedBytes, { finishFlush: constants.Z_SYNC_FLUSH })
  return head.subarray(0, headSize)
}

/** The last four bytes of a gzip file are its uncompressed size. */
async function uncompressedSize(handle: FileHandle, size: number): Promise<number> {
  const end = await bytesAt(handle, Math.max(0, size - 4), 4)
  return end.length === 4 ? end.readUInt32LE() : 0
}

/** Reads bytes from a position, fewer at the end of the file. */
export async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let bytesSoFar = 0
  while (bytesSoFar < length) {
    const { bytesRead } = await handle.read(bytes, bytesSoFar, length - bytesSoFar, position + bytesSoFar)
    if (bytesRead === 0) break
    bytesSoFar += bytesRead
  }
  return bytes.subarray(0, bytesSoFar)
}

/** A short hash. */
export function digest(data: string | Uint8Array): string {
  return sha256(data).slice(0, 22)
}
