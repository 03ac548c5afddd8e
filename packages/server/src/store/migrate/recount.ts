/** Whether what is kept of a noun's records, so that nobody has to count them, is what they come to. */

import { keyParts } from '../tally.ts'
import { declaredName, type NounSchema } from './schema.ts'

/** A noun, how many records it has, and what its tallies say otherwise. */
export interface NounCount {
  readonly noun: string
  readonly numberOfRecords: number
  readonly miscounts: readonly Miscount[]
  /** Tables, functions and triggers that keep count and are gone, or off. */
  readonly missing: readonly string[]
}

/** Records that are counted together, by the values that they share; all of them where there are none. */
export interface Miscount {
  readonly values: readonly (readonly [field: string, value: string | null])[]
  /** How many the tally says, and how many there are. They may be the same where only the beginnings of pages are wrong. */
  readonly kept: number
  readonly counted: number
  /** How many of the numbers differ that pages and totals are found by. */
  readonly parts: number
}

/** A row of a database's answer. */
export interface MiscountRow {
  readonly key: string
  readonly kept: number | string
  readonly counted: number | string
  readonly parts: number | string
}

export function miscountOf(noun: NounSchema, { key, kept, counted, parts }: MiscountRow): Miscount {
  const nameOf = (column: string) => declaredName(noun.fields.find(({ name }) => name === column) ?? noun)
  const values = keyParts(key).map(([column, value]) => [nameOf(column), value] as const)
  return { values, kept: Number(kept), counted: Number(counted), parts: Number(parts) }
}

export function isRight({ miscounts, missing }: NounCount): boolean {
  return miscounts.length === 0 && missing.length === 0
}
