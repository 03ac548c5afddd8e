/** One run of a load: records of a file in, batches of rows out. */
import type { Value } from '@nomen/core'
import type { BulkRow, BulkTarget, BulkWriter } from '../store/bulk/bulk.ts'
import type { DeferredRows } from '../store/bulk/deferred-rows.ts'
import { uniqueSets } from '../store/migrate/schema.ts'
import type { Check } from '../store/plan.ts'
import { BatchWriter, type Entry, type LoadCounts, type Place, type Reject } from './batch.ts'
import { computedNames, fieldsOf } from './read/field.ts'
import { type FileFormat, FileReader, type ReadRow, unitOf } from './read/file-reader.ts'
import type { Unit } from './read/ndjson.ts'
import type { RecordBlocks } from './read/record-blocks.ts'
import type { RowReading } from './read/row.ts'
import { resolveDeferred } from './resolve-deferred.ts'
import type { Source } from './source.ts'
import { ownReferences } from './target.ts'
import { Track } from './track.ts'

export interface LoadOptions {
  /** `sqlite:path/to/file.db`. */
  readonly database: string
  /** The name of the noun, or of the link. */
  readonly noun: string
  readonly source: Source
  /** Where left out, a file that begins with a brace is NDJSON, with a bracket JSON, any other CSV. */
  readonly format?: FileFormat
  /** Which array is meant, where a JSON file is an object of several; the one named as the noun unless given. */
  readonly member?: string
  /** Records that are there take the values of the file. */
  readonly isUpdating?: boolean
  /** Records are loaded though the same file was loaded before. */
  readonly isAnew?: boolean
  readonly onReject?: (reject: Reject) => void
  readonly onProgress?: (progress: LoadProgress) => void
  /** Ends the load after the batch that is under way. */
  readonly signal?: AbortSignal
}

export interface LoadProgress extends Readonly<LoadCounts> {
  /** How many bytes of the source are done. */
  readonly bytes: number
  /** How many records wait for others further down. */
  readonly waiting: number
}

export interface LoadReport extends Readonly<LoadCounts> {
  readonly isStopped: boolean
  /** What rejected records, and `earlier`, are counted by. */
  readonly unit: Unit
  /** Where an earlier run on the same file ended, and when. */
  readonly earlier?: { readonly line: number; readonly moment: string }
  /** Whether a second run would load records again, because nothing tells them from new ones. */
  readonly isRepeating: boolean
}

/** What a run works with. */
interface Parts {
  readonly writer: BulkWriter
  readonly room: DeferredRows
  readonly check: Check | undefined
  readonly file: RecordBlocks
}

/** How many records are read ahead at least and at most, and how many characters. */
const [fewest, most] = [64, 4000]
const heaviest = 8 * 1024 * 1024

export class Loading {
  readonly #target: BulkTarget
  readonly #options: LoadOptions
  readonly #parts: Parts
  readonly #track: Track
  readonly #batch: BatchWriter
  readonly #file: FileReader
  readonly #unit: Unit
  readonly #isKnown: (row: BulkRow) => boolean
  #now = ''
  #bytes = 0
  #pending: Entry[] = []
  /** How many characters the pending records have. */
  #weight = 0
  #readAhead = fewest

  constructor(target: BulkTarget, options: LoadOptions, parts: Parts) {
    const { source, noun, isUpdating = false, isAnew = false, onReject = () => undefined } = options
    this.#target = target
    this.#options = options
    this.#parts = parts
    this.#track = new Track(parts.writer, source, isAnew)
    this.#unit = unitOf(parts.file.format)
    this.#batch = new BatchWriter(parts.writer, this.#track, noun, this.#unit, onReject)
    this.#file = new FileReader(
      { fields: fieldsOf(target), ignored: computedNames(target), check: parts.check, now: () => this.#now },
      parts.file.format,
      !isUpdating,
    )
    this.#isKnown = recognition(target)
  }

  async run(): Promise<LoadReport> {
    for await (const block of this.#parts.file.blocks) {
      this.#now = new Date().toISOString()
      // A source that was stopped may end in the middle of a line.
      if (this.#isStopped) break
      for (const row of this.#file.rows(block)) {
        this.#take(row)
        if (this.#isFull) await this.#write()
        if (this.#isStopped) break
      }
      this.#bytes = block.bytes
    }
    if (!this.#isStopped) await this.#finish()
    this.#batch.tellRejects()
    await this.#parts.writer.flush()
    return this.#report()
  }

  async #finish(): Promise<void> {
    do await this.#write()
    while (this.#pending.length > 0 && !this.#isStopped)
    await this.#settle()
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** Whether as much has been read as can be written at once, or held in memory. */
  get #isFull(): boolean {
    return this.#pending.length + this.#batch.numberUntold >= this.#readAhead || this.#weight > heaviest
  }

  #take({ line, text, reading }: ReadRow): void {
    this.#weight += text.length
    const entry = this.#entryOf({ line, text }, reading)
    if (entry) this.#pending.push(entry)
    else this.#track.noteFault(line)
  }

  /** Undefined where the record cannot be read: it is rejected then. */
  #entryOf({ line, text }: Place, reading: RowReading): Entry | undefined {
    if ('row' in reading) return { line, text, ...reading, isKnown: this.#isKnown(reading.row) }
    this.#batch.reject({ line, text }, reading.fault)
    return undefined
  }

  async #write(): Promise<void> {
    const loaded = await this.#track.loadedBefore(this.#pending)
    this.#batch.counts.there += loaded.size
    const entries = loaded.size === 0 ? this.#pending : this.#pending.filter((entry) => !loaded.has(entry))
    const outcomes = await this.#batch.write(entries)
    for (const [at, outcome] of outcomes.entries())
      if (outcome.kind === 'waiting') this.#putAside(entries[at] as Entry, outcome.missing)
    const { length } = outcomes
    const isDone = length === entries.length
    const next = isDone ? this.#pending.length * 2 : Math.ceil(length * 1.2)
    this.#readAhead = Math.max(fewest, Math.min(most, next))
    this.#pending = entries.slice(length)
    this.#weight = this.#pending.reduce((sum, { text }) => sum + text.length, 0)
    this.#batch.tellRejects(isDone ? undefined : entries[length - 1]?.line)
    this.#tell()
  }

  #putAside(entry: Entry, missing: readonly { readonly value: Value }[]): void {
    const { row } = entry
    const own = row.given.includes(this.#identity) ? (row.values[this.#identity] ?? null) : null
    const targets = missing.map(({ value }) => value)
    this.#parts.room.put(entry, own, targets)
  }

  get #identity(): string {
    return 'stored' in this.#target ? this.#target.stored.noun.identity : ''
  }

  async #settle(): Promise<void> {
    const { room, writer } = this.#parts
    if (room.size === 0) return
    await resolveDeferred({
      room,
      writer,
      batch: this.#batch,
      again: (row) => {
        const entry = this.#entryOf(row, this.#file.again(row.text))
        if (!entry) room.remove(row.line)
        return entry
      },
      name: this.#options.noun,
      identity: this.#identity,
      references: ownReferences(this.#target),
      isStopped: () => {
        this.#batch.tellRejects()
        this.#tell()
        return this.#isStopped
      },
    })
  }

  #tell(): void {
    this.#options.onProgress?.({ ...this.#batch.counts, bytes: this.#bytes, waiting: this.#parts.room.size })
  }

  #report(): LoadReport {
    const { earlier, isBlind } = this.#track
    return {
      ...this.#batch.counts,
      isStopped: this.#isStopped,
      isRepeating: isBlind,
      unit: this.#unit,
      ...(earlier && { earlier }),
    }
  }
}

/** Tells whether the database can know a row again: by its identity, or by unique values. */
function recognition(target: BulkTarget): (row: BulkRow) => boolean {
  if (!('stored' in target)) return () => true
  const { noun } = target.stored
  const sets = uniqueSets(noun)
  return ({ values, given }) =>
    given.includes(noun.identity) || sets.some((set) => set.every((field) => (values[field] ?? null) !== null))
}
