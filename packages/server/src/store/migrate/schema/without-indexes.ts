/** A table without what a bulk load builds afterwards: its tallies, and its indexes apart from unique ones. */
import type { NounSchema, Schema } from './schema.ts'

/** A schema whose table lacks them. */
export function withoutTableIndexes(schema: Schema, table: string): Schema {
  return { ...schema, nouns: schema.nouns.map((noun) => (noun.name === table ? withoutIndexes(noun) : noun)) }
}

/** Unique indexes stay: a load finds existing records with them. The owners of an adopted table decide about its indexes. */
export function withoutIndexes(noun: NounSchema): NounSchema {
  if (noun.adopted) return noun
  const { indexes: _, sorted, ...others } = noun
  return {
    ...others,
    indexed: [],
    ...(sorted && { sorted: sorted.map((field) => ({ ...field, isIndexed: false })) }),
    tallies: [],
  }
}
