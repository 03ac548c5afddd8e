/** Builds the indexes of a table while other transactions read and write it. */
import type { ClientBase } from 'pg'
import type { NounSchema } from '../../../migrate/schema/schema.ts'
import { type Index, indexChanges } from '../../../migrate/schema/table-index.ts'
import { identifier, postgresName } from '../../name.ts'
import { createIndex, indexesOf, type Term } from '../sql/table.ts'
import type { OnlineStatement } from './statement.ts'

/** If the last migration was interrupted, every index is checked. */
export function indexBuilds(before: NounSchema, after: NounSchema): readonly OnlineStatement[] {
  const names = new Map(after.fields.map(({ name }) => [name, name]))
  const declared = indexesOf(after)
  const kept = indexChanges(indexesOf(before), declared, names, true).kept.map(({ now }) => now)
  const indexes = declared.filter((index) => before.pending || !kept.includes(index))
  return indexes.map((index) => ({
    sql: createIndex(index, true),
    run: (client) => buildIndex(client, index),
  }))
}

async function buildIndex(client: ClientBase, index: Index<Term>): Promise<void> {
  const existing = await existingIndex(client, index)
  if (existing?.isValid && hasTerms(existing, index)) return
  // No field has a name that ends with an underscore and this word.
  const temporary = { ...index, name: `${index.name}_building` }
  const drop = (name: string) => client.query(`drop index concurrently if exists ${identifier(name)}`)
  await drop(temporary.name)
  // Until the new index exists, the old one serves reads and keeps values unique.
  if (existing && !existing.isValid) await drop(index.name)
  const newIndex = existing?.isValid ? temporary : index
  await client.query(createIndex(newIndex, true))
  if (newIndex === index) return
  await drop(index.name)
  await client.query(`alter index ${identifier(temporary.name)} rename to ${identifier(index.name)}`)
}

interface ExistingIndex {
  /** An index that could not be completed is invalid. */
  readonly isValid: boolean
  readonly terms: number
  /** The number of terms that are expressions instead of columns. */
  readonly expressions: number
}

function hasTerms({ terms, expressions }: ExistingIndex, index: Index<Term>): boolean {
  const expected = index.terms.filter(({ form }) => form === 'prefix' || form === 'lower')
  return terms === index.terms.length && expressions === expected.length
}

async function existingIndex(client: ClientBase, { name, table }: Index<Term>): Promise<ExistingIndex | undefined> {
  const query = `select indisvalid as "isValid", indnatts::int as terms,
  (select count(*)::int from unnest(indkey) as key (number) where number = 0) as expressions
from pg_index join pg_class on pg_class.oid = indexrelid
where relname = $1 and relnamespace = current_schema()::regnamespace and indrelid = $2::regclass`
  const values = [postgresName(name), identifier(table)]
  const { rows } = await client.query<ExistingIndex>(query, values)
  return rows[0]
}
