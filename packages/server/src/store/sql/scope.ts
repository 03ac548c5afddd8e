/** The way from a record to those above it in the path. */
import { type AnyNoun, type Relation, type Step, specOf } from '@nomen/core'
import type { RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, ancestorKey, column, pairKey, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

interface ScopeOptions {
  /** The reference whose index is to lead the way. */
  readonly driver?: string | undefined
  readonly rowFilter?: RowFilter | undefined
  /** Whether one record is asked for: it is looked up, where a list would rather be led by all that are related. */
  readonly isSingle?: boolean
  /** A condition that is always true, asked by the identities of those that are related. */
  readonly look?: ((identity: Sql) => Sql) | undefined
}

/** That record `t` is related to every ancestor it must be, their identities taken from the plan. */
export function scope(dialect: Dialect, relations: readonly Relation[], options: ScopeOptions = {}): readonly Sql[] {
  return relations.map((relation) => {
    const ancestor = ancestorKey(dialect, relation.steps.at(-1)?.to as AnyNoun, relation.level)
    return relatedTo(dialect, relation, ancestor, options)
  })
}

/** That record `t` is related to an ancestor whose identity is bound, by way of records that the caller sees. */
function relatedTo(dialect: Dialect, { steps }: Relation, ancestor: Sql, options: ScopeOptions): Sql {
  const { driver, rowFilter, isSingle, look } = options
  const [first, ...rest] = steps
  if (first?.kind === 'reference' && rest.length === 0) {
    return dialect.isEqual(
      specOf(first.from, first.field),
      column(first.from, first.field),
      ancestor,
      first.field === driver,
    )
  }
  const tables: Sql[] = []
  const conditions: Sql[] = []
  let selected = sql``
  const own = first ? column(first.from, first.from.identity) : sql``
  let key = own
  steps.forEach((step, index) => {
    const alias = `s${index}`
    const isLink = step.kind === 'link'
    const near = isLink ? pairKey(step.link, step.from, alias) : column(step.from, step.from.identity, alias)
    tables.push(sql`${table(isLink ? step.link : step.from)} as ${sql.table(alias)}`)
    if (index === 0) selected = near
    else conditions.push(sql`${near} = ${key}`, ...between(dialect, step, alias, rowFilter))
    key = isLink ? pairKey(step.link, step.to, alias) : column(step.from, step.field, alias)
  })
  conditions.push(sql`${key} = ${ancestor}`)
  if (isSingle)
    return sql`exists (select 1 from ${sql.join(tables)} where ${all([sql`${selected} = ${own}`, ...conditions])})`
  if (look) conditions.push(look(selected))
  return sql`${own} in (select ${selected} from ${sql.join(tables)} where ${all(conditions)})`
}

/** That the caller sees the record from which a step leads on. A link holds no more of it than its identity. */
function between(dialect: Dialect, step: Step, alias: string, rowFilter: RowFilter | undefined): readonly Sql[] {
  const { kind, from } = step
  const inside = kind === 'link' ? `${alias}v` : alias
  const isSeen = visibleWhere(dialect, rowFilter, from, inside)
  if (step.kind === 'reference' || isSeen.length === 0) return isSeen
  const isKey = sql`${column(from, from.identity, inside)} = ${pairKey(step.link, from, alias)}`
  return [sql`exists (select 1 from ${table(from)} as ${sql.table(inside)} where ${all([isKey, ...isSeen])})`]
}
