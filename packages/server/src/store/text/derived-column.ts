/** Columns that Nomen derives from text fields: folded strings for search, and sort keys. */
import { type AnyNoun, type Collation, type FieldSpec, specOf, type Value } from '@nomen/core'
import { sortKey, sortKeyVersion } from '../collation/sort-key.ts'
import { columnName, foldedName, sortKeyName } from '../stored-name.ts'
import { fold, foldAccents } from './fold.ts'

/** How a column is derived. Databases store it in their schema, so that a migration notices a change. */
export type Derivation =
  | { readonly kind: 'fold' | 'fold-accents' }
  | { readonly kind: 'sort-key'; readonly collation: Collation; readonly version: number }

export interface DerivedColumn {
  readonly name: string
  readonly derivation: Derivation
}

/** The derived columns by field name. `searched` has the fields that at least one resource searches. */
export function derivedColumns(
  noun: AnyNoun,
  searched: ReadonlySet<string>,
): ReadonlyMap<string, readonly DerivedColumn[]> {
  const columns = new Map<string, readonly DerivedColumn[]>()
  for (const field of Object.keys(noun.fields)) {
    const { sort, search } = specOf(noun, field)
    const derived: DerivedColumn[] = []
    if (searched.has(field))
      derived.push({ name: foldedName(columnName(noun, field)), derivation: foldDerivation(search) })
    if (sort) derived.push({ name: sortKeyName(columnName(noun, field)), derivation: sortDerivation(sort) })
    if (derived.length > 0) columns.set(field, derived)
  }
  return columns
}

export function foldDerivation(search: FieldSpec['search']): Derivation {
  return { kind: search === 'accent-insensitive' ? 'fold-accents' : 'fold' }
}

export function sortDerivation(collation: Collation, version = sortKeyVersion): Derivation {
  return { kind: 'sort-key', collation, version }
}

export function deriveString(derivation: Derivation, text: string): string {
  switch (derivation.kind) {
    case 'fold':
      return fold(text)
    case 'fold-accents':
      return foldAccents(text)
    case 'sort-key':
      return sortKey(text, derivation.collation)
  }
}

/** The value of a derived column; null if the value is not a string. */
export function derivedValue({ derivation }: DerivedColumn, value: Value | undefined): string | null {
  return typeof value === 'string' ? deriveString(derivation, value) : null
}
