/** Pieces of SQL that several queries share: names, bound values, records as JSON, and the way to an ancestor. */
import { type AnyNoun, type Property, type Relation, type Shape, specOf, type Value } from '@nomen/core'
import type { Dialect } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/** Reads one bound value from a plan. It stands among the compiled statement's parameters until the statement runs. */
export interface Slot<Plan> {
  readonly read: (plan: Plan) => unknown
}

/** A place in a statement whose value each run takes from its plan. */
export function slot<Plan>(read: Slot<Plan>['read']): Sql {
  return sql.val({ read })
}

/** Reads the bound values of a compiled statement from an input, in their order. */
export function binder<Input>(parameters: readonly unknown[]): (input: Input) => unknown[] {
  return (input) => parameters.map((parameter) => (isSlot<Input>(parameter) ? parameter.read(input) : parameter))
}

function isSlot<Input>(parameter: unknown): parameter is Slot<Input> {
  return typeof parameter === 'object' && parameter !== null && 'read' in parameter
}

export function table(name: string): Sql {
  return sql.table(name)
}

/** The column of a field in the table that a query calls `t`. */
export function column(field: string, alias = 't'): Sql {
  return sql.ref(`${alias}.${field}`)
}

/** The name of the column that holds a searched field's folded text. */
export function foldedColumn(field: string): string {
  return `${field}_folded`
}

/** The record of table `t` in a shape, as JSON text. */
export function recordJson(dialect: Dialect, shape: Shape, alias = 't'): Sql {
  return dialect.object(
    shape.properties.map((property) => ({ name: property.name, value: shownValue(dialect, property, alias) })),
  )
}

function shownValue(dialect: Dialect, { field, spec, label }: Property, alias: string): Sql {
  if (!label) return dialect.wire(spec, column(field, alias))
  const parts = label.fields.map((name) => column(name, 'label'))
  const text = parts.length === 1 ? parts[0] : dialect.joined(parts)
  return sql`(select ${text} from ${table(label.noun.name)} as label where ${column(label.noun.identity, 'label')} = ${column(field, alias)})`
}

/** That record `t` is related to an ancestor whose identity is bound. */
function relatedTo(dialect: Dialect, { steps }: Relation, ancestor: Sql, driver: string | undefined): Sql {
  const [first, ...rest] = steps
  if (first?.kind === 'reference' && rest.length === 0) {
    return dialect.isEqual(specOf(first.from, first.field), column(first.field), ancestor, first.field === driver)
  }
  const tables: Sql[] = []
  const conditions: Sql[] = []
  let selected: Sql | undefined
  let key = column(first?.from.identity ?? '')
  steps.forEach((step, index) => {
    const alias = `s${index}`
    const holder = step.kind === 'link' ? step.link.name : step.from.name
    const near = step.kind === 'link' ? step.from.name : step.from.identity
    const far = step.kind === 'link' ? step.to.name : step.field
    tables.push(sql`${table(holder)} as ${sql.ref(alias)}`)
    if (index === 0) selected = column(near, alias)
    else conditions.push(sql`${column(near, alias)} = ${key}`)
    key = column(far, alias)
  })
  conditions.push(sql`${key} = ${ancestor}`)
  return sql`${column(first?.from.identity ?? '')} in (select ${selected} from ${sql.join(tables)} where ${all(conditions)})`
}

/** That record `t` is related to every ancestor it must be, their identities taken from the plan. */
export function scope(dialect: Dialect, relations: readonly Relation[], driver?: string): readonly Sql[] {
  return relations.map((relation) => {
    const ancestor = ancestorKey(dialect, relation.steps.at(-1)?.to as AnyNoun, relation.level)
    return relatedTo(dialect, relation, ancestor, driver)
  })
}

/** The identity of the ancestor at a level of the path. */
export function ancestorKey(dialect: Dialect, noun: AnyNoun, level: number): Sql {
  const spec = specOf(noun, noun.identity)
  return slot<{ readonly ancestors: readonly Value[] }>(({ ancestors }) =>
    dialect.columnValue(spec, ancestors[level] ?? null),
  )
}

export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 1` : sql.join([...conditions], sql` and `)
}

export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join([...conditions], sql` or `)})`
}
