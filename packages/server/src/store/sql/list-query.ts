/** The query of a list: one page, its records as JSON text, and the exact number of all records, in one statement. */
import type { FieldSpec, Operation, Relation, Value } from '@nomen/core'
import { specOf } from '@nomen/core'
import { sql } from 'kysely'
import { fold } from '../fold.ts'
import type { Condition, ListPlan } from '../plan.ts'
import type { Dialect, Sql } from './dialect.ts'
import { all, any, column, foldedColumn, recordJson, scope, slot, table } from './fragment.ts'

/** Tells plans apart that need different statements: which conditions there are and of which form, not their values. */
export function listKey({ conditions, include, order, page }: ListPlan): string {
  let key = page ? 'p' : 'a'
  for (const condition of conditions) key += `;${condition.kind}:${condition.fields.join()}:${formOf(condition)}`
  if (include.length > 0) key += ';include'
  for (const { field, isDescending } of order) key += isDescending ? `;-${field}` : `;${field}`
  return key
}

function formOf(condition: Condition): string {
  if (condition.kind === 'range')
    return `${condition.from !== undefined ? 'f' : ''}${condition.to !== undefined ? 't' : ''}`
  if (condition.kind === 'search') return condition.texts.length === 1 ? '1' : 'n'
  const values = condition.values.filter((value) => value !== null)
  const isWithNull = values.length < condition.values.length
  return `${values.length > 1 ? 'n' : values.length}${isWithNull ? '0' : ''}`
}

/** Builds the statement for all plans of the same key. Its columns: number of records, JSON array. */
export function listQuery(dialect: Dialect, plan: ListPlan): Sql {
  const { operation, page } = plan
  const { noun } = operation.shape
  const from = sql`from ${table(noun.name)} as t${where(dialect, plan)}`
  const paging = page
    ? sql`limit ${slot<ListPlan>((one) => one.page?.pageSize)} offset ${slot<ListPlan>(offsetOf)}`
    : sql``
  return sql`select (select count(*) ${from}), ${dialect.array(recordJson(dialect, operation.shape))} from (select ${neededColumns(operation)} ${from} order by ${orderBy(dialect, plan)} ${paging}) as t`
}

/** A page far beyond the end is empty, however large its number. */
function offsetOf({ page }: ListPlan): number {
  return page ? Math.min((page.pageNumber - 1) * page.pageSize, Number.MAX_SAFE_INTEGER) : 0
}

function neededColumns({ shape }: Operation): Sql {
  return sql.join(shape.properties.map(({ field }) => column(field)))
}

function orderBy(dialect: Dialect, { order, operation }: ListPlan): Sql {
  const { noun } = operation.shape
  const { identity } = noun
  const keys = order.map(({ field, isDescending }) => dialect.order(specOf(noun, field), column(field), isDescending))
  const isDecided = order.some(({ field }) => field === identity)
  return sql.join(isDecided ? keys : [...keys, column(identity)])
}

/** (all filters) or identity in (include), always within the ancestors of the path. */
function where(dialect: Dialect, plan: ListPlan): Sql {
  const { noun } = plan.operation.shape
  const relations: readonly Relation[] = plan.operation.levels.at(-1)?.relations ?? []
  const filters = plan.conditions.map((condition, index) => filter(dialect, plan, condition, index))
  const conditions = [...scope(dialect, relations)]
  if (filters.length > 0 && plan.include.length > 0) {
    const spec = specOf(noun, noun.identity)
    const included = dialect.isAnyOf(
      spec,
      column(noun.identity),
      slot<ListPlan>((one) => dialect.listValue(spec, one.include)),
    )
    conditions.push(any([sql`(${all(filters)})`, included]))
  } else conditions.push(...filters)
  // A condition that is always true would make the database count row by row.
  return conditions.length === 0 ? sql`` : sql` where ${all(conditions)}`
}

function filter(dialect: Dialect, plan: ListPlan, condition: Condition, index: number): Sql {
  const { noun } = plan.operation.shape
  return any(
    condition.fields.map((field) => {
      if (condition.kind === 'equal') return equal(dialect, specOf(noun, field), field, condition.values, index)
      if (condition.kind === 'range') return range(dialect, specOf(noun, field), field, condition, index)
      return search(dialect, field, condition.texts, index)
    }),
  )
}

function equal(dialect: Dialect, spec: FieldSpec, field: string, values: readonly Value[], index: number): Sql {
  const given = (plan: ListPlan) => {
    const condition = plan.conditions[index]
    return condition?.kind === 'equal' ? condition.values.filter((value) => value !== null) : []
  }
  const present = values.filter((value) => value !== null)
  const alternatives: Sql[] = []
  if (present.length === 1) {
    alternatives.push(
      sql`${column(field)} = ${slot<ListPlan>((plan) => dialect.columnValue(spec, given(plan)[0] ?? null))}`,
    )
  } else if (present.length > 1) {
    alternatives.push(
      dialect.isAnyOf(
        spec,
        column(field),
        slot<ListPlan>((plan) => dialect.listValue(spec, given(plan))),
      ),
    )
  }
  if (present.length < values.length) alternatives.push(sql`${column(field)} is null`)
  return any(alternatives)
}

function range(
  dialect: Dialect,
  spec: FieldSpec,
  field: string,
  bounds: Condition & { kind: 'range' },
  index: number,
): Sql {
  const bound = (name: 'from' | 'to') =>
    slot<ListPlan>(({ conditions }) => {
      const condition = conditions[index]
      return condition?.kind === 'range' ? dialect.columnValue(spec, condition[name] ?? null) : null
    })
  const conditions: Sql[] = []
  if (bounds.from !== undefined) conditions.push(sql`${column(field)} >= ${bound('from')}`)
  if (bounds.to !== undefined) conditions.push(sql`${column(field)} < ${bound('to')}`)
  return sql`(${all(conditions)})`
}

function search(dialect: Dialect, field: string, texts: readonly string[], index: number): Sql {
  const folded = (plan: ListPlan) => {
    const condition = plan.conditions[index]
    return condition?.kind === 'search' ? condition.texts.map(fold) : []
  }
  const target = column(foldedColumn(field))
  if (texts.length === 1)
    return dialect.contains(
      target,
      slot<ListPlan>((plan) => folded(plan)[0]),
    )
  return dialect.containsAny(
    target,
    slot<ListPlan>((plan) => dialect.listValue({ kind: 'text' }, folded(plan))),
  )
}
