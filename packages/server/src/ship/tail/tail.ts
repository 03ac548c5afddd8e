/** Follows a log across rotations: reads its lines in order, each file from its saved position. */
import { open } from 'node:fs/promises'
import { type Batch, type BatchLimit, splitLines } from '../batch.ts'
import { CompressedReader, DamagedLog } from './compressed-reader.ts'
import { bytesAt, findFiles, type HeadCache } from './found-file.ts'
import { type KnownFile, recognize } from './known-files.ts'
import { headOf, type Position, type PositionFile } from './position-file.ts'

/** How long a scan of the folder is valid. */
const scanLifetimeMs = 1000

/** How long a missing file is expected to appear again: a file that is being compressed may have no name for a moment. */
const missingTimeoutMs = 60_000

/** A rotated file that was not written for this time will not be written again. */
const settleMs = 10_000

/** The maximum number of scans in a row, if files keep moving. */
const maxScans = 10

/** The file has changed since it was found. */
const fileMoved = Symbol('moved')

export interface TailOptions {
  /** The path of the log. Its rotated files are in the same folder. */
  readonly log: string
  readonly positions: Pick<PositionFile, 'load' | 'save'>
  /** Whether existing lines are skipped if nothing was shipped yet. */
  readonly isNewOnly?: boolean
  /** Called if lines are lost or positions cannot be saved. */
  readonly onFault: (message: string) => void
}

export class Tail {
  /** The number of bytes that are not shipped yet, at the last scan. */
  lagBytes = 0

  readonly #options: TailOptions
  readonly #heads: HeadCache = new Map()
  #positions: Position[] = []
  #files: readonly KnownFile[] = []
  readonly #missing = new Map<Position, { readonly since: number; readonly unshipped: number }>()
  #compressed: CompressedReader | undefined
  #scannedAt = Number.NEGATIVE_INFINITY
  #isLoaded = false
  #isSaving = true

  constructor(options: TailOptions) {
    this.#options = options
  }

  /** The next lines; undefined if there are none now. Acknowledge the last batch first. */
  async next(limit: BatchLimit): Promise<Batch | undefined> {
    await this.#load()
    let isFresh = performance.now() - this.#scannedAt < scanLifetimeMs
    for (let scan = 0; scan < maxScans; scan++) {
      if (!isFresh) await this.#scan()
      const batch = await this.#readFirst(limit)
      if (batch && batch !== fileMoved) return batch
      // There may be more lines than at the last scan.
      if (!batch && !isFresh) return undefined
      isFresh = false
    }
    return undefined
  }

  /** Saves that the destination has accepted a batch. */
  async acknowledge({ position, end, isLast }: Batch): Promise<void> {
    this.lagBytes = Math.max(0, this.lagBytes - (end - position.offset))
    position.offset = end
    position.isWhole = isLast
    await this.#save()
  }

  close(): void {
    this.#compressed?.close()
    this.#compressed = undefined
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return
    const saved = await this.#options.positions.load().catch((error: Error) => {
      this.#options.onFault(`${error.message} All lines are sent again.`)
      return []
    })
    this.#isLoaded = true
    this.#positions = saved ?? []
    if (saved || !this.#options.isNewOnly) return
    await this.#scan()
    for (const { file, position } of this.#files) {
      position.offset = file.size
      position.isWhole = file.member.isCompressed
    }
    await this.#save()
  }

  /** Scans until nothing changes: a file that was renamed during a scan may not have been found at all. */
  async #scan(): Promise<void> {
    for (let scan = 0, isSettled = false; scan < maxScans && !isSettled; scan++) {
      const foundFiles = await findFiles(this.#options.log, this.#heads)
      const { files, newPositions, missing } = recognize(foundFiles, this.#positions)
      isSettled = newPositions.length === 0 && missing.every((position) => this.#missing.has(position))
      this.#trackMissing(missing)
      this.#positions.push(...newPositions)
      this.#files = files
    }
    this.#scannedAt = performance.now()
    this.lagBytes = this.#files.reduce((sum, file) => sum + unshippedBytes(file), 0)
  }

  #trackMissing(positions: readonly Position[]): void {
    const now = performance.now()
    const missing = new Set(positions)
    for (const position of this.#missing.keys()) if (!missing.has(position)) this.#missing.delete(position)
    for (const position of positions) {
      const entry = this.#missing.get(position)
      const lastFile = this.#files.find((file) => file.position === position)
      if (!entry) this.#missing.set(position, { since: now, unshipped: lastFile ? unshippedBytes(lastFile) : 0 })
      else if (now - entry.since > missingTimeoutMs) this.#giveUp(position, entry.unshipped)
    }
  }

  #giveUp(position: Position, unshipped: number): void {
    this.#missing.delete(position)
    this.#positions = this.#positions.filter((other) => other !== position)
    if (unshipped > 0)
      this.#options.onFault(
        `A file of ${this.#options.log} was deleted before it was shipped: ${unshipped} bytes are lost.`,
      )
  }

  async #readFirst(limit: BatchLimit): Promise<Batch | typeof fileMoved | undefined> {
    for (const knownFile of this.#files) {
      const { file, position } = knownFile
      const { isCompressed, isCurrent } = file.member
      const isDone = isCompressed ? position.isWhole : file.size <= position.offset && !isCurrent
      if (isDone) continue
      const batch = await (isCompressed ? this.#readCompressed(knownFile, limit) : this.#read(knownFile, limit))
      if (batch) return batch
    }
    return undefined
  }

  async #read({ file, position }: KnownFile, limit: BatchLimit): Promise<Batch | typeof fileMoved | undefined> {
    const handle = await open(file.path).catch(() => undefined)
    if (!handle) return fileMoved
    try {
      const state = await handle.stat()
      if (state.ino !== file.inode) return fileMoved
      const from = Math.min(position.offset, state.size)
      const bytes = await bytesAt(handle, from, Math.min(limit.bytes, state.size - from))
      // Read last: if the file was truncated and rewritten before the read, its head is different now.
      const head = await bytesAt(handle, 0, position.head.length)
      if (headOf(head).hash !== position.head.hash) return fileMoved
      // A file that was truncated but has the same head continues at its new end.
      position.offset = from
      const isSettled = !file.member.isCurrent && Date.now() - state.mtimeMs > settleMs
      return this.#batchOf(position, bytes, limit, isSettled && bytes.length < limit.bytes, false)
    } finally {
      await handle.close()
    }
  }

  async #readCompressed(knownFile: KnownFile, limit: BatchLimit): Promise<Batch | typeof fileMoved | undefined> {
    const { file, position } = knownFile
    const isOpen = this.#compressed?.path === file.path && this.#compressed.inode === file.inode
    const reader = isOpen && this.#compressed ? this.#compressed : this.#openCompressed(knownFile, false)
    try {
      return await this.#takeFrom(reader, position, limit)
    } catch (error) {
      this.close()
      if (!(error instanceof DamagedLog)) return fileMoved
      // Another tool may still be writing the file.
      if (Date.now() - file.modifiedMs < missingTimeoutMs) return undefined
      return await this.#salvage(knownFile, limit, error)
    }
  }

  #openCompressed({ file, position }: KnownFile, isLenient: boolean): CompressedReader {
    this.close()
    this.#compressed = new CompressedReader(file, position.offset, isLenient)
    return this.#compressed
  }

  /** Ships the readable part of a damaged file. */
  async #salvage(file: KnownFile, limit: BatchLimit, error: DamagedLog): Promise<Batch | undefined> {
    this.#options.onFault(`${error.message} The readable part is shipped; the rest is lost.`)
    try {
      return await this.#takeFrom(this.#openCompressed(file, true), file.position, limit)
    } catch {
      this.close()
      file.position.isWhole = true
      await this.#save()
      return undefined
    }
  }

  async #takeFrom(reader: CompressedReader, position: Position, limit: BatchLimit): Promise<Batch | undefined> {
    const { bytes, isEnd } = await reader.read(limit.bytes)
    const batch = this.#batchOf(position, bytes, limit, isEnd, true)
    if (batch) {
      reader.putBack(bytes.subarray(batch.end - position.offset))
      if (batch.isLast) this.close()
      return batch
    }
    this.close()
    position.isWhole = true
    await this.#save()
    return undefined
  }

  #batchOf(position: Position, bytes: Buffer, limit: BatchLimit, isEnd: boolean, isFinal: boolean): Batch | undefined {
    const { lines, length } = splitLines(bytes, position.offset, limit, isEnd)
    if (length === 0) return undefined
    const isLast = isFinal && isEnd && length === bytes.length
    const isFull = bytes.length >= limit.bytes || lines.length >= limit.lines
    return { lines, position, end: position.offset + length, isLast, isFull }
  }

  /** If positions cannot be saved, shipping continues: after a restart, lines are sent twice, but none is lost. */
  async #save(): Promise<void> {
    try {
      await this.#options.positions.save(this.#positions.filter(({ offset, isWhole }) => offset > 0 || isWhole))
      this.#isSaving = true
    } catch (error) {
      if (this.#isSaving)
        this.#options.onFault(
          `The ship position of ${this.#options.log} cannot be saved: ${(error as Error).message}. After a restart, lines will be sent again.`,
        )
      this.#isSaving = false
    }
  }
}

function unshippedBytes({ file, position }: KnownFile): number {
  return position.isWhole ? 0 : Math.max(0, file.size - position.offset)
}
