/** The relation of a record to its ancestors in the path. */
import { type AnyNoun, change, type Relation, type Step, specOf, type Value } from '@nomen/core'
import type { RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, ancestorKey, any, column, pairKey, slot, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

interface RelationOptions {
  /** The reference whose index the planner should use. */
  readonly drivingField?: string | undefined
  readonly rowFilter?: RowFilter | undefined
  /** Whether one record is read: it is looked up, whereas a list starts from all related records. */
  readonly isSingle?: boolean
  /** A condition that is always true, evaluated for the identities of related records. */
  readonly check?: ((identity: Sql) => Sql) | undefined
}

/** Conditions that record `t` is related to each of its ancestors, whose identities come from the plan. */
export function relationConditions(
  dialect: Dialect,
  relations: readonly Relation[],
  options: RelationOptions = {},
): readonly Sql[] {
  return relations.map((relation) => {
    const { steps, history, level } = relation
    if (history) return any(changesOf(dialect, history, level))
    const ancestor = ancestorKey(dialect, steps.at(-1)?.to as AnyNoun, level)
    return relatedTo(dialect, relation, ancestor, options)
  })
}

/** The condition that record `t` is related to an ancestor through records that the caller sees. */
function relatedTo(dialect: Dialect, { steps }: Relation, ancestor: Sql, options: RelationOptions): Sql {
  const { drivingField, rowFilter, isSingle, check } = options
  const [first, ...others] = steps
  if (first?.kind === 'reference' && others.length === 0) {
    return dialect.isEqual(
      specOf(first.from, first.field),
      column(first.from, first.field),
      ancestor,
      first.field === drivingField,
    )
  }
  const tables: Sql[] = []
  const conditions: Sql[] = []
  let selected = sql``
  const identity = first ? column(first.from, first.from.identity) : sql``
  let key = identity
  steps.forEach((step, index) => {
    const alias = `s${index}`
    const isLink = step.kind === 'link'
    const ownKey = isLink ? pairKey(step.link, step.from, alias) : column(step.from, step.from.identity, alias)
    tables.push(sql`${table(isLink ? step.link : step.from)} as ${sql.table(alias)}`)
    if (index === 0) selected = ownKey
    else conditions.push(sql`${ownKey} = ${key}`, ...visibleBetween(dialect, step, alias, rowFilter))
    key = isLink ? pairKey(step.link, step.to, alias) : column(step.from, step.field, alias)
  })
  conditions.push(sql`${key} = ${ancestor}`)
  if (isSingle)
    return sql`exists (select 1 from ${sql.join(tables)} where ${all([sql`${selected} = ${identity}`, ...conditions])})`
  if (check) conditions.push(check(selected))
  return sql`${identity} in (select ${selected} from ${sql.join(tables)} where ${all(conditions)})`
}

/** A field whose index leads to related records, and the condition of the relation by this field alone. */
export interface RelationPart {
  readonly field: string
  readonly condition: Sql
}

/** The relation of history entries in parts, each with an index, which have no entry in common; undefined for other relations. */
export function relationParts(dialect: Dialect, relations: readonly Relation[]): readonly RelationPart[] | undefined {
  const [relation, ...others] = relations
  if (!relation?.history || others.length > 0) return undefined
  const [ofRecord, ofLink] = changesOf(dialect, relation.history, relation.level)
  return [
    { field: 'record', condition: ofRecord },
    { field: 'linked', condition: sql`(${ofLink} and not ${ofRecord})` },
  ]
}

/** The conditions that the history entry `t` is about an ancestor, and that it is about a link of it. */
function changesOf(dialect: Dialect, { name }: AnyNoun, level: number): readonly [ofRecord: Sql, ofLink: Sql] {
  const record = slot<{ readonly ancestors: readonly Value[] }>(({ ancestors }) => `${name}/${ancestors[level]}`)
  const isSame = (field: string) =>
    sql`(${dialect.isEqual(specOf(change, field), column(change, field), record, true)})`
  return [isSame('record'), isSame('linked')]
}

/** The conditions that the caller sees an intermediate record. A link contains only its identity. */
function visibleBetween(dialect: Dialect, step: Step, alias: string, rowFilter: RowFilter | undefined): readonly Sql[] {
  const { kind, from } = step
  const inside = kind === 'link' ? `${alias}v` : alias
  const isVisible = visibleWhere(dialect, rowFilter, from, inside)
  if (step.kind === 'reference' || isVisible.length === 0) return isVisible
  const isKey = sql`${column(from, from.identity, inside)} = ${pairKey(step.link, from, alias)}`
  return [sql`exists (select 1 from ${table(from)} as ${sql.table(inside)} where ${all([isKey, ...isVisible])})`]
}
