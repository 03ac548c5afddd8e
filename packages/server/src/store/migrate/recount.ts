/** Compares stored tallies with actual counts. */

import { keyParts } from '../tally.ts'
import { declaredName, type NounSchema, type Schema } from './schema/schema.ts'

/** The nouns with stored numbers. */
export function talliedNouns({ nouns }: Schema): readonly NounSchema[] {
  return nouns.filter(({ tallies, blocks }) => tallies.length > 0 || blocks)
}

/** The number of records of a noun, and the tallies that differ from it. */
export interface NounCount {
  readonly noun: string
  readonly numberOfRecords: number
  readonly miscounts: readonly Miscount[]
  /** Tables, functions and triggers of the tallies that are missing or disabled. */
  readonly missing: readonly string[]
}

/** A group of records with equal values that is counted wrongly. Without values, the group is all records. */
export interface Miscount {
  readonly values: readonly (readonly [field: string, value: string | null])[]
  /** The stored and the actual number. They are equal if only page offsets are wrong. */
  readonly stored: number
  readonly actual: number
  /** The number of stored counts that differ, totals and page offsets. */
  readonly numberOfDifferences: number
}

/** A row of the query for miscounts. */
export interface MiscountRow {
  readonly key: string
  readonly stored: number | string
  readonly counted: number | string
  readonly differences: number | string
}

export function miscountOf(noun: NounSchema, { key, stored, counted, differences }: MiscountRow): Miscount {
  const nameOf = (column: string) => declaredName(noun.fields.find(({ name }) => name === column) ?? noun)
  const values = keyParts(key).map(([column, value]) => [nameOf(column), value] as const)
  return { values, stored: Number(stored), actual: Number(counted), numberOfDifferences: Number(differences) }
}

export function isCorrect({ miscounts, missing }: NounCount): boolean {
  return miscounts.length === 0 && missing.length === 0
}
