/** Conditions on the records of a table: filters of a list, and row filters. */
import { type AnyNoun, type FieldSpec, specOf, type Value } from '@nomen/core'
import type {
  AnyCondition,
  Condition,
  CurrentRecordCondition,
  ListPlan,
  ReferenceCondition,
  RelatedCondition,
  RowFilter,
} from '../plan.ts'
import { deriveString, foldDerivation } from '../text/derived-column.ts'
import { isNotNull } from './condition-key.ts'
import type { Dialect } from './dialect.ts'
import { beforeOrAfterFilter, changedFieldFilter, deletedRecordFilter } from './entry-filter.ts'
import type { FilterContext } from './filter-context.ts'
import { all, any, column, foldedColumn, pairKey, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** Every condition of the plan. The condition on the `drivingField` is written so that the query planner of the database uses its index. */
export function filters(dialect: Dialect, plan: ListPlan, drivingField?: string): readonly Sql[] {
  const { noun } = plan.operation.shape
  return plan.conditions.map((condition, index) =>
    filter({ dialect, noun, alias: 't', drivingField, read: (input: ListPlan) => input.conditions[index] }, condition),
  )
}

/** The bound values of a row filter. */
interface RowFilterInput {
  readonly rowFilter?: RowFilter | undefined
}

/** The conditions under which the caller sees a record of the table with this alias; empty without a row filter. */
export function visibleWhere(
  dialect: Dialect,
  rowFilter: RowFilter | undefined,
  noun: AnyNoun,
  alias = 't',
): readonly Sql[] {
  const conditions = rowFilter?.[noun.name] ?? []
  return conditions.map((condition, index) =>
    filter({ dialect, noun, alias, read: (input: RowFilterInput) => input.rowFilter?.[noun.name]?.[index] }, condition),
  )
}

/** One filter for each distinct value of the only condition; null comes last. */
export function valueFilters(dialect: Dialect, plan: ListPlan, numberOfValues: number): readonly Sql[] {
  const { noun } = plan.operation.shape
  const [field = ''] = plan.conditions[0]?.fields ?? []
  const spec = specOf(noun, field)
  const values = distinctValues(plan)
  const valueAt = (index: number) =>
    slot<ListPlan>((input) => dialect.columnValue(spec, distinctValues(input)[index] ?? null))
  return Array.from({ length: numberOfValues }, (_, index) =>
    values[index] === null ? sql`${column(noun, field)} is null` : sql`${column(noun, field)} = ${valueAt(index)}`,
  )
}

function distinctValues({ conditions: [condition] }: ListPlan): readonly Value[] {
  const values = condition?.kind === 'equal' ? [...new Set(condition.values)] : []
  return values.includes(null) ? [...values.filter((value) => value !== null), null] : values
}

export function filter<Input>(context: FilterContext<Input>, condition: Condition): Sql {
  if (condition.kind === 'any') return anyFilter(context, condition)
  return any(condition.fields.map((field) => fieldFilter(context, field, condition)))
}

/** The SQL is built once: each run reads the values of a nested condition from the same position of its own plan. */
function anyFilter<Input>(context: FilterContext<Input>, { alternatives }: AnyCondition): Sql {
  const nested = (alternative: number, index: number) => (input: Input) => {
    const outer = context.read(input)
    return outer?.kind === 'any' ? outer.alternatives[alternative]?.[index] : undefined
  }
  const allOf = (conditions: readonly Condition[], alternative: number) => {
    const filters = conditions.map((condition, index) =>
      filter({ ...context, read: nested(alternative, index) }, condition),
    )
    return sql`(${all(filters)})`
  }
  return any(alternatives.map(allOf))
}

function fieldFilter<Input>(
  context: FilterContext<Input>,
  field: string,
  condition: Exclude<Condition, AnyCondition>,
): Sql {
  switch (condition.kind) {
    case 'equal':
      return equalFilter(context, field, condition.values)
    case 'range':
      return rangeFilter(context, field, condition)
    case 'search':
      return searchFilter(context, field, condition.terms)
    case 'changed-field':
      return changedFieldFilter(context, field, condition.names)
    case 'reference':
      return referenceFilter(context, field, condition)
    case 'related':
      return relatedFilter(context, field, condition)
    case 'current-record':
      return currentRecordFilter(context, field, condition)
    case 'before-or-after':
      return beforeOrAfterFilter(context, condition)
  }
}

function equalFilter<Input>(context: FilterContext<Input>, field: string, values: readonly Value[]): Sql {
  const { dialect, noun, drivingField } = context
  const spec = specOf(noun, field)
  const target = column(noun, field, context.alias)
  const valuesIn = (input: Input) => {
    const condition = context.read(input)
    return condition?.kind === 'equal' ? condition.values : []
  }
  const present = values.filter(isNotNull)
  const alternatives: Sql[] = []
  if (present.length === 1) {
    const value = slot<Input>((input) => dialect.columnValue(spec, valuesIn(input).find(isNotNull) ?? null))
    alternatives.push(dialect.isEqual(spec, target, value, field === drivingField))
  } else if (present.length > 1) {
    const list = slot<Input>((input) => dialect.listValue(spec, valuesIn(input).filter(isNotNull)))
    alternatives.push(dialect.isAnyOf(spec, target, list))
  }
  if (present.length < values.length) alternatives.push(sql`${target} is null`)
  return any(alternatives)
}

function rangeFilter<Input>(
  { dialect, noun, alias, read }: FilterContext<Input>,
  field: string,
  bounds: FieldRange,
): Sql {
  const spec: FieldSpec = specOf(noun, field)
  const bound = (name: 'from' | 'to') =>
    dialect.bound(
      spec,
      slot<Input>((input) => {
        const condition = read(input)
        return condition?.kind === 'range' ? dialect.columnValue(spec, condition[name] ?? null) : null
      }),
    )
  const conditions: Sql[] = []
  if (bounds.from !== undefined) conditions.push(sql`${column(noun, field, alias)} >= ${bound('from')}`)
  if (bounds.to !== undefined) conditions.push(sql`${column(noun, field, alias)} < ${bound('to')}`)
  return sql`(${all(conditions)})`
}

type FieldRange = Extract<Condition, { kind: 'range' }>

/** One comparison for each term: a bound list would be parsed again for every record. */
function searchFilter<Input>(
  { dialect, noun, alias, read }: FilterContext<Input>,
  field: string,
  terms: readonly string[],
): Sql {
  const target = foldedColumn(noun, field, alias)
  const derivation = foldDerivation(specOf(noun, field).search)
  const folded = (index: number) =>
    slot<Input>((input) => {
      const condition = read(input)
      return condition?.kind === 'search' ? deriveString(derivation, condition.terms[index] as string) : null
    })
  return any(terms.map((_, index) => dialect.contains(target, folded(index))))
}

/** Checked record by record: the target is looked up by its identity. */
function referenceFilter<Input>(
  context: FilterContext<Input>,
  field: string,
  { noun, conditions, allowsNull }: ReferenceCondition,
): Sql {
  const alias = innerAlias(context)
  const target = column(context.noun, field, context.alias)
  const inner = innerFilters(context, noun, conditions)
  const isKey = sql`${column(noun, noun.identity, alias)} = ${target}`
  const targetMatches = sql`exists (
  select 1
  from ${table(noun)} as ${sql.table(alias)}
  where ${all([isKey, ...inner])}
)`
  return allowsNull ? sql`(${target} is null or ${targetMatches})` : targetMatches
}

/**
 * Checked for each entry. `field` has the noun and the ID of the record, such as `user/7`; it is `record`, or `linked` for the
 * second record of a link. An entry about all records has only the name of the noun or link in `record`, and always matches.
 * The `case` keeps PostgreSQL from converting the identities of other nouns.
 */
function currentRecordFilter<Input>(
  context: FilterContext<Input>,
  field: string,
  { entryNoun, noun, conditions }: CurrentRecordCondition,
): Sql {
  const { dialect } = context
  const alias = innerAlias(context)
  const identity = specOf(noun, noun.identity)
  const start = sql.lit(noun.name.length + 2)
  const key = dialect.typed(identity, sql`substr(${column(context.noun, field, context.alias)}, ${start})`)
  const inner = all([sql`${column(noun, noun.identity, alias)} = ${key}`, ...innerFilters(context, noun, conditions)])
  const isAboutOneRecord = sql`${column(context.noun, 'noun', context.alias)} = ${sql.lit(entryNoun)}
    and ${column(context.noun, 'record', context.alias)} <> ${sql.lit(entryNoun)}`
  const from = sql`select 1 from ${table(noun)} as ${sql.table(alias)}`
  const isVisible = sql`exists (${from} where ${inner})`
  const wasVisibleWhenDeleted = deletedRecordFilter(context, field, noun, conditions)
  if (!wasVisibleWhenDeleted) return sql`case when ${isAboutOneRecord} then ${isVisible} else true end`
  const isDeleted = sql`not exists (${from} where ${column(noun, noun.identity, alias)} = ${key})`
  const isOrWasVisible = sql`${isVisible} or (${isDeleted} and ${wasVisibleWhenDeleted})`
  return sql`case when ${isAboutOneRecord} then ${isOrWasVisible} else true end`
}

/** Evaluated before the records: the field is then looked up in its index. */
function relatedFilter<Input>(context: FilterContext<Input>, field: string, condition: RelatedCondition): Sql {
  const { noun, select, conditions, link } = condition
  const { dialect } = context
  const alias = innerAlias(context)
  const inner = innerFilters(context, noun, conditions)
  const whereClause = inner.length === 0 ? sql`` : sql` where ${all(inner)}`
  const selected = sql`select ${column(noun, select, alias)} from ${table(noun)} as ${sql.table(alias)}${whereClause}`
  const target = column(context.noun, field, context.alias)
  if (!link) return dialect.isInQuery(target, selected)
  const otherNoun = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  const pair = `${context.alias}p`
  const isLinked = dialect.isInQuery(pairKey(link, noun, pair), selected)
  const linked = sql`select ${pairKey(link, otherNoun, pair)}
from ${table(link)} as ${sql.table(pair)}
where ${isLinked}`
  return dialect.isInQuery(target, linked)
}

/** The alias of the table of a subquery. It differs from the outer one, because the subquery refers to both. */
function innerAlias({ alias }: { readonly alias: string }): string {
  return `${alias}v`
}

/** The conditions on the records of a subquery. Each run reads their values from the same position of its own plan. */
function innerFilters<Input>(
  context: FilterContext<Input>,
  noun: AnyNoun,
  conditions: readonly Condition[],
): readonly Sql[] {
  const { dialect, read } = context
  return conditions.map((condition, index) => {
    const nested = (input: Input) => {
      const outer = read(input)
      return outer && 'conditions' in outer ? outer.conditions[index] : undefined
    }
    return filter({ dialect, noun, alias: innerAlias(context), read: nested }, condition)
  })
}
