/** Conditions on the records of a table: the filters of a list, and what a caller sees. */
import { type AnyNoun, type FieldSpec, specOf, type Value } from '@nomen/core'
import { fold } from '../fold.ts'
import type { AnyCondition, Condition, ListPlan, PointsCondition, RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { all, any, column, foldedColumn, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** Tells conditions apart that need different statements: what they are on and of which form, not their values. */
export function conditionKey(condition: Condition): string {
  const { kind, fields } = condition
  return `;${kind}:${fields.length === 1 ? fields[0] : fields.join()}:${formOf(condition)}`
}

/** The same for all that a caller sees. */
export function rowFilterKey(rowFilter: RowFilter | undefined): string {
  if (!rowFilter) return ''
  let key = ''
  for (const noun in rowFilter) key += `|${noun}${rowFilter[noun]?.map(conditionKey).join('')}`
  return key
}

function formOf(condition: Condition): string {
  if (condition.kind === 'range')
    return `${condition.from !== undefined ? 'f' : ''}${condition.to !== undefined ? 't' : ''}`
  if (condition.kind === 'search') return `${condition.texts.length}`
  if (condition.kind === 'points')
    return `${condition.isNullFitting ? '0' : ''}(${condition.conditions.map(conditionKey).join('')})`
  if (condition.kind === 'any')
    return `(${condition.alternatives.map((conditions) => conditions.map(conditionKey).join('')).join('/')})`
  const { values } = condition
  if (!values.includes(null)) return values.length > 1 ? 'n' : `${values.length}`
  const numberPresent = values.filter(isPresent).length
  return `${numberPresent > 1 ? 'n' : numberPresent}0`
}

/** Every condition of the plan; that on the driver is written for its index. */
export function filters(dialect: Dialect, plan: ListPlan, driver?: string): readonly Sql[] {
  const { noun } = plan.operation.shape
  return plan.conditions.map((condition, index) =>
    filter({ dialect, noun, alias: 't', driver, read: (one: ListPlan) => one.conditions[index] }, condition),
  )
}

/** What is bound where only some records are seen. */
interface Seeing {
  readonly rowFilter?: RowFilter | undefined
}

/** That the caller sees the record of the table that a query calls by the alias; nothing where all are seen. */
export function visibleWhere(
  dialect: Dialect,
  rowFilter: RowFilter | undefined,
  noun: AnyNoun,
  alias = 't',
): readonly Sql[] {
  const conditions = rowFilter?.[noun.name] ?? []
  return conditions.map((condition, index) =>
    filter({ dialect, noun, alias, read: (one: Seeing) => one.rowFilter?.[noun.name]?.[index] }, condition),
  )
}

/** One filter for each different value of the one condition that there is; null, if it is among them, comes last. */
export function alternativeFilters(dialect: Dialect, plan: ListPlan, count: number): readonly Sql[] {
  const { noun } = plan.operation.shape
  const [field = ''] = plan.conditions[0]?.fields ?? []
  const spec = specOf(noun, field)
  const values = alternativesOf(plan)
  const valueAt = (at: number) =>
    slot<ListPlan>((input) => dialect.columnValue(spec, alternativesOf(input)[at] ?? null))
  return Array.from({ length: count }, (_, at) =>
    values[at] === null ? sql`${column(noun, field)} is null` : sql`${column(noun, field)} = ${valueAt(at)}`,
  )
}

function alternativesOf({ conditions: [condition] }: ListPlan): readonly Value[] {
  const values = condition?.kind === 'equal' ? [...new Set(condition.values)] : []
  return values.includes(null) ? [...values.filter((value) => value !== null), null] : values
}

/** Where a condition stands, and where each run finds its values. */
interface Place<Input> {
  readonly dialect: Dialect
  readonly noun: AnyNoun
  /** What the query calls the table. */
  readonly alias: string
  readonly driver?: string | undefined
  readonly read: (input: Input) => Condition | undefined
}

function filter<Input>(place: Place<Input>, condition: Condition): Sql {
  if (condition.kind === 'any') return anyOf(place, condition)
  return any(condition.fields.map((field) => filterBy(place, field, condition)))
}

/** Nested conditions are found in each run where they were found in the first. */
function anyOf<Input>(place: Place<Input>, { alternatives }: AnyCondition): Sql {
  const nested = (at: number, index: number) => (input: Input) => {
    const outer = place.read(input)
    return outer?.kind === 'any' ? outer.alternatives[at]?.[index] : undefined
  }
  const one = (conditions: readonly Condition[], at: number) =>
    sql`(${all(conditions.map((condition, index) => filter({ ...place, read: nested(at, index) }, condition)))})`
  return any(alternatives.map(one))
}

function filterBy<Input>(place: Place<Input>, field: string, condition: Exclude<Condition, AnyCondition>): Sql {
  switch (condition.kind) {
    case 'equal':
      return equal(place, field, condition.values)
    case 'range':
      return range(place, field, condition)
    case 'search':
      return search(place, field, condition.texts)
    case 'points':
      return points(place, field, condition)
  }
}

function equal<Input>(place: Place<Input>, field: string, values: readonly Value[]): Sql {
  const { dialect, noun, driver } = place
  const spec = specOf(noun, field)
  const target = column(noun, field, place.alias)
  const given = (input: Input) => {
    const condition = place.read(input)
    return condition?.kind === 'equal' ? condition.values : []
  }
  const present = values.filter(isPresent)
  const alternatives: Sql[] = []
  if (present.length === 1) {
    const value = slot<Input>((input) => dialect.columnValue(spec, given(input).find(isPresent) ?? null))
    alternatives.push(dialect.isEqual(spec, target, value, field === driver))
  } else if (present.length > 1) {
    const list = slot<Input>((input) => dialect.listValue(spec, given(input).filter(isPresent)))
    alternatives.push(dialect.isAnyOf(spec, target, list))
  }
  if (present.length < values.length) alternatives.push(sql`${target} is null`)
  return any(alternatives)
}

function isPresent(value: Value): boolean {
  return value !== null
}

function range<Input>({ dialect, noun, alias, read }: Place<Input>, field: string, bounds: FieldRange): Sql {
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

/** One comparison for each text: a list of texts would be taken apart again for every record. */
function search<Input>({ dialect, noun, alias, read }: Place<Input>, field: string, texts: readonly string[]): Sql {
  const target = foldedColumn(noun, field, alias)
  const folded = (at: number) =>
    slot<Input>((input) => {
      const condition = read(input)
      return condition?.kind === 'search' ? fold(condition.texts[at] as string) : null
    })
  return any(texts.map((_, at) => dialect.contains(target, folded(at))))
}

/** Asked record by record: each is found by its identity, however many others would do. */
function points<Input>(place: Place<Input>, field: string, { noun, conditions, isNullFitting }: PointsCondition): Sql {
  const { dialect, read } = place
  // Within the inner table the outer one must still be called by its name.
  const alias = `${place.alias}v`
  const target = column(place.noun, field, place.alias)
  const inner = conditions.map((condition, index) => {
    const nested = (input: Input) => {
      const outer = read(input)
      return outer?.kind === 'points' ? outer.conditions[index] : undefined
    }
    return filter({ dialect, noun, alias, read: nested }, condition)
  })
  const isKey = sql`${column(noun, noun.identity, alias)} = ${target}`
  const isSeen = sql`exists (select 1 from ${table(noun)} as ${sql.table(alias)} where ${all([isKey, ...inner])})`
  return isNullFitting ? sql`(${target} is null or ${isSeen})` : isSeen
}
