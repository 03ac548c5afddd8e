/** Follows a log wherever rotation takes it: gives its lines in order, each file from where it was shipped to. */
import { open } from 'node:fs/promises'
import { type Batch, type BatchLimit, cutLines } from '../batch.ts'
import { CompressedReading, DamagedLog } from './compressed-reading.ts'
import { bytesAt, findFiles, type HeadCache } from './found-file.ts'
import { type KnownFile, recognise } from './known-files.ts'
import { headOf, type Position, type PositionFile } from './position-file.ts'

/** How long what was found on the disk is believed, in milliseconds. */
const staleAfter = 1000

/** A file that is compressed at this moment is in two places, or for a moment in none: so long it is not given up. */
const missedFor = 60_000

/** What has not been written for so long, and is not the log any more, is not written again. */
const settledAfter = 10_000

/** Files that are always elsewhere are looked for again later. */
const mostLooks = 10

/** The file is not what it was when it was found. */
const moved = Symbol('moved')

export interface TailOptions {
  /** The log that is written; what was put aside of it is beside it. */
  readonly log: string
  readonly positions: Pick<PositionFile, 'load' | 'save'>
  /** Where nothing was shipped yet, what is there already is left. */
  readonly isNewOnly?: boolean
  /** Told of what is lost, and of what cannot be saved. */
  readonly onFault: (message: string) => void
}

export class Tail {
  /** How many bytes are not shipped yet, as far as known. */
  lagBytes = 0

  readonly #options: TailOptions
  readonly #heads: HeadCache = new Map()
  #positions: Position[] = []
  #files: readonly KnownFile[] = []
  readonly #missing = new Map<Position, { readonly since: number; readonly left: number }>()
  #compressed: CompressedReading | undefined
  #scanned = Number.NEGATIVE_INFINITY
  #isLoaded = false
  #isSaving = true

  constructor(options: TailOptions) {
    this.#options = options
  }

  /** Whether any file of the log is there. */
  get isThere(): boolean {
    return this.#files.length > 0
  }

  /** The next lines; undefined when there are none now. Those given before must be acknowledged first. */
  async next(limit: BatchLimit): Promise<Batch | undefined> {
    await this.#load()
    let isFresh = performance.now() - this.#scanned < staleAfter
    for (let look = 0; look < mostLooks; look++) {
      if (!isFresh) await this.#scan()
      const batch = await this.#readFirst(limit)
      if (batch && batch !== moved) return batch
      // the end of what was found a moment ago need not be the end
      if (!batch && !isFresh) return undefined
      isFresh = false
    }
    return undefined
  }

  /** The lines of a batch are with whoever they were sent to. */
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
      this.#options.onFault(`${error.message} Everything is sent again.`)
      return []
    })
    this.#isLoaded = true
    this.#positions = saved ?? []
    if (saved || !this.#options.isNewOnly) return
    await this.#scan()
    for (const { found, position } of this.#files) {
      position.offset = found.size
      position.isWhole = found.member.isCompressed
    }
    await this.#save()
  }

  /** Until nothing new turns up: what was moved while the folder was read may have been in neither place. */
  async #scan(): Promise<void> {
    for (let look = 0, isSettled = false; look < mostLooks && !isSettled; look++) {
      const found = await findFiles(this.#options.log, this.#heads)
      const { files, added, missing } = recognise(found, this.#positions)
      isSettled = added.length === 0 && missing.every((position) => this.#missing.has(position))
      this.#miss(missing)
      this.#positions.push(...added)
      this.#files = files
    }
    this.#scanned = performance.now()
    this.lagBytes = this.#files.reduce((sum, file) => sum + leftIn(file), 0)
  }

  #miss(positions: readonly Position[]): void {
    const now = performance.now()
    const gone = new Set(positions)
    for (const position of this.#missing.keys()) if (!gone.has(position)) this.#missing.delete(position)
    for (const position of positions) {
      const known = this.#missing.get(position)
      const last = this.#files.find((file) => file.position === position)
      if (!known) this.#missing.set(position, { since: now, left: last ? leftIn(last) : 0 })
      else if (now - known.since > missedFor) this.#giveUp(position, known.left)
    }
  }

  #giveUp(position: Position, left: number): void {
    this.#missing.delete(position)
    this.#positions = this.#positions.filter((one) => one !== position)
    if (left > 0)
      this.#options.onFault(
        `A file of ${this.#options.log} went away before it was shipped: ${left} bytes of it are lost.`,
      )
  }

  async #readFirst(limit: BatchLimit): Promise<Batch | typeof moved | undefined> {
    for (const file of this.#files) {
      const { found, position } = file
      const { isCompressed, isCurrent } = found.member
      const isDone = isCompressed ? position.isWhole : found.size <= position.offset && !isCurrent
      if (isDone) continue
      const batch = await (isCompressed ? this.#readCompressed(file, limit) : this.#read(file, limit))
      if (batch) return batch
    }
    return undefined
  }

  async #read({ found, position }: KnownFile, limit: BatchLimit): Promise<Batch | typeof moved | undefined> {
    const handle = await open(found.path).catch(() => undefined)
    if (!handle) return moved
    try {
      const state = await handle.stat()
      if (state.ino !== found.inode) return moved
      const from = Math.min(position.offset, state.size)
      const bytes = await bytesAt(handle, from, Math.min(limit.bytes, state.size - from))
      // looked at last: whatever was emptied and begun anew before it was read has another head now
      const head = await bytesAt(handle, 0, position.head.length)
      if (headOf(head).hash !== position.head.hash) return moved
      // one that was cut, and is still the same, goes on at its new end
      position.offset = from
      const isSettled = !found.member.isCurrent && Date.now() - state.mtimeMs > settledAfter
      return this.#cut(position, bytes, limit, isSettled && bytes.length < limit.bytes, false)
    } finally {
      await handle.close()
    }
  }

  async #readCompressed(file: KnownFile, limit: BatchLimit): Promise<Batch | typeof moved | undefined> {
    const { found, position } = file
    const isOpen = this.#compressed?.path === found.path && this.#compressed.inode === found.inode
    const reading = isOpen && this.#compressed ? this.#compressed : this.#openCompressed(file, false)
    try {
      return await this.#takeFrom(reading, position, limit)
    } catch (error) {
      this.close()
      if (!(error instanceof DamagedLog)) return moved
      // another tool may be about to write the rest of it
      if (Date.now() - found.modified < missedFor) return undefined
      return await this.#salvage(file, limit, error)
    }
  }

  #openCompressed({ found, position }: KnownFile, isLenient: boolean): CompressedReading {
    this.close()
    this.#compressed = new CompressedReading(found, position.offset, isLenient)
    return this.#compressed
  }

  /** What can be read of a damaged file is shipped; the rest is lost. */
  async #salvage(file: KnownFile, limit: BatchLimit, error: DamagedLog): Promise<Batch | undefined> {
    this.#options.onFault(`${error.message} What can be read of it is shipped, the rest is lost.`)
    try {
      return await this.#takeFrom(this.#openCompressed(file, true), file.position, limit)
    } catch {
      this.close()
      file.position.isWhole = true
      await this.#save()
      return undefined
    }
  }

  async #takeFrom(reading: CompressedReading, position: Position, limit: BatchLimit): Promise<Batch | undefined> {
    const { bytes, isEnd } = await reading.read(limit.bytes)
    const batch = this.#cut(position, bytes, limit, isEnd, true)
    if (batch) {
      reading.keep(bytes.subarray(batch.end - position.offset))
      if (batch.isLast) this.close()
      return batch
    }
    this.close()
    position.isWhole = true
    await this.#save()
    return undefined
  }

  #cut(position: Position, bytes: Buffer, limit: BatchLimit, isEnd: boolean, isFinal: boolean): Batch | undefined {
    const { lines, length } = cutLines(bytes, position.offset, limit, isEnd)
    if (length === 0) return undefined
    const isLast = isFinal && isEnd && length === bytes.length
    const isFull = bytes.length >= limit.bytes || lines.length >= limit.lines
    return { lines, position, end: position.offset + length, isLast, isFull }
  }

  /** A position that cannot be saved is no reason to stop: lines would come twice after a restart, none would be lost. */
  async #save(): Promise<void> {
    try {
      await this.#options.positions.save(this.#positions.filter(({ offset, isWhole }) => offset > 0 || isWhole))
      this.#isSaving = true
    } catch (error) {
      if (this.#isSaving)
        this.#options.onFault(
          `How far ${this.#options.log} is shipped cannot be saved: ${(error as Error).message}. After a restart, lines would be sent again.`,
        )
      this.#isSaving = false
    }
  }
}

function leftIn({ found, position }: KnownFile): number {
  return position.isWhole ? 0 : Math.max(0, found.size - position.offset)
}
