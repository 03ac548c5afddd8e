/** The interfaces of bulk loads and exports. Databases implement them. */
import type { AnyLink, Value } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import type { MissingTarget, Rejection } from '../outcome.ts'
import type { Assign, AsyncLogic, Check, Values } from '../plan.ts'

/** The target of a load or the source of an export: the records of a noun, or the pairs of a link. */
export type BulkTarget = { readonly stored: StoredNoun } | { readonly link: AnyLink }

/** A row in its stored form. */
export interface BulkRow {
  /** Every field, including defaults; the identity only if the file has it, or if it is a GUID. */
  readonly values: Values
  /** The names of the fields that the file has in this row. */
  readonly inputFields: readonly string[]
  /** Whether the row cannot be inserted, although it may update an existing record. */
  readonly cannotInsert: boolean
}

/** The outcome of a row. */
export type RowOutcome =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'updated' }
  /** The record exists, and was left unchanged. */
  | { readonly kind: 'unchanged'; readonly isDifferent: boolean }
  /** The row refers to records of its own noun that do not exist yet, but may come later in the file. */
  | {
      readonly kind: 'waiting'
      readonly missing: readonly MissingTarget[]
      /** The tenant of the record; null if all tenants share its noun. */
      readonly tenant: Value
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  /** A pair of records with different tenants, or with different values in the reference that linked records must share. */
  | { readonly kind: 'mismatch'; readonly shared: string }
  /** The record does not exist, and the row cannot be inserted. */
  | { readonly kind: 'not-insertable' }

/** A reference of one record to another. */
export interface DeferredReference {
  readonly identity: Value
  readonly field: string
  readonly to: Value
}

/** The progress of a load, stored in the same transaction as the rows. */
export interface LoadProgress {
  readonly fingerprint: string
  /** The line of the last finished record, before and after. */
  readonly from: number
  readonly to: number
  /** Lines up to there that are not loaded, and earlier ones that now are. */
  readonly openLines: readonly number[]
  readonly closedLines: readonly number[]
}

/** The last loaded line of a file, and when it was loaded. */
export interface Checkpoint {
  readonly line: number
  readonly time: string
}

/** Returns the progress to store with rows of these outcomes, if there is any. */
export type ProgressOf = (outcomes: readonly RowOutcome[]) => LoadProgress | undefined

/** Writes the rows of one target. */
export interface BulkWriter {
  /**
   * Writes rows in their order in one transaction: as many as fit into the short time that others may have to wait, but at
   * least one. `progressOf` returns the progress to store with them. Returns the outcome of each row.
   */
  write(rows: readonly BulkRow[], progressOf: ProgressOf): Promise<readonly RowOutcome[]>
  /** Sets references between existing records. */
  setReferences(references: readonly DeferredReference[]): Promise<void>
  /** Returns which of the records exist, with their tenants; null if all tenants share them. */
  tenantsOfExisting(identities: readonly Value[]): Promise<ReadonlyMap<Value, Value>>
  /** The last loaded line of a file with this fingerprint, and when; undefined if it was never loaded. */
  findCheckpoint(fingerprint: string): Promise<Checkpoint | undefined>
  /** Lines within these bounds, both inclusive, that were not loaded. */
  openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>>
  /** Deletes the progress of a file. */
  forget(fingerprint: string): Promise<void>
  /** Call it after the last row: builds what the writer has left out for speed, such as indexes. */
  finish(): Promise<void>
  /** Makes all writes durable. */
  flush(): Promise<void>
}

export interface WriteRules {
  readonly check: Check | undefined
  /** Sets fields of changed records. New rows already have these values. */
  readonly assign?: Assign
  /** Present if rules or assignments read other records: each row then has its own transaction. */
  readonly asyncLogic?: AsyncLogic
  /** Whether existing records get the values of the file. */
  readonly isUpdating: boolean
}

/** All records of a target in one snapshot. */
export interface BulkSnapshot {
  readonly numberOfRecords: number
  /** In the order of their identities, in batches, each record as a JSON string. */
  pages(): AsyncIterable<readonly string[]>
}

export interface BulkStore {
  writer(target: BulkTarget, rules: WriteRules): Promise<BulkWriter>
  snapshot(target: BulkTarget): Promise<BulkSnapshot>
  close(): Promise<void>
}

/** Thrown if another process loads the same file. Rows that this process has written stay. */
export class FileBusy extends Error {
  override readonly name = 'FileBusy'
}
