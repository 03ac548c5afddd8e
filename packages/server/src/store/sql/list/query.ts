/** The query of a list: one page as a JSON string and the exact total, in one statement. */
import { type Relation, specOf } from '@nomen/core'
import type { ListPlan } from '../../plan.ts'
import { conditionKey, rowFilterKey } from '../condition-key.ts'
import type { Dialect } from '../dialect.ts'
import { filters, valueFilters, visibleWhere } from '../filter.ts'
import { all, column, slot, table } from '../fragment.ts'
import { recordJson } from '../record-json.ts'
import { type RelationPart, relationConditions, relationParts } from '../relation.ts'
import { type Sql, sql } from '../sql.ts'
import { deepPage, deepPageTables } from './deep-page.ts'
import type { CountingQuery, ListOptions, PlannerHints } from './options.ts'
import { orderBy, sortedColumns } from './order.ts'
import {
  asBigint,
  directionOf,
  hasInclude,
  type ListInput,
  offsetOf,
  recordsToRead,
  recordsToSkip,
  reversed,
} from './page.ts'

/** The cache key of a list statement: its conditions and their form, but not their values. */
export function listKey({ conditions, include, order, page, isCounted, rowFilter, unlabelled }: ListPlan): string {
  let key = page ? 'p' : 'a'
  if (isCounted === false) key += ';uncounted'
  for (const condition of conditions) key += conditionKey(condition)
  if (rowFilter) key += rowFilterKey(rowFilter)
  if (unlabelled) key += `;unlabelled:${unlabelled.join()}`
  if (include.length > 0) key += ';include'
  for (const { field, isDescending } of order) key += isDescending ? `;-${field}` : `;${field}`
  return key
}

/** Builds the statement for all plans with the same key. Columns: number of records, JSON array. */
export function listQuery(dialect: Dialect, plan: ListPlan, options: ListOptions = {}): Sql {
  const isDeep = options.isDeep === true && !options.counting?.pageStart
  const context: ListContext = { ...options, isDeep, dialect, plan }
  const record = recordJson(dialect, plan.operation.shape, plan)
  const json = dialect.array(record, options.guard?.show(identityOf(plan)))
  if (!plan.page && !hasInclude(plan)) return sql`select count(*), ${json} from (${pageQuery(context)}) as t`
  if (hasInclude(plan)) return pageWithIncluded(context, json)
  return sql`${withClause(startClause(context))}select ${totalExpression(context)}, ${json}
${fromPage(context, pageQuery(context))}`
}

/** The input of the query builder. */
interface ListContext extends ListOptions {
  readonly dialect: Dialect
  readonly plan: ListPlan
}

/** The records of a page as table `t`. If the page contains only identities, the records are read here. */
function fromPage(context: ListContext, page: Sql): Sql {
  if (!readsIdentitiesFirst(context)) return sql`from (${page}) as t`
  const { dialect, plan } = context
  const { noun } = plan.operation.shape
  const isSame = sql`${column(noun, noun.identity)} = ${column(noun, noun.identity, 'page')}`
  // A cross join of SQLite keeps the order of its left side.
  if (dialect.readsIdentitiesFirst) return sql`from (${page}) as page\ncross join ${table(noun)} as t on ${isSame}`
  // Without the offset, a planner that does not know the page size may read the whole table for a hash join.
  return sql`from (
  select ${columnsOf(plan, shownFields(plan))} from (${page}) as page
  cross join lateral (select * from ${table(noun)} as t where ${isSame} offset 0) as t
  order by ${orderBy(dialect, plan)}
) as t`
}

function readsIdentitiesFirst({ dialect, plan, isDeep = false }: ListContext): boolean {
  return (dialect.readsIdentitiesFirst || isDeep) && plan.page !== undefined
}

function totalExpression(context: ListContext): Sql {
  if (context.plan.isCounted === false) return sql.lit(0)
  return context.isDeep ? deepPage.total : countedTotal(context)
}

function countedTotal(context: ListContext): Sql {
  const { counting } = context
  return counting ? resolveCount(context, counting.total) : sql`(${countSelect(context)})`
}

function resolveCount(context: ListContext, query: Sql | CountingQuery): Sql {
  return typeof query === 'function' ? query((conditions) => sql`(${countSelect(context, conditions)})`) : query
}

function countSelect(context: ListContext, conditions: readonly Sql[] = []): Sql {
  const allConditions = [...conditions, ...filters(context.dialect, context.plan)]
  const parts = partsOf(context)
  if (!parts) return sql`select count(*) ${fromClause(context, allConditions)}`
  const counts = parts.map((part) => sql`(select count(*) ${fromClause(context, allConditions, part)})`)
  return sql`select ${sql.join(counts, sql` + `)}`
}

function partsOf({ dialect, plan }: ListContext): readonly RelationPart[] | undefined {
  return relationParts(dialect, plan.operation.levels.at(-1)?.relations ?? [])
}

/** The number of all matching records, without included ones. */
export function countQuery(dialect: Dialect, plan: ListPlan): Sql {
  return countSelect({ dialect, plan })
}

/** The matching records below the ancestors of the path; with a part, only those that are related by it. */
function fromClause({ dialect, plan, guard, hints }: ListContext, filters: readonly Sql[], part?: RelationPart): Sql {
  const { operation, rowFilter } = plan
  const relations: readonly Relation[] = operation.levels.at(-1)?.relations ?? []
  const options = { drivingField: hints?.drivingField, rowFilter, check: guard?.check }
  const related = part ? [part.condition] : relationConditions(dialect, relations, options)
  // First, so that records that do not match check the clock too.
  const checks = guard ? [...(guard.check ? [guard.check(identityOf(plan))] : []), ...guard.shortTexts] : []
  const conditions = [...checks, ...related, ...filters]
  // A condition that is always true would prevent the use of an index.
  const whereClause = conditions.length === 0 ? sql`` : sql` where ${all(conditions)}`
  return sql`from ${table(operation.shape.noun)} as t${whereClause}`
}

/** SQLite allows at most 500 selects in one statement. */
const maxAlternatives = 400

/** The records of the page, in their order. */
function pageQuery(context: ListContext): Sql {
  const { dialect, plan, counting, hints, isDeep } = context
  if (!plan.page) return orderedQuery(context, plan, filters(dialect, plan))
  const size = slot<ListInput>(recordsToRead)
  const skip = counting?.pageStart?.skip ?? slot<ListInput>(recordsToSkip)
  if (hints) return hintedQuery(context, hints, skip)
  if (!isDeep) return limitedQuery(context, plan, asBigint(size), asBigint(skip))
  const ends = [
    limitedQuery(context, plan, deepPage.fromStart, deepPage.before),
    limitedQuery(context, reversed(plan), deepPage.fromEnd, deepPage.after),
  ]
  return sql`select *
from (${sql.join(
    ends.map((query) => sql`select * from (${query}) as t`),
    sql` union all `,
  )}) as t
order by ${orderBy(dialect, plan)}`
}

/** This many records in the order of the plan, after the skipped ones. */
function limitedQuery(context: ListContext, ordered: ListPlan, size: Sql, skip: Sql): Sql {
  const { dialect, plan, counting } = context
  const alternatives =
    partsOf(context)?.map((part) => orderedQuery(context, ordered, filters(dialect, plan), part)) ??
    (counting?.alternatives && counting.alternatives <= maxAlternatives
      ? valueFilters(dialect, plan, counting.alternatives).map((filter) => orderedQuery(context, ordered, [filter]))
      : undefined)
  const limit = sql` limit ${size} offset ${skip}`
  if (!alternatives) return sql`${orderedQuery(context, ordered, filters(dialect, plan))}${limit}`
  // Each alternative is ordered in its index, but their union is not.
  const limited = alternatives.map((query) => sql`select * from (${query} limit ${size} + ${skip}) as t`)
  return sql`select *
from (${sql.join(limited, sql` union all `)}) as t
order by ${orderBy(dialect, ordered)}${limit}`
}

/** The matching records from the start of the page on, in the order of the plan. */
function orderedQuery(context: ListContext, ordered: ListPlan, conditions: readonly Sql[], part?: RelationPart): Sql {
  const { dialect, plan, counting } = context
  const bound = counting?.pageStart ? [fromStart(plan, counting.pageStart.start)] : []
  return sql`select ${neededColumns(context)} ${fromClause(context, [...conditions, ...bound], part)}
order by ${orderInIndex(dialect, ordered, part?.field)}`
}

/** The order of a list whose records all have the same value in a field; an order by identity is then that of the field's index. */
function orderInIndex(dialect: Dialect, plan: ListPlan, field: string | undefined): Sql {
  const { noun } = plan.operation.shape
  const direction = directionOf(plan)
  if (field === undefined || !direction) return orderBy(dialect, plan)
  const first = dialect.order(specOf(noun, field), column(noun, field), direction === 'backward')
  return sql`${first}, ${orderBy(dialect, plan)}`
}

/** Like `pageQuery`, with a literal limit for the planner, and in the order of the driving index. */
function hintedQuery(context: ListContext, { size, maxOffset, drivingField }: PlannerHints, skip: Sql): Sql {
  const { dialect, plan, counting } = context
  const bound = counting?.pageStart ? [fromStart(plan, counting.pageStart.start)] : []
  const limited = sql`select ${neededColumns(context)}
${fromClause(context, [...filters(dialect, plan, drivingField), ...bound])}
order by ${orderInIndex(dialect, plan, drivingField)}
limit ${sql.lit(maxOffset + size)}`
  return maxOffset === 0 ? limited : sql`select * from (${limited}) as t limit ${sql.lit(size)} offset ${skip}`
}

function fromStart(plan: ListPlan, start: Sql): Sql {
  const identity = identityOf(plan)
  return directionOf(plan) === 'backward' ? sql`${identity} <= ${start}` : sql`${identity} >= ${start}`
}

/**
 * The page with included records. An `or` in a condition would prevent the use of indexes. So included records that do
 * not match are looked up separately, and merged into the order.
 */
function pageWithIncluded(context: ListContext, json: Sql): Sql {
  const { dialect, plan } = context
  const identity = identityOf(plan)
  const isOther = sql`(${all(filters(dialect, plan))}) is not true`
  const isVisible = visibleWhere(dialect, plan.rowFilter, plan.operation.shape.noun)
  const extraConditions = [isIncluded(dialect, plan), isOther, ...isVisible]
  const extra = sql`select ${neededColumns(context)} ${fromClause(context, extraConditions)}`
  const isFirst = asBigint(slot<ListInput>((input) => Number(recordsToSkip(input) === 0)))
  const isBackward = directionOf(plan) === 'backward'
  const edge = sql`(
  select ${identity}
  from _matching as t
  order by ${isBackward ? sql`${identity} desc` : identity}
  limit 1
)`
  const isBefore = isBackward ? sql`${identity} > ${edge}` : sql`${identity} < ${edge}`
  const isAfter = isBackward ? sql`${identity} < ${edge}` : sql`${identity} > ${edge}`
  const offset = asBigint(slot<ListInput>((plan) => offsetOf(plan) - recordsToSkip(plan)))
  const pageOffset = sql`${offset} - case
  when ${isFirst} = 1 then 0
  else (select count(*) from _extra as t where ${isBefore})
end`
  const paging = plan.page
    ? sql` limit ${asBigint(slot<ListInput>((input) => input.page?.pageSize))} offset ${asBigint(pageOffset)}`
    : sql``
  const page = sql`select *
from (
  select * from _matching
  union all
  select * from _extra as t where ${isFirst} = 1 or ${isAfter}
) as t
order by ${orderBy(dialect, plan)}${paging}`
  const tables = [...startClause(context), sql`_matching as (${pageQuery(context)})`, sql`_extra as (${extra})`]
  return sql`${withClause(tables)}select ${totalExpression(context)} + (select count(*) from _extra), ${json}
${fromPage(context, page)}`
}

/** The tables by which the statement finds the start of a page. */
function startClause(context: ListContext): readonly Sql[] {
  if (context.isDeep) return deepPageTables(countedTotal(context))
  const source = context.counting?.pageStart?.source
  return source ? [sql`_place as materialized (${resolveCount(context, source)})`] : []
}

/** The `with` clause of a statement. */
function withClause(queries: readonly Sql[]): Sql {
  return queries.length === 0 ? sql`` : sql`with ${sql.join([...queries])} `
}

function identityOf({ operation }: ListPlan): Sql {
  const { noun } = operation.shape
  return column(noun, noun.identity)
}

/** The sorted columns, and the shown ones, unless these are read later. */
function neededColumns(context: ListContext): Sql {
  return columnsOf(context.plan, readsIdentitiesFirst(context) ? [] : shownFields(context.plan))
}

function shownFields({ operation }: ListPlan): readonly string[] {
  return operation.shape.properties.map(({ field }) => field)
}

/** These fields, the sorted columns and the identity. */
function columnsOf(plan: ListPlan, shown: readonly string[]): Sql {
  const { noun } = plan.operation.shape
  const { fields, keys } = sortedColumns(plan)
  const columns = [...new Set([...shown, ...fields, noun.identity])].map((field) => column(noun, field))
  return sql.join([...columns, ...keys])
}

function isIncluded(dialect: Dialect, { operation }: ListPlan): Sql {
  const { noun } = operation.shape
  const spec = specOf(noun, noun.identity)
  const list = slot<ListInput>((input) => dialect.listValue(spec, input.include))
  return dialect.isAnyOf(spec, column(noun, noun.identity), list)
}
