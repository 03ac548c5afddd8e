/** The way from a record to those above it in the path. */
import { type AnyNoun, type Relation, type Step, specOf } from '@nomen/core'
import type { Sight } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { inSight } from './filter.ts'
import { all, ancestorKey, column, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

interface ScopeOptions {
  /** The reference whose index is to lead the way. */
  readonly driver?: string | undefined
  readonly sight?: Sight | undefined
}

/** That record `t` is related to every ancestor it must be, their identities taken from the plan. */
export function scope(dialect: Dialect, relations: readonly Relation[], options: ScopeOptions = {}): readonly Sql[] {
  return relations.map((relation) => {
    const ancestor = ancestorKey(dialect, relation.steps.at(-1)?.to as AnyNoun, relation.level)
    return relatedTo(dialect, relation, ancestor, options)
  })
}

/** That record `t` is related to an ancestor whose identity is bound, by way of records that the caller sees. */
function relatedTo(dialect: Dialect, { steps }: Relation, ancestor: Sql, { driver, sight }: ScopeOptions): Sql {
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
    else conditions.push(sql`${column(near, alias)} = ${key}`, ...between(dialect, step, alias, sight))
    key = column(far, alias)
  })
  conditions.push(sql`${key} = ${ancestor}`)
  return sql`${column(first?.from.identity ?? '')} in (select ${selected} from ${sql.join(tables)} where ${all(conditions)})`
}

/** That the caller sees the record from which a step leads on. A link holds no more of it than its identity. */
function between(dialect: Dialect, { kind, from }: Step, alias: string, sight: Sight | undefined): readonly Sql[] {
  const inside = kind === 'link' ? `${alias}v` : alias
  const isSeen = inSight(dialect, sight, from, inside)
  if (kind === 'reference' || isSeen.length === 0) return isSeen
  const isKey = sql`${column(from.identity, inside)} = ${column(from.name, alias)}`
  return [sql`exists (select 1 from ${table(from.name)} as ${sql.ref(inside)} where ${all([isKey, ...isSeen])})`]
}
