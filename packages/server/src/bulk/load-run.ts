/** One run of a load: reads records of a file and writes them in batches. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BulkRow, BulkTarget, BulkWriter, RowOutcome } from '../store/bulk/bulk.ts'
import type { DeferredRows } from '../store/bulk/deferred-rows.ts'
import { uniqueSets } from '../store/migrate/schema/model-schema.ts'
import { BatchWriter, type Entry, type LoadCounts, type Reject, type SourceRecord } from './batch.ts'
import { BulkError } from './error.ts'
import { LoadTracker } from './load-tracker.ts'
import { computedNames, fieldsOf } from './read/field.ts'
import { type FileFormat, FileReader, type ReadRow, unitOf } from './read/file-reader.ts'
import type { Unit } from './read/ndjson.ts'
import type { RecordBlocks } from './read/record-blocks.ts'
import type { RowLogic, RowResult } from './read/row.ts'
import { resolveDeferred } from './resolve-deferred.ts'
import type { Source } from './source.ts'
import { selfReferences } from './target.ts'

/** Options of a bulk load. */
export interface LoadOptions {
  /** The database URL: `sqlite:path/to/file.db` or `postgres://…`. */
  readonly database: string
  /** The name of the noun or link. */
  readonly noun: string
  readonly source: Source
  /**
   * The format of the file.
   *
   * @default NDJSON if the file begins with a brace, JSON if it begins with a bracket, otherwise CSV
   */
  readonly format?: FileFormat
  /**
   * The array with the records, if a JSON file is an object with arrays.
   *
   * @default the name of the noun
   */
  readonly member?: string
  /**
   * Updates existing records with the values of the file.
   *
   * @default false
   */
  readonly isUpdating?: boolean
  /**
   * Loads the records again, although the same file was loaded before.
   *
   * @default false
   */
  readonly isFromStart?: boolean
  /** Called for each rejected record. */
  readonly onReject?: (reject: Reject) => void
  /** Called after each batch. */
  readonly onProgress?: (progress: LoadProgress) => void
  /** Stops the load after the current batch. */
  readonly signal?: AbortSignal
}

/** The progress of a bulk load. */
export interface LoadProgress extends Readonly<LoadCounts> {
  /** The number of bytes of the source that were read. */
  readonly bytes: number
  /** The number of records that wait for records further down in the file. */
  readonly waiting: number
}

/** The result of a bulk load. */
export interface LoadReport extends Readonly<LoadCounts> {
  /** Whether `signal` stopped the load. */
  readonly isStopped: boolean
  /** The unit of line numbers: lines of the file, or records of a JSON array. */
  readonly unit: Unit
  /** The line and time at which an earlier run on the same file ended. */
  readonly earlier?: { readonly line: number; readonly time: string }
  /** Whether a second run would load records again, because the database cannot recognize them. */
  readonly isRepeating: boolean
}

interface LoadDependencies {
  readonly writer: BulkWriter
  readonly deferred: DeferredRows
  readonly logic: RowLogic
  readonly file: RecordBlocks
}

/** The minimum and maximum number of records that are read ahead, and the maximum number of characters. */
const [minReadAhead, maxReadAhead] = [64, 4000]
const maxRowsLength = 8 * 1024 * 1024

/** After this number of rows, the statements of the previous write can go on. */
const rowsPerTurn = 50

export class LoadRun {
  readonly #target: BulkTarget
  readonly #options: LoadOptions
  readonly #dependencies: LoadDependencies
  readonly #tracker: LoadTracker
  readonly #batchWriter: BatchWriter
  readonly #file: FileReader
  readonly #unit: Unit
  readonly #isRecognizable: (row: BulkRow) => boolean
  #now = ''
  #bytes = 0
  /** Rows that were read and are not pending yet, and their number of characters. */
  #rows: ReadRow[] = []
  #rowsLength = 0
  #pending: Entry[] = []
  #readAhead = minReadAhead
  /** The write of pending records, during which the next rows are read. */
  #writing: Promise<void> | undefined

  constructor(target: BulkTarget, options: LoadOptions, dependencies: LoadDependencies) {
    const { source, noun, isUpdating = false, isFromStart = false, onReject = () => undefined } = options
    this.#target = target
    this.#options = options
    this.#dependencies = dependencies
    this.#tracker = new LoadTracker(dependencies.writer, source, isFromStart)
    this.#unit = unitOf(dependencies.file.format)
    this.#batchWriter = new BatchWriter(dependencies.writer, this.#tracker, noun, this.#unit, onReject)
    this.#file = new FileReader(
      {
        fields: fieldsOf(target, dependencies.logic.assigned),
        ignored: computedNames(target),
        logic: dependencies.logic,
        now: () => this.#now,
      },
      dependencies.file.format,
      !isUpdating,
    )
    this.#isRecognizable = recognizer(target)
  }

  async run(): Promise<LoadReport> {
    try {
      await this.#readAndWrite()
    } catch (error) {
      await this.#writing
      // After a wrong header, for example, nothing is loaded and no further run can be expected.
      if (error instanceof BulkError && this.#batchWriter.counts.loaded === 0) await this.#dependencies.writer.finish()
      throw error
    } finally {
      await this.#writing
    }
    if (!this.#isStopped) await this.#finish()
    this.#batchWriter.reportRejects()
    // A load that was stopped continues later, without indexes as before.
    if (!this.#isStopped) await this.#dependencies.writer.finish()
    await this.#dependencies.writer.flush()
    return this.#report()
  }

  async #readAndWrite(): Promise<void> {
    for await (const block of this.#dependencies.file.blocks) {
      this.#now = new Date().toISOString()
      // A source that was stopped may end in the middle of a line.
      if (this.#isStopped) return
      for (const row of this.#file.rows(block)) {
        this.#rows.push(row)
        this.#rowsLength += row.text.length
        if (this.#isFull) await this.#startWrite()
        else if (this.#rows.length % rowsPerTurn === 0) await nextTurn()
        if (this.#isStopped) return
      }
      this.#bytes = block.bytes
    }
  }

  /** Starts to write the rows that were read, after the previous write has ended. */
  async #startWrite(): Promise<void> {
    await this.#writing
    // A batch may have written only some of them.
    while (this.#pending.length >= this.#readAhead && !this.#isStopped) await this.#write()
    if (this.#isStopped) return
    this.#addRows()
    this.#writing = this.#write()
    // Its error is thrown where it is awaited.
    this.#writing.catch(() => undefined)
  }

  async #finish(): Promise<void> {
    this.#addRows()
    do await this.#write()
    while (this.#pending.length > 0 && !this.#isStopped)
    await this.#resolveDeferred()
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** Whether the rows that were read fill a batch, or the memory for them. */
  get #isFull(): boolean {
    return this.#rows.length >= this.#readAhead || this.#rowsLength > maxRowsLength
  }

  /** Makes the rows that were read pending, or rejects them. */
  #addRows(): void {
    for (const { line, text, result } of this.#rows) {
      const entry = this.#entryOf({ line, text }, result)
      if (entry) this.#pending.push(entry)
      else this.#tracker.noteFault(line)
    }
    this.#rows = []
    this.#rowsLength = 0
  }

  /** Undefined if the record is invalid; it is then rejected. */
  #entryOf({ line, text }: SourceRecord, result: RowResult): Entry | undefined {
    if ('row' in result) return { line, text, ...result, isRecognizable: this.#isRecognizable(result.row) }
    this.#batchWriter.reject({ line, text }, result.fault)
    return undefined
  }

  async #write(): Promise<void> {
    const loaded = await this.#tracker.loadedBefore(this.#pending)
    this.#batchWriter.counts.unchanged += loaded.size
    const entries = loaded.size === 0 ? this.#pending : this.#pending.filter((entry) => !loaded.has(entry))
    const outcomes = await this.#batchWriter.write(entries)
    for (const [index, outcome] of outcomes.entries())
      if (outcome.kind === 'waiting') this.#defer(entries[index] as Entry, outcome)
    const { length } = outcomes
    const isDone = length === entries.length
    const nextSize = isDone ? this.#pending.length * 2 : Math.ceil(length * 1.2)
    this.#readAhead = Math.max(minReadAhead, Math.min(maxReadAhead, nextSize))
    this.#pending = entries.slice(length)
    this.#batchWriter.reportRejects(isDone ? undefined : entries[length - 1]?.line)
    this.#reportProgress()
  }

  #defer({ line, text, row }: Entry, { missing, tenant }: Extract<RowOutcome, { readonly kind: 'waiting' }>): void {
    const ownIdentity = row.inputFields.includes(this.#identity) ? (row.values[this.#identity] ?? null) : null
    const targets = missing.map(({ value }) => value)
    this.#dependencies.deferred.put({ line, text, identity: ownIdentity, tenant }, targets)
  }

  get #identity(): string {
    return 'stored' in this.#target ? this.#target.stored.noun.identity : ''
  }

  async #resolveDeferred(): Promise<void> {
    const { deferred, writer } = this.#dependencies
    if (deferred.size === 0) return
    await resolveDeferred({
      deferred,
      writer,
      batchWriter: this.#batchWriter,
      readAgain: (row) => {
        const entry = this.#entryOf(row, this.#file.readAgain(row.text))
        if (!entry) deferred.remove(row.line)
        return entry
      },
      name: this.#options.noun,
      identity: this.#identity,
      references: selfReferences(this.#target),
      isStopped: () => {
        this.#batchWriter.reportRejects()
        this.#reportProgress()
        return this.#isStopped
      },
    })
  }

  #reportProgress(): void {
    this.#options.onProgress?.({
      ...this.#batchWriter.counts,
      bytes: this.#bytes,
      waiting: this.#dependencies.deferred.size,
    })
  }

  #report(): LoadReport {
    const { previousRun: earlier, isRepeating } = this.#tracker
    return {
      ...this.#batchWriter.counts,
      isStopped: this.#isStopped,
      isRepeating,
      unit: this.#unit,
      ...(earlier && { earlier }),
    }
  }
}

/** Whether the database can recognize a row, by its identity or by unique values. */
function recognizer(target: BulkTarget): (row: BulkRow) => boolean {
  if (!('stored' in target)) return () => true
  const { noun } = target.stored
  const sets = uniqueSets(noun)
  return ({ values, inputFields }) =>
    inputFields.includes(noun.identity) || sets.some((set) => set.every((field) => (values[field] ?? null) !== null))
}
