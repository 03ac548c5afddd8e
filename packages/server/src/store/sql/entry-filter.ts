/** Conditions on history entries. */
import { type AnyNoun, type FieldSpec, specOf } from '@nomen/core'
import type { Condition } from '../plan.ts'
import type { FilterContext } from './filter-context.ts'
import { all, any, column, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** The field has names that are separated by commas. */
export function changedField<Input>(
  { dialect, noun, alias, read }: FilterContext<Input>,
  field: string,
  names: readonly string[],
): Sql {
  const list = sql`',' || ${column(noun, field, alias)} || ','`
  const nameAt = (index: number) =>
    slot<Input>((input) => {
      const condition = read(input)
      return condition?.kind === 'changed-field' ? `,${condition.names[index]},` : null
    })
  return any(names.map((_, index) => dialect.contains(list, nameAt(index))))
}

/** Kinds of fields whose values are the same text in JSON and as a bound value. */
const textKinds: readonly FieldSpec['kind'][] = ['text', 'email', 'guid', 'choice', 'integer', 'identity', 'reference']

/**
 * The condition that a deleted record had the values, by its last history entry. Undefined if a condition depends on more than
 * the fields of the record: other records may have changed since.
 */
export function deletedMatches<Input>(
  context: FilterContext<Input>,
  field: string,
  noun: AnyNoun,
  conditions: readonly Condition[],
): Sql | undefined {
  const { dialect } = context
  const isSimple = conditions.every(
    (condition) =>
      condition.kind === 'equal' &&
      condition.values.length > 0 &&
      !condition.values.includes(null) &&
      condition.fields.every((name) => textKinds.includes(specOf(noun, name).kind)),
  )
  if (!isSimple) return undefined
  const last = `${context.alias}d`
  const values = sql`(select ${column(context.noun, 'before', last)}
    from ${table(context.noun)} as ${sql.table(last)}
    where ${dialect.isEqual(specOf(context.noun, 'record'), column(context.noun, 'record', last), column(context.noun, field, context.alias), true)}
      and ${column(context.noun, 'kind', last)} = 'DELETED'
    order by ${column(context.noun, context.noun.identity, last)} desc
    limit 1)`
  const matches = conditions.map((condition, index) => {
    const list = slot<Input>((input) => {
      const outer = context.read(input)
      const inner = outer?.kind === 'recorded' ? outer.conditions[index] : undefined
      return dialect.listValue(anyText, inner?.kind === 'equal' ? inner.values.map(String) : [])
    })
    return any(condition.fields.map((name) => dialect.isAnyOf(anyText, dialect.property(values, name), list)))
  })
  return all(matches)
}

const anyText: FieldSpec = { kind: 'choice' }
