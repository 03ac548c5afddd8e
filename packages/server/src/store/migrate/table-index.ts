/** The indexes of a noun's table, and how they change, whatever the terms of an index are on a database. */
import { indexName, type NounSchema } from './schema.ts'

/** A column, in the form in which the index holds it. */
interface IndexTerm {
  readonly column: string
}

export interface Index<Term extends IndexTerm> {
  readonly name: string
  readonly table: string
  readonly isUnique: boolean
  readonly terms: readonly Term[]
}

/** The unique indexes first. `uniqueTerm` and `terms` give the terms of both kinds of indexes. */
export function tableIndexes<Term extends IndexTerm>(
  noun: NounSchema,
  uniqueTerm: (column: string) => Term,
  terms: (column: string) => readonly Term[],
): readonly Index<Term>[] {
  const index = (columns: readonly string[], isUnique: boolean, own: readonly Term[]) => ({
    name: indexName(noun, columns, isUnique),
    table: noun.name,
    isUnique,
    terms: own,
  })
  return [
    ...noun.unique.map((columns) => index(columns, true, columns.map(uniqueTerm))),
    ...noun.indexed.map((column) => index([column], false, terms(column))),
  ]
}

/** What becomes of the indexes: `names` has the new name of each column that is kept. */
export function indexChanges<Term extends IndexTerm>(
  before: readonly Index<Term>[],
  after: readonly Index<Term>[],
  names: ReadonlyMap<string, string>,
  isNameKept: boolean,
) {
  const keyOf = ({ name, isUnique, terms }: Index<Term>) => JSON.stringify([isNameKept && name, isUnique, terms])
  const renamed = (index: Index<Term>) => ({
    ...index,
    terms: index.terms.map((term) => ({ ...term, column: names.get(term.column) ?? '' })),
  })
  const kept = before.flatMap((old) => {
    const now = after.find((index) => keyOf(index) === keyOf(renamed(old)))
    return now ? [{ old, now }] : []
  })
  return {
    kept,
    dropped: before.filter((index) => !kept.some(({ old }) => old === index)),
    added: after.filter((index) => !kept.some(({ now }) => now === index)),
  }
}
