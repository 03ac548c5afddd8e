/**
 * How far a file has been loaded, for records that nothing tells from new ones: without it, a second run would load
 * them twice. The mark lies in the database and moves in the transactions that load.
 */
import type { BulkWriter, Mark, RowOutcome } from '../store/bulk/bulk.ts'
import { fingerprintOf, type Source } from './source.ts'

/** A record of the file, and whether the database can tell that it has it already. */
interface Tracked {
  readonly line: number
  readonly isKnown: boolean
}

export class Track {
  readonly #writer: BulkWriter
  readonly #source: Source
  readonly #isAnew: boolean
  /** Undefined as long as no record needs a mark. */
  #fingerprint: string | undefined
  #line = 0
  /** Lines that are wrong in themselves, behind the mark. */
  #faulty: number[] = []
  /** Where an earlier run on the same file ended, and when. */
  earlier: { readonly line: number; readonly moment: string } | undefined
  /** Whether there are records that a second run would load again: the source could not be read twice. */
  isBlind = false

  /** `isAnew`: what an earlier run has loaded does not count. */
  constructor(writer: BulkWriter, source: Source, isAnew: boolean) {
    this.#writer = writer
    this.#source = source
    this.#isAnew = isAnew
  }

  noteFault(line: number): void {
    if (this.#source.isRepeatable && line > this.#line) this.#faulty.push(line)
  }

  /** Which of the records an earlier run has loaded. Those that it could not load are not among them. */
  async loadedBefore<Entry extends Tracked>(entries: readonly Entry[]): Promise<ReadonlySet<Entry>> {
    if (entries.some(({ isKnown }) => !isKnown)) {
      if (this.#source.isRepeatable) await this.#begin()
      else this.isBlind = true
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
    const earlier = await this.#writer.markedLine(this.#fingerprint)
    if (earlier && this.#isAnew) await this.#writer.forget(this.#fingerprint)
    else if (earlier) {
      this.earlier = earlier
      this.#line = earlier.line
      this.#faulty = this.#faulty.filter((line) => line > earlier.line)
    }
  }

  /** The mark after these records, of which the first were written with these outcomes; undefined where it stays. */
  markOf(entries: readonly Tracked[], outcomes: readonly RowOutcome[]): Mark | undefined {
    if (this.#fingerprint === undefined) return undefined
    const from = this.#line
    const written = entries.slice(0, outcomes.length)
    // With the last record, everything that was read so far is done.
    const faulty = written.length === entries.length ? this.#faulty.at(-1) : 0
    const to = Math.max(from, written.at(-1)?.line ?? 0, faulty ?? 0)
    const opened = this.#faulty.filter((line) => line <= to)
    const closed: number[] = []
    for (const [at, { line, isKnown }] of written.entries()) {
      const isThere = isLoaded(outcomes[at] as RowOutcome)
      if (isThere && line <= from) closed.push(line)
      if (!isThere && line > from && !isKnown) opened.push(line)
    }
    const isSame = from === to && opened.length === 0 && closed.length === 0
    return isSame ? undefined : { fingerprint: this.#fingerprint, from, to, opened, closed }
  }

  /** The mark was kept. */
  move({ to }: Mark): void {
    this.#line = to
    this.#faulty = this.#faulty.filter((line) => line > to)
  }
}

/** Whether the record is in the database now. */
export function isLoaded({ kind }: RowOutcome): boolean {
  return kind === 'loaded' || kind === 'updated' || kind === 'there'
}
