/** Sorts the rows of a batch, from what was found of them, into those that are new and those that are there. */
import { type AnyNoun, specOf, targetOf, type Value } from '@nomen/core'
import type { BulkRow, RowOutcome } from '../../bulk/bulk.ts'
import { isIdentified, isTelling, recordMeant, refusedRow, withoutTargets } from '../../bulk/decision.ts'
import { uniqueSets } from '../../migrate/schema.ts'
import type { Found } from './lookup.ts'

/** A row whose record is there. */
export interface Met {
  readonly kind: 'met'
  readonly row: BulkRow
  readonly identity: Value
  /** Its references to records that are neither there nor in the batch. */
  readonly missing: Found['missing']
}

/** What is to be done with a row. */
export type Sorted =
  | { readonly kind: 'settled'; readonly outcome: RowOutcome }
  | { readonly kind: 'new'; readonly row: BulkRow }
  | Met

/**
 * Ends before the first row whose fate depends on an earlier one of the batch, by the same identity or unique value: it
 * is looked at again when that one is written. A reference to a new row of the batch is fine.
 */
export function sortBatch(noun: AnyNoun, rows: readonly BulkRow[], found: readonly Found[]): readonly Sorted[] {
  const sorter = new Sorter(noun)
  const sorted: Sorted[] = []
  for (const [at, row] of rows.entries()) {
    const next = sorter.sort(row, found[at] as Found)
    if (!next) break
    sorted.push(next)
  }
  return sorted
}

class Sorter {
  readonly #noun: AnyNoun
  readonly #sets: readonly (readonly string[])[]
  /** Identities of rows of this batch, and the keys of their unique values. */
  readonly #identities = new Set<Value>()
  readonly #keys = new Set<string>()

  constructor(noun: AnyNoun) {
    this.#noun = noun
    this.#sets = uniqueSets(noun)
  }

  sort(row: BulkRow, found: Found): Sorted | undefined {
    const identity = isIdentified(this.#noun, row) ? (row.values[this.#noun.identity] as Value) : undefined
    const keys = this.#sets.flatMap((set) => keyOf(this.#noun, set, row) ?? [])
    const touched = [identity, ...found.holders].some((one) => one !== undefined && this.#identities.has(one))
    if (touched || keys.some((key) => this.#keys.has(key))) return undefined
    const sorted = this.#fate(row, found, identity)
    const about = sorted.kind === 'met' ? sorted.identity : identity
    if (sorted.kind !== 'settled') {
      if (about !== undefined) this.#identities.add(about)
      for (const key of keys) this.#keys.add(key)
    }
    return sorted
  }

  #fate(row: BulkRow, { isThere, holders, missing }: Found, identity: Value | undefined): Sorted {
    const still = this.#still(missing)
    if (isThere && identity !== undefined) return { kind: 'met', row, identity, missing: still }
    const meant = recordMeant(this.#noun, row, holders)
    if (meant && 'reason' in meant) return settled(refusedRow(meant))
    if (meant) return { kind: 'met', row, identity: meant.identity, missing: still }
    if (row.isBarred) return settled({ kind: 'barred' })
    const others = still.filter((one) => !this.#isOwn(one) || one.value !== identity)
    return others.length > 0 ? settled(withoutTargets(this.#noun, others)) : { kind: 'new', row }
  }

  /** Without those that come with the same batch. */
  #still(missing: Found['missing']): Found['missing'] {
    return missing.filter((one) => !this.#isOwn(one) || !this.#identities.has(one.value))
  }

  /** Whether the reference points at a record of the same noun. */
  #isOwn({ field }: Found['missing'][number]): boolean {
    return targetOf(this.#noun, field) === this.#noun
  }
}

/** Values that no two rows of a batch may have; undefined where null is among them. */
function keyOf(noun: AnyNoun, set: readonly string[], { values }: BulkRow): string | undefined {
  if (!isTelling(set, values)) return undefined
  const parts = set.map((field) => {
    const value = values[field] as Value
    // Letters of another case make no other e-mail address, as long as they are ASCII.
    const isFolded = specOf(noun, field).kind === 'email'
    return isFolded ? `${value}`.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value
  })
  return JSON.stringify([set, parts])
}

function settled(outcome: RowOutcome): Sorted {
  return { kind: 'settled', outcome }
}
