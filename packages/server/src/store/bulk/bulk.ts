/** What bulk loads and exports ask of a database. Everything that is SQL, or differs between databases, lies behind it. */
import type { AnyLink, Value } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import type { Refusal } from '../outcome.ts'
import type { Check, Values } from '../plan.ts'

/** What is loaded or exported: the records of a noun, or the pairs of a link. */
export type BulkTarget = { readonly stored: StoredNoun } | { readonly link: AnyLink }

/** A row as it would be stored. */
export interface BulkRow {
  /** Every field, defaults included; the identity only where it is given, or no number. */
  readonly values: Values
  /** The names of the fields that were given. */
  readonly given: readonly string[]
  /** Whether it cannot become a new record, though it may change one that is there. */
  readonly isBarred: boolean
}

/** What became of a row. */
export type RowOutcome =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'updated' }
  /** The record was there, and was left as it is. */
  | { readonly kind: 'there'; readonly isDifferent: boolean }
  /** It points at records of its own noun that are not there, and may still come. */
  | { readonly kind: 'waiting'; readonly missing: readonly { readonly field: string; readonly value: Value }[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** A pair of records that differ in the reference that linked ones share. */
  | { readonly kind: 'apart'; readonly shared: string }
  /** It was not there, and is barred from being new. */
  | { readonly kind: 'barred' }

/** A reference of one record to another. */
export interface Pointer {
  readonly identity: Value
  readonly field: string
  readonly to: Value
}

/** How far a file has been loaded. Kept in the transaction that loads it. */
export interface Mark {
  readonly fingerprint: string
  /** The line of the last record that is done, as it was and as it becomes. */
  readonly from: number
  readonly to: number
  /** Lines up to there that are not loaded after all, and earlier ones that now are. */
  readonly opened: readonly number[]
  readonly closed: readonly number[]
}

/** The last line of a file that is loaded, and when it was loaded. */
export interface Checkpoint {
  readonly line: number
  readonly moment: string
}

/** The mark that goes with rows of these outcomes, where one is needed. */
export type MarkOf = (outcomes: readonly RowOutcome[]) => Mark | undefined

/** Writes the rows of one target. */
export interface BulkWriter {
  /**
   * Writes rows in their order and in one transaction, as many as can be written in the short time that others may be
   * kept waiting; at least one. `markOf` is asked for the mark that goes with them. Gives what became of each.
   */
  write(rows: readonly BulkRow[], markOf: MarkOf): Promise<readonly RowOutcome[]>
  /** Sets references of records that are there, to records that are there. */
  point(pointers: readonly Pointer[]): Promise<void>
  /** Which of the records are there. */
  present(identities: readonly Value[]): Promise<ReadonlySet<Value>>
  /** The line up to which a file with this fingerprint has been loaded, and when; undefined where it never was. */
  markedLine(fingerprint: string): Promise<Checkpoint | undefined>
  /** Lines within these bounds, both included, that were not loaded. */
  openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>>
  /** Forgets that a file was loaded. */
  forget(fingerprint: string): Promise<void>
  /** Makes what was written durable. */
  flush(): Promise<void>
}

export interface WriteRules {
  readonly check: Check | undefined
  /** Whether a record that is there takes the given values. */
  readonly isUpdating: boolean
}

/** All records of a target as they are at one moment. */
export interface BulkSnapshot {
  readonly numberOfRecords: number
  /** In their natural order, some at a time, each record as JSON text. */
  pages(): AsyncIterable<readonly string[]>
}

export interface BulkStore {
  writer(target: BulkTarget, rules: WriteRules): Promise<BulkWriter>
  snapshot(target: BulkTarget): Promise<BulkSnapshot>
  close(): Promise<void>
}

/** Thrown where another process is loading the same file. What this one has written stays. */
export class FileBusy extends Error {
  override readonly name = 'FileBusy'
}
