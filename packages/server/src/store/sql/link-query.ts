/** Queries on the links of two records, and the statements that link and unlink them. */
import type { AnyLink, AnyNoun, Value } from '@nomen/core'
import type { RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, barePairKey, column, pairKey, slot, table } from './fragment.ts'
import type { RecordInput } from './record-query.ts'
import { type Sql, sql } from './sql.ts'

/** A pair of linked identities; the first one belongs to the parent in the path. */
export interface LinkInput {
  readonly first: Value
  readonly second: Value
}

export function linkQuery(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  const columns = sql`${barePairKey(link, first)}, ${barePairKey(link, second)}`
  const values = sql`${slot<LinkInput>((input) => input.first)}, ${slot<LinkInput>((input) => input.second)}`
  return sql`insert into ${table(link)} (${columns}) values (${values}) on conflict do nothing`
}

export function unlinkQuery(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  return sql`delete ${fromPair(link, first, second)}`
}

/** Whether two records are linked. */
export function linkedQuery(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  return sql`select 1 ${fromPair(link, first, second)}`
}

function fromPair(link: AnyLink, first: AnyNoun, second: AnyNoun): Sql {
  const isFirst = sql`${barePairKey(link, first)} = ${slot<LinkInput>((input) => input.first)}`
  const isSecond = sql`${barePairKey(link, second)} = ${slot<LinkInput>((input) => input.second)}`
  return sql`from ${table(link)} where ${isFirst} and ${isSecond}`
}

/** Whether two records share the value of a field. */
export function sharesQuery(first: AnyNoun, second: AnyNoun, field: string): Sql {
  const isFirst = sql`${column(first, first.identity, 'first_side')} = ${slot<LinkInput>((input) => input.first)}`
  const isSecond = sql`${column(second, second.identity, 'second_side')} = ${slot<LinkInput>((input) => input.second)}`
  return sql`select 1
from ${table(first)} as first_side, ${table(second)} as second_side
where ${isFirst} and ${isSecond} and ${column(first, field, 'first_side')} = ${column(second, field, 'second_side')}`
}

/** The number of records that are linked with a record. */
export function linkCountQuery(link: AnyLink, noun: AnyNoun): Sql {
  return sql`select count(*) from ${table(link)} where ${barePairKey(link, noun)} = ${slot<Value>((key) => key)}`
}

/** The same, and how many of them are visible. */
export function visibleLinkCountQuery(dialect: Dialect, link: AnyLink, noun: AnyNoun, rowFilter: RowFilter): Sql {
  const otherNoun = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  const isKey = sql`${column(otherNoun, otherNoun.identity)} = ${pairKey(link, otherNoun, 'pair')}`
  const conditions = all([isKey, ...visibleWhere(dialect, rowFilter, otherNoun)])
  const isVisible = sql`exists (select 1 from ${table(otherNoun)} as t where ${conditions})`
  return sql`select count(*), count(*) filter (where ${isVisible})
from ${table(link)} as pair
where ${pairKey(link, noun, 'pair')} = ${slot<RecordInput>(({ key }) => key)}`
}
