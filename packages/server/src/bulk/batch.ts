/** Writes records of a file in batches, counts what became of them, and tells which were rejected. */
import { setImmediate as turn } from 'node:timers/promises'
import type { BulkRow, BulkWriter, Mark, RowOutcome } from '../store/bulk/bulk.ts'
import type { Unit } from './read/ndjson.ts'
import { rejectReason } from './reject-reason.ts'
import type { Track } from './track.ts'

/** The place of a record in the file, and its text. */
export interface Place {
  readonly line: number
  readonly text: string
}

/** A record of the file as a row. */
export interface Entry extends Place {
  readonly row: BulkRow
  /** What bars it from being a new record. */
  readonly bar?: string
  /** Whether the database can tell that it has this record already. */
  readonly isKnown: boolean
}

/** A record that was not loaded. */
export interface Reject extends Place {
  readonly reason: string
  /** What `line` is the number of: of a JSON array, the record. */
  readonly unit: Unit
}

export interface LoadCounts {
  loaded: number
  updated: number
  /** Records that were there already, and how many of these have other values in the file. */
  there: number
  different: number
  rejected: number
}

export class BatchWriter {
  readonly counts: LoadCounts = { loaded: 0, updated: 0, there: 0, different: 0, rejected: 0 }
  readonly #writer: BulkWriter
  readonly #track: Track
  readonly #name: string
  readonly #onReject: (reject: Reject) => void
  /** Rejected, and not told yet. */
  #rejects: Reject[] = []
  readonly #unit: Unit

  /** `name` is that of the noun or link. */
  constructor(writer: BulkWriter, track: Track, name: string, unit: Unit, onReject: (reject: Reject) => void) {
    this.#writer = writer
    this.#track = track
    this.#name = name
    this.#unit = unit
    this.#onReject = onReject
  }

  /** Writes as many entries as one transaction has time for. Those that wait for others are neither counted nor rejected. */
  async write(entries: readonly Entry[]): Promise<readonly RowOutcome[]> {
    if (entries.length === 0 && !this.#track.markOf([], [])) return []
    const rows = entries.map(({ row }) => row)
    let mark: Mark | undefined
    const outcomes = await this.#writer.write(rows, (done) => {
      mark = this.#track.markOf(entries, done)
      return mark
    })
    if (mark) this.#track.move(mark)
    for (const [at, outcome] of outcomes.entries()) this.#count(entries[at] as Entry, outcome)
    // Signals and the progress want their turn.
    await turn()
    return outcomes
  }

  #count(entry: Entry, outcome: RowOutcome): void {
    if (outcome.kind === 'refused') this.reject(entry, rejectReason(this.#name, outcome.refusal))
    else if (outcome.kind === 'apart') this.reject(entry, apartReason(entry, outcome.shared))
    else if (outcome.kind === 'barred') this.reject(entry, entry.bar ?? '')
    else if (outcome.kind !== 'waiting') this.counts[outcome.kind]++
    if (outcome.kind === 'there' && outcome.isDifferent) this.counts.different++
  }

  reject({ line, text }: Place, reason: string): void {
    this.counts.rejected++
    this.#rejects.push({ line, unit: this.#unit, reason, text })
  }

  get numberUntold(): number {
    return this.#rejects.length
  }

  /** Tells of the rejected records up to a line, in the order of the file: some are known before they are written. */
  tellRejects(line = Number.POSITIVE_INFINITY): void {
    const told = this.#rejects.filter((reject) => reject.line <= line).sort((one, other) => one.line - other.line)
    this.#rejects = this.#rejects.filter((reject) => reject.line > line)
    for (const reject of told) this.#onReject(reject)
  }
}

function apartReason({ row }: Entry, shared: string): string {
  const records = Object.entries(row.values).map(([noun, identity]) => `${noun} ${identity}`)
  return `${records.join(' and ')} do not have the same ${shared}.`
}
