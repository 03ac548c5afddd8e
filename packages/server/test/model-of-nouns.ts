/** Models made straight from nouns, for tests of the schema that need no api. */
import type { AnyLink, AnyNoun } from '@nomen/core'
import { indexedFields, type Model, type StoredNoun } from '../src/store/model.ts'
import { talliesOf } from '../src/store/tally.ts'
import { derivedColumns } from '../src/store/text/derived-column.ts'

export interface Use {
  /** Fields by noun, as `user.name`. */
  readonly indexed?: readonly string[]
  readonly searched?: readonly string[]
  readonly links?: readonly AnyLink[]
}

/** A model of these nouns. */
export function modelOfNouns(nouns: readonly AnyNoun[], { indexed = [], searched = [], links = [] }: Use = {}): Model {
  const fieldsOf = (noun: AnyNoun, names: readonly string[]) =>
    new Set(names.filter((name) => name.startsWith(`${noun.name}.`)).map((name) => name.slice(noun.name.length + 1)))
  const indexesOf = (noun: AnyNoun) => {
    const named = fieldsOf(noun, indexed)
    return new Set([...named, ...indexedFields(noun, named)])
  }
  const stored = (noun: AnyNoun): StoredNoun => ({
    noun,
    indexed: indexesOf(noun),
    tallies: talliesOf(noun, indexesOf(noun), []),
    searched: fieldsOf(noun, searched),
    derived: derivedColumns(noun, fieldsOf(noun, searched)),
    referrers: [],
    links: links.filter((link) => link.nouns.includes(noun)),
  })
  return { nouns: new Map(nouns.map((noun) => [noun.name, stored(noun)])), links }
}
