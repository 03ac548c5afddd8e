/** The indexes of a noun's table and their changes, for both databases. */
import { indexName, type NounSchema, sortIndexes } from './schema.ts'

/** A column, in the form that the index stores. */
interface IndexTerm {
  readonly column: string
}

export interface Index<Term extends IndexTerm> {
  readonly name: string
  readonly table: string
  readonly isUnique: boolean
  readonly terms: readonly Term[]
  /** Present for a partial index: the column whose nulls it leaves out. */
  readonly notNull?: string
}

/** The unique indexes first. `uniqueTerm`, `terms` and `keyTerms` give the terms of unique indexes, of others, and of sort keys. */
export function tableIndexes<Term extends IndexTerm>(
  noun: NounSchema,
  uniqueTerm: (column: string) => Term,
  terms: (columns: readonly string[]) => readonly Term[],
  keyTerms: (column: string) => readonly Term[],
): readonly Index<Term>[] {
  const index = (columns: readonly string[], isUnique: boolean, indexTerms: readonly Term[]) => ({
    name: indexName(noun, columns, isUnique),
    table: noun.name,
    isUnique,
    terms: indexTerms,
  })
  return [
    ...noun.unique.map((columns) => index(columns, true, columns.map(uniqueTerm))),
    ...noun.indexed.map((column) => ({
      ...index([column], false, terms([column])),
      ...(noun.partial?.includes(column) && { notNull: column }),
    })),
    ...(noun.indexes ?? []).map((columns) => index(columns, false, terms(columns))),
    ...sortIndexes(noun).map((column) => index([column], false, keyTerms(column))),
  ]
}

/** The kept, dropped and added indexes. `names` has the new name of each kept column. */
export function indexChanges<Term extends IndexTerm>(
  before: readonly Index<Term>[],
  after: readonly Index<Term>[],
  names: ReadonlyMap<string, string>,
  mustKeepName: boolean,
) {
  const keyOf = ({ name, isUnique, terms, notNull }: Index<Term>) =>
    JSON.stringify([mustKeepName && name, isUnique, terms, notNull])
  const renamed = (index: Index<Term>) => ({
    ...index,
    terms: index.terms.map((term) => ({ ...term, column: names.get(term.column) ?? '' })),
  })
  const kept = before.flatMap((old) => {
    const newIndex = after.find((index) => keyOf(index) === keyOf(renamed(old)))
    return newIndex ? [{ old, now: newIndex }] : []
  })
  return {
    kept,
    dropped: before.filter((index) => !kept.some(({ old }) => old === index)),
    added: after.filter((index) => !kept.some(({ now }) => now === index)),
  }
}
