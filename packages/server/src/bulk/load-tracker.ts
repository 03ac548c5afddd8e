/**
 * Tracks how far a file has been loaded, for records that the database cannot recognise: a second run would load them twice.
 * The checkpoint is stored in the database, in the same transactions as the records.
 */
import type { BulkWriter, LoadProgress, RowOutcome } from '../store/bulk/bulk.ts'
import { fingerprintOf, type Source } from './source.ts'

/** A record of the file, and whether the database can recognise that it already has it. */
interface TrackedRecord {
  readonly line: number
  readonly isKnown: boolean
}

export class LoadTracker {
  readonly #writer: BulkWriter
  readonly #source: Source
  readonly #isFromStart: boolean
  /** Undefined as long as no record needs a checkpoint. */
  #fingerprint: string | undefined
  #line = 0
  /** Invalid lines after the checkpoint. */
  #faulty: number[] = []
  /** The line and time at which an earlier run on the same file ended. */
  earlier: { readonly line: number; readonly moment: string } | undefined
  /** Whether a second run would load records again, because the source cannot be read twice. */
  isRepeating = false

  /** With `isFromStart`, the checkpoint of an earlier run is ignored. */
  constructor(writer: BulkWriter, source: Source, isFromStart: boolean) {
    this.#writer = writer
    this.#source = source
    this.#isFromStart = isFromStart
  }

  noteFault(line: number): void {
    if (this.#source.isRepeatable && line > this.#line) this.#faulty.push(line)
  }

  /** The records that an earlier run has loaded, without those that it rejected. */
  async loadedBefore<Entry extends TrackedRecord>(entries: readonly Entry[]): Promise<ReadonlySet<Entry>> {
    if (entries.some(({ isKnown }) => !isKnown)) {
      if (this.#source.isRepeatable) await this.#begin()
      else this.isRepeating = true
    } else if (this.#faulty.length > 0) await this.#begin()
    const passed = entries.filter(({ line, isKnown }) => line <= this.#line && !isKnown)
    const [first, last] = [passed[0], passed.at(-1)]
    if (this.#fingerprint === undefined || !first || !last) return new Set()
    const open = await this.#writer.openLines(this.#fingerprint, first.line, last.line)
    return new Set(passed.filter(({ line }) => !open.has(line)))
  }

  async #begin(): Promise<void> {
    if (this.#fingerprint !== undefined) return
    this.#fingerprint = await fingerprintOf(this.#source)
    const earlier = await this.#writer.findCheckpoint(this.#fingerprint)
    if (earlier && this.#isFromStart) await this.#writer.forget(this.#fingerprint)
    else if (earlier) {
      this.earlier = earlier
      this.#line = earlier.line
      this.#faulty = this.#faulty.filter((line) => line > earlier.line)
    }
  }

  /** The checkpoint after the records that have outcomes; undefined if it does not change. */
  progressOf(entries: readonly TrackedRecord[], outcomes: readonly RowOutcome[]): LoadProgress | undefined {
    if (this.#fingerprint === undefined) return undefined
    const from = this.#line
    const finished = entries.slice(0, outcomes.length)
    // After the last record, everything that was read so far is done.
    const faulty = finished.length === entries.length ? this.#faulty.at(-1) : 0
    const to = Math.max(from, finished.at(-1)?.line ?? 0, faulty ?? 0)
    const openLines = this.#faulty.filter((line) => line <= to)
    const closedLines: number[] = []
    for (const [index, { line, isKnown }] of finished.entries()) {
      const isStored = isLoaded(outcomes[index] as RowOutcome)
      if (isStored && line <= from) closedLines.push(line)
      if (!isStored && line > from && !isKnown) openLines.push(line)
    }
    const isSame = from === to && openLines.length === 0 && closedLines.length === 0
    return isSame ? undefined : { fingerprint: this.#fingerprint, from, to, openLines, closedLines }
  }

  /** Call it when the checkpoint is committed. */
  move({ to }: LoadProgress): void {
    this.#line = to
    this.#faulty = this.#faulty.filter((line) => line > to)
  }
}

/** Whether the record is in the database now. */
export function isLoaded({ kind }: RowOutcome): boolean {
  return kind === 'loaded' || kind === 'updated' || kind === 'unchanged'
}
