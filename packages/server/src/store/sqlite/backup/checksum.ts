/** Checksums of backups, in files beside them that sha256sum reads too. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { ownerOnly } from '../../../foundation/private-file.ts'
import { BackupError } from './error.ts'

/** The file that holds the checksum of another. */
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

/** Throws unless the file is, byte by byte, the one whose checksum stands beside it. */
export async function verifyChecksum(path: string): Promise<void> {
  const written = await readFile(checksumPath(path), 'utf8').catch(() => undefined)
  const [expected] = /^[0-9a-f]{64}(?= )/.exec(written ?? '') ?? []
  if (expected === undefined) {
    throw new BackupError(
      written === undefined ? `There is no ${checksumPath(path)}.` : `${checksumPath(path)} holds no SHA-256.`,
      'Put the checksum that was made with the backup beside it, or say --unverified where you know that the file is whole.',
    )
  }
  const found = await checksumOf(path)
  if (found === expected) return
  throw new BackupError(
    `${path} is not the file that was backed up: its SHA-256 is ${found}, and must be ${expected}.`,
    'It was damaged or changed since. Take another backup.',
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

/** Makes what was written to a file, or the names in a folder, outlive a loss of power. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function syncFolderOf(path: string): Promise<void> {
  return sync(dirname(path))
}
