/** The filters of a list as conditions on its table. */
import { type FieldSpec, specOf, type Value } from '@nomen/core'
import { fold } from '../fold.ts'
import type { Condition, ListPlan } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { all, any, column, foldedColumn, slot } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** Every condition of the plan; that on the driver is written for its index. */
export function filters(dialect: Dialect, plan: ListPlan, driver?: string): readonly Sql[] {
  return plan.conditions.map((condition, index) => filter(dialect, plan, condition, index, driver))
}

/** One filter for each different value of the one condition that there is; null, if it is among them, comes last. */
export function alternativeFilters(dialect: Dialect, plan: ListPlan, count: number): readonly Sql[] {
  const { noun } = plan.operation.shape
  const [field = ''] = plan.conditions[0]?.fields ?? []
  const spec = specOf(noun, field)
  const values = alternativesOf(plan)
  return Array.from({ length: count }, (_, at) =>
    values[at] === null
      ? sql`${column(field)} is null`
      : sql`${column(field)} = ${slot<ListPlan>((one) => dialect.columnValue(spec, alternativesOf(one)[at] ?? null))}`,
  )
}

function alternativesOf({ conditions: [condition] }: ListPlan): readonly Value[] {
  const values = condition?.kind === 'equal' ? [...new Set(condition.values)] : []
  return values.includes(null) ? [...values.filter((value) => value !== null), null] : values
}

function filter(
  dialect: Dialect,
  plan: ListPlan,
  condition: Condition,
  index: number,
  driver: string | undefined,
): Sql {
  const { noun } = plan.operation.shape
  return any(
    condition.fields.map((field) => {
      if (condition.kind === 'equal')
        return equal(dialect, specOf(noun, field), field, condition.values, index, field === driver)
      if (condition.kind === 'range') return range(dialect, specOf(noun, field), field, condition, index)
      return search(dialect, field, condition.texts, index)
    }),
  )
}

function equal(
  dialect: Dialect,
  spec: FieldSpec,
  field: string,
  values: readonly Value[],
  index: number,
  isDriving: boolean,
): Sql {
  const given = (plan: ListPlan) => {
    const condition = plan.conditions[index]
    return condition?.kind === 'equal' ? condition.values.filter((value) => value !== null) : []
  }
  const present = values.filter((value) => value !== null)
  const alternatives: Sql[] = []
  if (present.length === 1) {
    alternatives.push(
      dialect.isEqual(
        spec,
        column(field),
        slot<ListPlan>((plan) => dialect.columnValue(spec, given(plan)[0] ?? null)),
        isDriving,
      ),
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
