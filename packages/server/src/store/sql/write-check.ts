/** The query that checks whether a record will satisfy conditions after a write. */
import { type AnyNoun, specOf, type Value } from '@nomen/core'
import { type Condition, ownFields, type Values } from '../plan.ts'
import { columnName } from '../stored-name.ts'
import { conditionKey } from './condition-key.ts'
import type { Dialect } from './dialect.ts'
import { filter } from './filter.ts'
import { column, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** The bound values of a visibility check before a write. */
export interface AfterWriteInput {
  readonly key: Value
  readonly values: Values
  readonly conditions: readonly Condition[]
}

/** One column for each condition: whether the record satisfies it after the write. The key is that of a change. */
export function conditionsAfterWrite(
  dialect: Dialect,
  noun: AnyNoun,
  { values, conditions, key }: AfterWriteInput,
): Sql {
  const neededFields = [...new Set(conditions.flatMap(ownFields))]
  const isNew = key === null
  const columns = neededFields.map((field) => {
    const spec = specOf(noun, field)
    const value = slot<AfterWriteInput>((input) => dialect.columnValue(spec, input.values[field] ?? null))
    const next = isNew || field in values ? dialect.typed(spec, value) : column(noun, field, 'stored')
    return sql`${next} as ${sql.table(columnName(noun, field))}`
  })
  const identity = specOf(noun, noun.identity)
  const isKey = dialect.isEqual(
    identity,
    column(noun, noun.identity, 'stored'),
    slot<AfterWriteInput>((input) => dialect.columnValue(identity, input.key)),
  )
  const from = isNew ? sql`` : sql` from ${table(noun)} as stored where ${isKey}`
  const conditionResults = conditions.map((condition, index) => {
    const read = (input: AfterWriteInput) => input.conditions[index]
    return sql`case when ${filter({ dialect, noun, alias: 't', read }, condition)} then 1 else 0 end`
  })
  return sql`select ${sql.join(conditionResults)} from (select ${sql.join(columns)}${from}) as t`
}

/** The cache key of a visibility check. */
export function conditionsAfterWriteKey(noun: AnyNoun, { values, conditions, key }: AfterWriteInput): string {
  const writtenColumns = key === null ? '' : ` of ${Object.keys(values).join()}`
  return `fit ${noun.name}${writtenColumns}${conditions.map(conditionKey).join('')}`
}
