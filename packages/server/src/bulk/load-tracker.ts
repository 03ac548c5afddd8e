/**
 * Tracks how far a file has been loaded, for records that the database cannot recognize: a second run would load them twice.
 * The checkpoint is stored in the database, in the same transactions as the records.
 */
import type { BulkWriter, Checkpoint, LoadProgress, RowOutcome } from '../store/bulk/bulk.ts'
import { fingerprintOf, type Source } from './source.ts'

/** A record of the file, and whether the database can recognize that it already has it. */
interface TrackedRecord {
  readonly line: number
  readonly isRecognizable: boolean
}

export class LoadTracker {
  readonly #writer: BulkWriter
  readonly #source: Source
  readonly #isFromStart: boolean
  /** Undefined as long as no record needs a checkpoint. */
  #fingerprint: string | undefined
  #line = 0
  /**
   * Invalid lines after the checkpoint. A later run tries them again, because the declaration may have changed. They are stored
   * only if another record of the file needs a checkpoint.
   */
  #faultyLines: number[] = []
  #checkpoint: Checkpoint | undefined
  /** The line and time at which an earlier run on the same file ended, if this run skips records because of it. */
  previousRun: Checkpoint | undefined
  /** Whether a second run would load records again, because the source cannot be read twice. */
  isRepeating = false

  /** With `isFromStart`, the checkpoint of an earlier run is ignored. */
  constructor(writer: BulkWriter, source: Source, isFromStart: boolean) {
    this.#writer = writer
    this.#source = source
    this.#isFromStart = isFromStart
  }

  noteFault(line: number): void {
    if (this.#source.isRepeatable && line > this.#line) this.#faultyLines.push(line)
  }

  /** The records that an earlier run has loaded, without those that it rejected. */
  async loadedBefore<Entry extends TrackedRecord>(entries: readonly Entry[]): Promise<ReadonlySet<Entry>> {
    if (entries.some(({ isRecognizable }) => !isRecognizable)) {
      if (this.#source.isRepeatable) await this.#readCheckpoint()
      else this.isRepeating = true
    }
    const entriesBeforeCheckpoint = entries.filter(({ line, isRecognizable }) => line <= this.#line && !isRecognizable)
    const [first, last] = [entriesBeforeCheckpoint[0], entriesBeforeCheckpoint.at(-1)]
    if (this.#fingerprint === undefined || !first || !last) return new Set()
    const openLines = await this.#writer.openLines(this.#fingerprint, first.line, last.line)
    const loaded = new Set(entriesBeforeCheckpoint.filter(({ line }) => !openLines.has(line)))
    if (loaded.size > 0) this.previousRun = this.#checkpoint
    return loaded
  }

  async #readCheckpoint(): Promise<void> {
    if (this.#fingerprint !== undefined) return
    this.#fingerprint = await fingerprintOf(this.#source)
    const checkpoint = await this.#writer.findCheckpoint(this.#fingerprint)
    if (checkpoint && this.#isFromStart) await this.#writer.forget(this.#fingerprint)
    else if (checkpoint) {
      this.#checkpoint = checkpoint
      this.#line = checkpoint.line
      this.#faultyLines = this.#faultyLines.filter((line) => line > checkpoint.line)
    }
  }

  /** The checkpoint after the records that have outcomes; undefined if it does not change. */
  progressOf(entries: readonly TrackedRecord[], outcomes: readonly RowOutcome[]): LoadProgress | undefined {
    if (this.#fingerprint === undefined) return undefined
    const from = this.#line
    const finished = entries.slice(0, outcomes.length)
    // After the last record, everything that was read so far is done.
    const faulty = finished.length === entries.length ? this.#faultyLines.at(-1) : 0
    const to = Math.max(from, finished.at(-1)?.line ?? 0, faulty ?? 0)
    const openLines = this.#faultyLines.filter((line) => line <= to)
    const closedLines: number[] = []
    for (const [index, { line, isRecognizable }] of finished.entries()) {
      const isStored = isLoaded(outcomes[index] as RowOutcome)
      if (isStored && line <= from) closedLines.push(line)
      if (!isStored && line > from && !isRecognizable) openLines.push(line)
    }
    const isSame = from === to && openLines.length === 0 && closedLines.length === 0
    return isSame ? undefined : { fingerprint: this.#fingerprint, from, to, openLines, closedLines }
  }

  /** Call it when the checkpoint is committed. */
  onCommitted({ to }: LoadProgress): void {
    this.#line = to
    this.#faultyLines = this.#faultyLines.filter((line) => line > to)
  }
}

/** Whether the record is in the database now. */
export function isLoaded({ kind }: RowOutcome): boolean {
  return kind === 'loaded' || kind === 'updated' || kind === 'unchanged'
}
