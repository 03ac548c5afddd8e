/** Checksums of backups, in files next to them that sha256sum can read. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { ownerOnly } from '../../../foundation/private-file.ts'
import { BackupError } from './error.ts'

/** The checksum file of a backup. */
export function checksumPath(path: string): string {
  return `${path}.sha256`
}

export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

/** Writes the checksum of a file under the name that the file will have. */
export async function writeChecksum(sum: string, path: string): Promise<void> {
  await writeDurably(checksumPath(path), `${sum}  ${basename(path)}\n`)
}

/** Throws unless the file matches the checksum next to it. */
export async function verifyChecksum(path: string): Promise<void> {
  const text = await readFile(checksumPath(path), 'utf8').catch(() => undefined)
  const [expected] = /^[0-9a-f]{64}(?= )/.exec(text ?? '') ?? []
  if (expected === undefined) {
    throw new BackupError(
      text === undefined
        ? `The checksum file ${checksumPath(path)} is missing.`
        : `${checksumPath(path)} does not contain a SHA-256 checksum.`,
      'Put the checksum file of the backup next to it, or use --unverified if you trust the file.',
    )
  }
  const actual = await checksumOf(path)
  if (actual === expected) return
  throw new BackupError(
    `${path} does not match its checksum: its SHA-256 is ${actual}, expected ${expected}.`,
    'The file was damaged or changed. Use another backup.',
  )
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', ownerOnly)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes a file to disk, so that it survives a power failure. Windows flushes only files that are open for writing. */
export async function sync(path: string, flags = 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes the names in the folder of a file to disk. Windows cannot flush folders; its file system records renames itself. */
export async function syncFolderOf(path: string): Promise<void> {
  if (process.platform !== 'win32') await sync(dirname(path), 'r')
}
