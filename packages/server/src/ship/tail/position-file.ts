/** The file with the ship positions of a log: read at start, written after every acknowledgment. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { ownerOnly } from '../../foundation/private-file.ts'
import { digest } from './found-file.ts'

/** The position up to which a file is shipped. The file is recognized by its first bytes, even if it was renamed. */
export interface Position {
  /** A hash of the first line: the same in every process, and after compression. */
  readonly key: string
  /** The inode is only a hint, because inodes are reused. */
  inode: number
  head: Head
  /** The number of acknowledged bytes, uncompressed. */
  offset: number
  /** Whether a compressed file was shipped to its end. */
  isWhole: boolean
}

/** A hash of the first bytes of a file, which do not change while it grows. */
export interface Head {
  readonly length: number
  readonly hash: string
}

export function headOf(bytes: Uint8Array): Head {
  return { length: bytes.length, hash: digest(bytes) }
}

/** Formats positions for `readPositions`. */
export function writePositions(positions: Iterable<Position>): string {
  const files = [...positions].map(({ key, inode, head, offset, isWhole }) =>
    JSON.stringify({ key, inode, head, offset, isWhole }),
  )
  return `{ "version": 1, "files": [\n${files.join(',\n')}\n] }\n`
}

/** Parses positions. Throws an error with the reason if the file is invalid. */
export function readPositions(text: string): Position[] {
  const document: unknown = JSON.parse(text)
  const files = (document as { version?: unknown; files?: unknown } | null)?.files
  if ((document as { version?: unknown } | null)?.version !== 1 || !Array.isArray(files))
    throw new Error('the file format is not supported (expected version 1)')
  return files.map((file: Partial<Position> | null) => {
    const { key, inode, head, offset, isWhole } = file ?? {}
    const isPosition =
      typeof key === 'string' &&
      typeof inode === 'number' &&
      typeof head?.length === 'number' &&
      typeof head.hash === 'string' &&
      Number.isSafeInteger(offset)
    if (!isPosition) throw new Error(`${JSON.stringify(file)} is not a position`)
    return {
      key,
      inode,
      head: { length: head.length, hash: head.hash },
      offset: offset ?? 0,
      isWhole: isWhole === true,
    }
  })
}

export class PositionFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Undefined if nothing was saved yet. */
  async load(): Promise<Position[] | undefined> {
    try {
      return readPositions(await readFile(this.#path, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new Error(`The positions in ${this.#path} cannot be read: ${(error as Error).message}.`, { cause: error })
    }
  }

  /** Replaces the file atomically, also in case of a power failure. */
  async save(positions: Iterable<Position>): Promise<void> {
    const partPath = `${this.#path}.${process.pid}.part`
    try {
      const file = await open(partPath, 'w', ownerOnly)
      try {
        const old = await stat(this.#path).catch(() => undefined)
        if (old) await file.chmod(old.mode & 0o777)
        await file.writeFile(writePositions(positions))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(partPath, this.#path)
    } catch (error) {
      await rm(partPath, { force: true }).catch(() => undefined)
      throw error
    }
  }
}
