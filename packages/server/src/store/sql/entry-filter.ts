/** Conditions on history entries. */
import { type AnyNoun, type FieldSpec, specOf } from '@nomen/core'
import type { Condition, StateCondition } from '../plan.ts'
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

/**
 * The condition that the record of an entry had the values before the change, or after it. A value that the change did not touch is in the
 * next entry that names its field, otherwise in the record. Values have a prefix here, to distinguish null from a missing row.
 */
export function matchingState<Input>(context: FilterContext<Input>, { noun, conditions }: StateCondition): Sql {
  const { dialect, noun: entries, alias } = context
  const own = (field: string) => column(entries, field, alias)
  const names = (from: string, kind: 'CREATED' | 'DELETED', field: string) => {
    const list = sql`',' || ${column(entries, 'fields', from)} || ','`
    return sql`(${column(entries, 'kind', from)} = ${sql.lit(kind)} or ${dialect.contains(list, sql.lit(`,${field},`))})`
  }
  const prefixed = (value: Sql) => sql`coalesce('=' || (${value}), '-')`

  const later = `${alias}l`
  const nextValue = (field: string) => sql`select ${prefixed(dialect.property(column(entries, 'before', later), field))}
      from ${table(entries)} as ${sql.table(later)}
      where ${dialect.isEqual(specOf(entries, 'record'), column(entries, 'record', later), own('record'), true)}
        and ${column(entries, 'noun', later)} = ${sql.lit(noun.name)}
        and ${column(entries, entries.identity, later)} > ${own(entries.identity)}
        and ${names(later, 'DELETED', field)}
      order by ${column(entries, entries.identity, later)}
      limit 1`
  const record = `${alias}r`
  const key = dialect.typed(
    specOf(noun, noun.identity),
    sql`substr(${own('record')}, ${sql.lit(noun.name.length + 2)})`,
  )
  const currentValue = (field: string) => {
    const spec = specOf(noun, field)
    const stored = column(noun, field, record)
    const value = dialect.text(spec.kind === 'boolean' ? stored : dialect.wireForm(spec, stored))
    return sql`select ${prefixed(value)} from ${table(noun)} as ${sql.table(record)}
      where ${column(noun, noun.identity, record)} = ${key}`
  }

  const side = (values: 'before' | 'after', kind: 'CREATED' | 'DELETED', absent: 'CREATED' | 'DELETED') => {
    const matches = conditions.map(({ fields }, index) => {
      const list = slot<Input>((input) => {
        const outer = context.read(input)
        const inner = outer?.kind === 'state' ? outer.conditions[index] : undefined
        const texts = inner?.values.map((value) =>
          value === null
            ? '-'
            : `=${dialect.columnValue({ kind: typeof value === 'boolean' ? 'boolean' : 'text' }, value)}`,
        )
        return dialect.listValue(anyText, texts ?? [])
      })
      const valueIn = (field: string) => sql`case when ${names(alias, kind, field)}
        then ${prefixed(dialect.property(own(values), field))}
        else coalesce((${nextValue(field)}), (${currentValue(field)})) end`
      return any(fields.map((field) => dialect.isAnyOf(anyText, sql`(${valueIn(field)})`, list)))
    })
    return sql`(${own('kind')} <> ${sql.lit(absent)} and ${all(matches)})`
  }
  return sql`case when ${own('noun')} = ${sql.lit(noun.name)} and ${own('record')} <> ${sql.lit(noun.name)}
    then ${side('before', 'DELETED', 'CREATED')} or ${side('after', 'CREATED', 'DELETED')}
    else false end`
}

const anyText: FieldSpec = { kind: 'choice' }
