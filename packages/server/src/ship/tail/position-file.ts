/** The file that remembers how far each file of a log is shipped: read at start, written after every acknowledgement. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { ownerOnly } from '../../foundation/private-file.ts'
import { digest } from './found-file.ts'

/** How far one file is shipped. It is known again by its first bytes, whatever it is called by then. */
export interface Position {
  /** Made of its first line: the same in every process, and after it was compressed. */
  readonly key: string
  /** Numbers of files are used again, so that this alone would tell nothing. */
  inode: number
  head: Head
  /** So many bytes of it, uncompressed, are acknowledged. */
  offset: number
  /** It was read as a compressed file to its end, and grows no more. */
  isWhole: boolean
}

/** The first bytes of a file, which stay what they are while it grows. */
export interface Head {
  readonly length: number
  readonly hash: string
}

export function headOf(bytes: Uint8Array): Head {
  return { length: bytes.length, hash: digest(bytes) }
}

/** Writes the positions as `readPositions` reads them. */
export function writePositions(positions: Iterable<Position>): string {
  const files = [...positions].map(({ key, inode, head, offset, isWhole }) =>
    JSON.stringify({ key, inode, head, offset, isWhole }),
  )
  return `{ "version": 1, "files": [\n${files.join(',\n')}\n] }\n`
}

/** Throws what is wrong with a text that is none. */
export function readPositions(text: string): Position[] {
  const document: unknown = JSON.parse(text)
  const files = (document as { version?: unknown; files?: unknown } | null)?.files
  if ((document as { version?: unknown } | null)?.version !== 1 || !Array.isArray(files))
    throw new Error('it is no list of positions in version 1')
  return files.map((file: Partial<Position> | null) => {
    const { key, inode, head, offset, isWhole } = file ?? {}
    const isOne =
      typeof key === 'string' &&
      typeof inode === 'number' &&
      typeof head?.length === 'number' &&
      typeof head.hash === 'string' &&
      Number.isSafeInteger(offset)
    if (!isOne) throw new Error(`${JSON.stringify(file)} is no position`)
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

  /** Undefined where nothing was ever saved. */
  async load(): Promise<Position[] | undefined> {
    try {
      return readPositions(await readFile(this.#path, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new Error(`The positions in ${this.#path} cannot be read: ${(error as Error).message}.`, { cause: error })
    }
  }

  /** Old or new, never half of it: also after the power was cut. */
  async save(positions: Iterable<Position>): Promise<void> {
    const part = `${this.#path}.${process.pid}.part`
    try {
      const file = await open(part, 'w', ownerOnly)
      try {
        const old = await stat(this.#path).catch(() => undefined)
        if (old) await file.chmod(old.mode & 0o777)
        await file.writeFile(writePositions(positions))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, this.#path)
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined)
      throw error
    }
  }
}
