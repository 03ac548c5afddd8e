/** Queries of bulk loads and exports. */
import { type AnyLink, type AnyNoun, specOf, tenantField, type Value } from '@nomen/core'
import type { BulkTarget, DeferredReference } from '../bulk/bulk.ts'
import type { StoredNoun } from '../model.ts'
import type { Values } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { all, bareColumn, column, pairKey, slot, table } from './fragment.ts'
import { recordJson } from './record-json.ts'
import { storedShape } from './record-query.ts'
import { type Sql, sql } from './sql.ts'
import { insertQuery } from './write-query.ts'

/** Inserts the given fields, unless the identity or a unique value already exists. */
export function insertNewQuery(dialect: Dialect, stored: StoredNoun, fields: readonly string[]): Sql {
  return sql`${insertQuery(dialect, stored, fields)} on conflict do nothing`
}

/** The whole stored record of an identity. Column: JSON. */
export function storedQuery(dialect: Dialect, noun: AnyNoun): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<Value>((key) => key)}`
  return sql`select ${recordJson(dialect, storedShape(noun))} from ${table(noun)} as t where ${isKey}`
}

/** The tenant of a record; null if all tenants share its noun. */
export function tenantQuery(noun: AnyNoun): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<Value>((key) => key)}`
  return sql`select ${tenantColumn(noun)} from ${table(noun)} as t where ${isKey}`
}

/** The column of the tenant; null if all tenants share the noun. */
export function tenantColumn(noun: AnyNoun): Sql {
  const field = tenantField(noun)
  return field === undefined ? sql`null` : column(noun, field)
}

/** The identity of the record with these values in a unique set. */
export function uniqueMatchQuery(dialect: Dialect, noun: AnyNoun, set: readonly string[]): Sql {
  const conditions = set.map((field) => {
    const spec = specOf(noun, field)
    const value = slot<Values>((values) => dialect.columnValue(spec, values[field] ?? null))
    return dialect.isSame(spec, column(noun, field), value)
  })
  return sql`select ${column(noun, noun.identity)} from ${table(noun)} as t where ${all(conditions)}`
}

/** Sets one reference of a record, and raises its version. */
export function setReferenceQuery(noun: AnyNoun, field: string): Sql {
  const sets = sql`${bareColumn(noun, field)} = ${slot<DeferredReference>(({ to }) => to)}, "_version" = "_version" + 1`
  const isKey = sql`${bareColumn(noun, noun.identity)} = ${slot<DeferredReference>(({ identity }) => identity)}`
  return sql`update ${table(noun)} set ${sets} where ${isKey}`
}

export function countQuery(target: BulkTarget): Sql {
  return sql`select count(*) from ${table('stored' in target ? target.stored.noun : target.link)}`
}

/** The number of records per page of an export. */
export const exportPageSize = 1000

/** The next records or pairs after the last identities, or the first ones. Columns: JSON, identities. */
export function pageQuery(dialect: Dialect, target: BulkTarget, isFirst: boolean): Sql {
  return 'stored' in target
    ? recordPageQuery(dialect, target.stored.noun, isFirst)
    : pairPageQuery(dialect, target.link, isFirst)
}

function recordPageQuery(dialect: Dialect, noun: AnyNoun, isFirst: boolean): Sql {
  const key = column(noun, noun.identity)
  const after = isFirst ? sql`` : sql`where ${key} > ${slot<readonly Value[]>(([last]) => last)}`
  return sql`select ${recordJson(dialect, storedShape(noun))}, ${key}
from ${table(noun)} as t
${after}
order by ${key}
limit ${sql.lit(exportPageSize)}`
}

function pairPageQuery(dialect: Dialect, link: AnyLink, isFirst: boolean): Sql {
  const [first, second] = link.nouns.map((noun) => pairKey(link, noun, 't')) as [Sql, Sql]
  const json = dialect.object(link.nouns.map((noun) => ({ name: noun.name, value: pairKey(link, noun, 't') })))
  const bounds = sql`(${slot<readonly Value[]>(([last]) => last)}, ${slot<readonly Value[]>(([, last]) => last)})`
  const after = isFirst ? sql`` : sql`where (${first}, ${second}) > ${bounds}`
  return sql`select ${json}, ${first}, ${second}
from ${table(link)} as t
${after}
order by ${first}, ${second}
limit ${sql.lit(exportPageSize)}`
}
