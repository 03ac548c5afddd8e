/** Models made straight from nouns, for tests of the schema that need no api. */
import type { AnyLink, AnyNoun } from '@nomen/core'
import type { Model, StoredNoun } from '../src/store/model.ts'
import { talliesOf } from '../src/store/tally.ts'
import { derivedColumns } from '../src/store/text/derived-column.ts'

export interface Use {
  /** Fields by noun, as `user.name`. */
  readonly filtered?: readonly string[]
  readonly searched?: readonly string[]
  readonly links?: readonly AnyLink[]
}

/** A model of these nouns. */
export function modelOfNouns(nouns: readonly AnyNoun[], { filtered = [], searched = [], links = [] }: Use = {}): Model {
  const fieldsOf = (noun: AnyNoun, names: readonly string[]) =>
    new Set(names.filter((name) => name.startsWith(`${noun.name}.`)).map((name) => name.slice(noun.name.length + 1)))
  const stored = (noun: AnyNoun): StoredNoun => ({
    noun,
    filtered: fieldsOf(noun, filtered),
    tallies: talliesOf(noun, fieldsOf(noun, filtered), []),
    searched: fieldsOf(noun, searched),
    derived: derivedColumns(noun, fieldsOf(noun, searched)),
    referrers: [],
    links: links.filter((link) => link.nouns.includes(noun)),
  })
  return { nouns: new Map(nouns.map((noun) => [noun.name, stored(noun)])), links }
}
