/** Conditions on history entries. */
import { type AnyNoun, type FieldSpec, specOf, type Value } from '@nomen/core'
import type { Condition, StateCondition } from '../plan.ts'
import type { Dialect } from './dialect.ts'
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

/** Kinds of fields whose values are the same string in JSON and as a bound value. */
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
  const lastAlias = `${context.alias}d`
  const last = (name: string) => column(context.noun, name, lastAlias)
  const record = column(context.noun, field, context.alias)
  const values = sql`(select ${last('before')}
    from ${table(context.noun)} as ${sql.table(lastAlias)}
    where ${dialect.isEqual(specOf(context.noun, 'record'), last('record'), record, true)}
      and ${last('kind')} = 'DELETED'
    order by ${last(context.noun.identity)} desc
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
 * next entry that names its field, otherwise in the record. The next entries are found in one pass over the entries of the records, because
 * a record may have very many. Values have a prefix here, to distinguish null from a missing row.
 */
export function matchingState<Input>(context: FilterContext<Input>, condition: StateCondition): Sql {
  const { dialect, noun: entries } = context
  const { noun, conditions, range } = condition
  const [entry, state, next, record, seen] = ['e', 's', 'n', 'r', 'w'].map((name) => `${context.alias}${name}`) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const id = (alias: string) => column(entries, entries.identity, alias)
  const isOfNoun = (alias: string) => sql`${column(entries, 'noun', alias)} = ${sql.lit(noun.name)}`
  const fields = [...new Set(conditions.flatMap((each) => each.fields))]
  const nextColumn = (field: string) => `next${fields.indexOf(field)}`
  const bound = (name: 'from' | 'to') =>
    slot<Input>((input) => {
      const outer = context.read(input)
      return outer?.kind === 'state' ? (outer.range?.[name] ?? null) : null
    })
  const names = (alias: string, kind: 'CREATED' | 'DELETED', field: string) => {
    const list = sql`',' || ${column(entries, 'fields', alias)} || ','`
    const isNamed = dialect.contains(list, sql.lit(`,${field},`))
    return sql`(${column(entries, 'kind', alias)} = ${sql.lit(kind)} or ${isNamed})`
  }
  const prefixed = (value: Sql) => sql`coalesce('=' || (${value}), '-')`

  const nextEntries = fields.map(
    (field) => sql`min(case when ${names(entry, 'DELETED', field)} then ${id(entry)} end) over (
        partition by ${column(entries, 'record', entry)}
        order by ${id(entry)} desc
        rows between unbounded preceding and 1 preceding
      ) as ${sql.table(nextColumn(field))}`,
  )
  // Only entries of records in the range matter, and only later ones.
  const inRange = sql`
      and ${id(entry)} >= ${bound('from')}
      and ${column(entries, 'record', entry)} in (
        select ${column(entries, 'record', seen)}
        from ${table(entries)} as ${sql.table(seen)}
        where ${id(seen)} >= ${bound('from')} and ${id(seen)} < ${bound('to')} and ${isOfNoun(seen)}
      )`
  const states = sql`select ${sql.table(entry)}.*, ${sql.join(nextEntries)}
      from ${table(entries)} as ${sql.table(entry)}
      where ${isOfNoun(entry)}
        and ${column(entries, 'record', entry)} <> ${sql.lit(noun.name)}${range ? inRange : sql``}`

  const nextValue = (field: string) => sql`select ${prefixed(dialect.property(column(entries, 'before', next), field))}
      from ${table(entries)} as ${sql.table(next)}
      where ${id(next)} = ${sql.table(state)}.${sql.table(nextColumn(field))}`
  const recordText = column(entries, 'record', state)
  const key = dialect.typed(specOf(noun, noun.identity), sql`substr(${recordText}, ${sql.lit(noun.name.length + 2)})`)
  const currentValue = (field: string) => {
    const spec = specOf(noun, field)
    const stored = column(noun, field, record)
    const value = dialect.text(spec.kind === 'boolean' ? stored : dialect.wireForm(spec, stored))
    return sql`select ${prefixed(value)} from ${table(noun)} as ${sql.table(record)}
      where ${column(noun, noun.identity, record)} = ${key}`
  }

  const matchesSide = (values: 'before' | 'after', kind: 'CREATED' | 'DELETED', absent: 'CREATED' | 'DELETED') => {
    const matches = conditions.map((each, index) => {
      const list = slot<Input>((input) => {
        const outer = context.read(input)
        const inner = outer?.kind === 'state' ? outer.conditions[index] : undefined
        return dialect.listValue(
          anyText,
          (inner?.values ?? []).map((value) => prefixedText(dialect, value)),
        )
      })
      const valueIn = (field: string) => sql`case when ${names(state, kind, field)}
        then ${prefixed(dialect.property(column(entries, values, state), field))}
        else coalesce((${nextValue(field)}), (${currentValue(field)})) end`
      return any(each.fields.map((field) => dialect.isAnyOf(anyText, sql`(${valueIn(field)})`, list)))
    })
    return sql`(${column(entries, 'kind', state)} <> ${sql.lit(absent)} and ${all(matches)})`
  }
  return sql`${id(context.alias)} in (
    select ${id(state)} from (${states}) as ${sql.table(state)}
    where ${matchesSide('before', 'DELETED', 'CREATED')} or ${matchesSide('after', 'CREATED', 'DELETED')}
  )`
}

function prefixedText(dialect: Dialect, value: Value): string {
  if (value === null) return '-'
  return `=${dialect.columnValue({ kind: typeof value === 'boolean' ? 'boolean' : 'text' }, value)}`
}

const anyText: FieldSpec = { kind: 'choice' }
