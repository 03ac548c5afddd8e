/** Sorts the rows of a batch into new and existing records, by the results of the lookup. */
import { type AnyNoun, specOf, targetOf, tenantField, type Value } from '@nomen/core'
import type { BulkRow, RowOutcome } from '../../bulk/bulk.ts'
import { hasUniqueKey, isIdentified, missingTargets, recordOfRow, rejectedRow } from '../../bulk/decision.ts'
import { uniqueSets } from '../../migrate/schema/model-schema.ts'
import type { MissingTarget } from '../../outcome.ts'
import type { LookupResult } from './batch-lookup.ts'

type References = Pick<LookupResult, 'missing' | 'targets'>

/** A row whose record exists. */
export interface ExistingRow {
  readonly kind: 'existing'
  readonly row: BulkRow
  readonly identity: Value
  /** Its references to records that neither exist nor are in the batch. */
  readonly missing: LookupResult['missing']
  /** Its other references to records of tenants. */
  readonly targets: LookupResult['targets']
}

/** The decision about a row. */
export type SortedRow =
  | { readonly kind: 'decided'; readonly outcome: RowOutcome }
  | { readonly kind: 'new'; readonly row: BulkRow }
  | ExistingRow

/**
 * Ends before the first row that depends on an earlier row of the batch, by the same identity or unique value: the row is
 * checked again after that one is written. A reference to a new row of the batch is allowed.
 */
export function sortBatch(
  noun: AnyNoun,
  rows: readonly BulkRow[],
  results: readonly LookupResult[],
): readonly SortedRow[] {
  const sorter = new BatchSorter(noun)
  const sorted: SortedRow[] = []
  for (const [index, row] of rows.entries()) {
    const sortedRow = sorter.sort(row, results[index] as LookupResult)
    if (!sortedRow) break
    sorted.push(sortedRow)
  }
  return sorted
}

class BatchSorter {
  readonly #noun: AnyNoun
  readonly #sets: readonly (readonly string[])[]
  readonly #tenant: string | undefined
  /** Identities of rows in this batch with their tenants, and the keys of their unique values. */
  readonly #identities = new Map<Value, Value>()
  readonly #keys = new Set<string>()

  constructor(noun: AnyNoun) {
    this.#noun = noun
    this.#sets = uniqueSets(noun)
    this.#tenant = tenantField(noun)
  }

  sort(row: BulkRow, result: LookupResult): SortedRow | undefined {
    const identity = isIdentified(this.#noun, row) ? (row.values[this.#noun.identity] as Value) : undefined
    const keys = this.#sets.flatMap((set) => keyOf(this.#noun, set, row) ?? [])
    const isDependent = [identity, ...result.uniqueMatches].some(
      (key) => key !== undefined && this.#identities.has(key),
    )
    if (isDependent || keys.some((key) => this.#keys.has(key))) return undefined
    const sorted = this.#decide(row, result, identity)
    const affected = sorted.kind === 'existing' ? sorted.identity : identity
    if (sorted.kind !== 'decided') {
      if (affected !== undefined) this.#identities.set(affected, this.#tenantOf(row))
      for (const key of keys) this.#keys.add(key)
    }
    return sorted
  }

  #decide(row: BulkRow, result: LookupResult, identity: Value | undefined): SortedRow {
    const { isExisting, uniqueMatches } = result
    const { missing, targets } = this.#withoutBatchRows(result)
    if (isExisting && identity !== undefined) return { kind: 'existing', row, identity, missing, targets }
    const match = recordOfRow(this.#noun, row, uniqueMatches)
    if (match && 'reason' in match) return decided(rejectedRow(match))
    if (match) return { kind: 'existing', row, identity: match.identity, missing, targets }
    if (row.cannotInsert) return decided({ kind: 'not-insertable' })
    const others = missing.filter((reference) => !this.#isOwn(reference) || reference.value !== identity)
    const invalid = [...others, ...targets.filter(({ tenant }) => tenant !== this.#tenantOf(row))]
    return invalid.length > 0 ? decided(missingTargets(this.#noun, invalid, row.values)) : { kind: 'new', row }
  }

  /** References to rows of the same batch are not missing. */
  #withoutBatchRows(references: References): References {
    const { missing, targets } = references
    if (missing.length === 0) return references
    const tenantOf = (reference: MissingTarget) =>
      this.#isOwn(reference) ? this.#identities.get(reference.value) : undefined
    const inBatch = missing.flatMap((reference) => {
      const tenant = tenantOf(reference)
      return tenant === undefined ? [] : [{ ...reference, tenant }]
    })
    return {
      missing: missing.filter((reference) => tenantOf(reference) === undefined),
      targets: [...targets, ...inBatch],
    }
  }

  #tenantOf({ values }: BulkRow): Value {
    return this.#tenant === undefined ? null : (values[this.#tenant] ?? null)
  }

  /** Whether the reference is to the same noun. */
  #isOwn({ field }: MissingTarget): boolean {
    return targetOf(this.#noun, field) === this.#noun
  }
}

/** The unique key of a row; undefined if a value is null. */
function keyOf(noun: AnyNoun, set: readonly string[], { values }: BulkRow): string | undefined {
  if (!hasUniqueKey(set, values)) return undefined
  const comparedValues = set.map((field) => {
    const value = values[field] as Value
    // E-mail addresses that differ only in ASCII case are equal.
    const isFolded = specOf(noun, field).kind === 'email'
    return isFolded ? `${value}`.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value
  })
  return JSON.stringify([set, comparedValues])
}

function decided(outcome: RowOutcome): SortedRow {
  return { kind: 'decided', outcome }
}
