/** Conditions on history entries. */
import { type AnyNoun, type FieldSpec, specOf, type Value } from '@nomen/core'
import type { BeforeOrAfterCondition, Condition } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import type { FilterContext } from './filter-context.ts'
import { all, any, column, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** The field has names that are separated by commas. */
export function changedFieldFilter<Input>(
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
export function deletedRecordFilter<Input>(
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
      const inner = outer?.kind === 'current-record' ? outer.conditions[index] : undefined
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
export function beforeOrAfterFilter<Input>(context: FilterContext<Input>, condition: BeforeOrAfterCondition): Sql {
  const { dialect, noun: entries } = context
  const { state } = aliasesOf(context)
  const matchesSide = (values: 'before' | 'after', kind: EntryKind, absent: EntryKind) => {
    const matches = condition.conditions.map((sideCondition, index) => {
      const list = slot<Input>((input) => {
        const outer = context.read(input)
        const inner = outer?.kind === 'before-or-after' ? outer.conditions[index] : undefined
        return dialect.listValue(
          anyText,
          (inner?.values ?? []).map((value) => prefixedText(dialect, value)),
        )
      })
      const valueIn = (field: string) => sql`case when ${namesField(context, state, kind, field)}
        then ${prefixed(dialect.property(column(entries, values, state), field))}
        else ${laterValue(context, condition, field)} end`
      return any(sideCondition.fields.map((field) => dialect.isAnyOf(anyText, sql`(${valueIn(field)})`, list)))
    })
    return sql`(${column(entries, 'kind', state)} <> ${sql.lit(absent)} and ${all(matches)})`
  }
  return sql`${idIn(context, context.alias)} in (
    select ${idIn(context, state)} from (${entriesWithNext(context, condition)}) as ${sql.table(state)}
    where ${matchesSide('before', 'DELETED', 'CREATED')} or ${matchesSide('after', 'CREATED', 'DELETED')}
  )`
}

type EntryKind = 'CREATED' | 'DELETED'

function aliasesOf({ alias }: { readonly alias: string }) {
  return { entry: `${alias}e`, state: `${alias}s`, next: `${alias}n`, record: `${alias}r`, seen: `${alias}w` }
}

function idIn<Input>({ noun }: FilterContext<Input>, alias: string): Sql {
  return column(noun, noun.identity, alias)
}

/** The entries of the noun; for each field, with the ID of the next entry that names it. */
function entriesWithNext<Input>(
  context: FilterContext<Input>,
  { noun, conditions, range }: BeforeOrAfterCondition,
): Sql {
  const { noun: entries } = context
  const { entry, seen } = aliasesOf(context)
  const isOfNoun = (alias: string) => sql`${column(entries, 'noun', alias)} = ${sql.lit(noun.name)}`
  const bound = (name: 'from' | 'to') =>
    slot<Input>((input) => {
      const outer = context.read(input)
      return outer?.kind === 'before-or-after' ? (outer.range?.[name] ?? null) : null
    })
  const nextEntries = fieldsOf(conditions).map(
    (
      field,
      index,
    ) => sql`min(case when ${namesField(context, entry, 'DELETED', field)} then ${idIn(context, entry)} end) over (
        partition by ${column(entries, 'record', entry)}
        order by ${idIn(context, entry)} desc
        rows between unbounded preceding and 1 preceding
      ) as ${nextColumn(index)}`,
  )
  // Only entries of records in the range matter, and only later ones.
  const inRange = sql`
      and ${idIn(context, entry)} >= ${bound('from')}
      and ${column(entries, 'record', entry)} in (
        select ${column(entries, 'record', seen)}
        from ${table(entries)} as ${sql.table(seen)}
        where ${idIn(context, seen)} >= ${bound('from')}
          and ${idIn(context, seen)} < ${bound('to')}
          and ${isOfNoun(seen)}
      )`
  return sql`select ${sql.table(entry)}.*, ${sql.join(nextEntries)}
      from ${table(entries)} as ${sql.table(entry)}
      where ${isOfNoun(entry)}
        and ${column(entries, 'record', entry)} <> ${sql.lit(noun.name)}${range ? inRange : sql``}`
}

/** The value of a field in the next entry that names it, otherwise in the record. */
function laterValue<Input>(
  context: FilterContext<Input>,
  { noun, conditions }: BeforeOrAfterCondition,
  field: string,
): Sql {
  const { dialect, noun: entries } = context
  const { state, next, record } = aliasesOf(context)
  const nextValue = sql`select ${prefixed(dialect.property(column(entries, 'before', next), field))}
      from ${table(entries)} as ${sql.table(next)}
      where ${idIn(context, next)} = ${sql.table(state)}.${nextColumn(fieldsOf(conditions).indexOf(field))}`
  const recordName = column(entries, 'record', state)
  const key = dialect.typed(specOf(noun, noun.identity), sql`substr(${recordName}, ${sql.lit(noun.name.length + 2)})`)
  const spec = specOf(noun, field)
  const stored = column(noun, field, record)
  const value = dialect.text(spec.kind === 'boolean' ? stored : dialect.wireForm(spec, stored))
  const currentValue = sql`select ${prefixed(value)} from ${table(noun)} as ${sql.table(record)}
      where ${column(noun, noun.identity, record)} = ${key}`
  return sql`coalesce((${nextValue}), (${currentValue}))`
}

function fieldsOf(conditions: BeforeOrAfterCondition['conditions']): readonly string[] {
  return [...new Set(conditions.flatMap(({ fields }) => fields))]
}

function nextColumn(index: number): Sql {
  return sql.table(`next${index}`)
}

/** The condition that an entry is of this kind, or names the field. */
function namesField<Input>(
  { dialect, noun }: FilterContext<Input>,
  alias: string,
  kind: EntryKind,
  field: string,
): Sql {
  const list = sql`',' || ${column(noun, 'fields', alias)} || ','`
  const isNamed = dialect.contains(list, sql.lit(`,${field},`))
  return sql`(${column(noun, 'kind', alias)} = ${sql.lit(kind)} or ${isNamed})`
}

function prefixed(value: Sql): Sql {
  return sql`coalesce('=' || (${value}), '-')`
}

function prefixedText(dialect: Dialect, value: Value): string {
  if (value === null) return '-'
  return `=${dialect.columnValue({ kind: typeof value === 'boolean' ? 'boolean' : 'text' }, value)}`
}

const anyText: FieldSpec = { kind: 'choice' }
