/** Writes records of a file in batches, counts the results, and reports rejected records. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BulkRow, BulkWriter, LoadProgress, RowOutcome } from '../store/bulk/bulk.ts'
import type { LoadTracker } from './load-tracker.ts'
import type { Unit } from './read/ndjson.ts'
import { rejectReason } from './reject-reason.ts'

/** The line number and the source of a record in the file. */
export interface SourceRecord {
  readonly line: number
  readonly text: string
}

/** A record of the file as a row. */
export interface Entry extends SourceRecord {
  readonly row: BulkRow
  /** Why it cannot be a new record. */
  readonly cannotInsertReason?: string
  /** Whether the database can recognize that it already has this record. */
  readonly isRecognizable: boolean
}

/** A rejected record of a bulk load, with the reason. */
export interface Reject extends SourceRecord {
  readonly reason: string
  /** Whether `line` counts lines or, for a JSON array, records. */
  readonly unit: Unit
}

/** The numbers of records of a bulk load, by outcome. */
export interface LoadCounts {
  /** New records. */
  loaded: number
  /** Existing records that were updated. */
  updated: number
  /** Records that existed already. */
  unchanged: number
  /** Existing records whose values in the file differ. */
  different: number
  rejected: number
}

export class BatchWriter {
  readonly counts: LoadCounts = { loaded: 0, updated: 0, unchanged: 0, different: 0, rejected: 0 }
  readonly #writer: BulkWriter
  readonly #tracker: LoadTracker
  readonly #name: string
  readonly #onReject: (reject: Reject) => void
  /** Rejected records that are not reported yet. */
  #rejects: Reject[] = []
  readonly #unit: Unit

  /** `name` is the name of the noun or link. */
  constructor(writer: BulkWriter, tracker: LoadTracker, name: string, unit: Unit, onReject: (reject: Reject) => void) {
    this.#writer = writer
    this.#tracker = tracker
    this.#name = name
    this.#unit = unit
    this.#onReject = onReject
  }

  /** Writes as many entries as one transaction has time for. Deferred entries are neither counted nor rejected. */
  async write(entries: readonly Entry[]): Promise<readonly RowOutcome[]> {
    if (entries.length === 0 && !this.#tracker.progressOf([], [])) return []
    const rows = entries.map(({ row }) => row)
    let progress: LoadProgress | undefined
    const outcomes = await this.#writer.write(rows, (outcomesSoFar) => {
      progress = this.#tracker.progressOf(entries, outcomesSoFar)
      return progress
    })
    if (progress) this.#tracker.onCommitted(progress)
    for (const [index, outcome] of outcomes.entries()) this.#count(entries[index] as Entry, outcome)
    // Lets signals and progress reports run.
    await nextTurn()
    return outcomes
  }

  #count(entry: Entry, outcome: RowOutcome): void {
    if (outcome.kind === 'rejected') this.reject(entry, rejectReason(this.#name, outcome.rejection))
    else if (outcome.kind === 'mismatch') this.reject(entry, mismatchReason(entry, outcome.shared))
    else if (outcome.kind === 'not-insertable') this.reject(entry, entry.cannotInsertReason ?? '')
    else if (outcome.kind !== 'waiting') this.counts[outcome.kind]++
    if (outcome.kind === 'unchanged' && outcome.isDifferent) this.counts.different++
  }

  reject({ line, text }: SourceRecord, reason: string): void {
    this.counts.rejected++
    this.#rejects.push({ line, unit: this.#unit, reason, text })
  }

  /** Reports rejected records up to a line, in the order of the file. Some are rejected before others are written. */
  reportRejects(line = Number.POSITIVE_INFINITY): void {
    const dueRejects = this.#rejects.filter((reject) => reject.line <= line).sort((a, b) => a.line - b.line)
    this.#rejects = this.#rejects.filter((reject) => reject.line > line)
    for (const reject of dueRejects) this.#onReject(reject)
  }
}

function mismatchReason({ row }: Entry, shared: string): string {
  const records = Object.entries(row.values).map(([noun, identity]) => `${noun} ${identity}`)
  return `${records.join(' and ')} do not have the same ${shared}.`
}
