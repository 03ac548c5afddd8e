/** The query of a list: one page, its records as JSON text, and the exact number of all records, in one statement. */
import type { Relation, Value } from '@nomen/core'
import { specOf } from '@nomen/core'
import type { ListPlan } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { alternativeFilters, conditionKey, filters, rowFilterKey, visibleWhere } from './filter.ts'
import { all, column, slot, table } from './fragment.ts'
import { recordJson } from './record-json.ts'
import { scope } from './scope.ts'
import { type Sql, sql } from './sql.ts'

/** Tells plans apart that need different statements: which conditions there are and of which form, not their values. */
export function listKey({ conditions, include, order, page, rowFilter, unlabelled }: ListPlan): string {
  let key = page ? 'p' : 'a'
  for (const condition of conditions) key += conditionKey(condition)
  if (rowFilter) key += rowFilterKey(rowFilter)
  if (unlabelled) key += `;unlabelled:${unlabelled.join()}`
  if (include.length > 0) key += ';include'
  for (const { field, isDescending } of order) key += isDescending ? `;-${field}` : `;${field}`
  return key
}

/** Where a page begins: the records from an identity on, or down from it where the order is the other way round. */
export interface Place {
  readonly start: Value
  /** How many of those records come before the page. */
  readonly rest: number
}

/** What a list's statement is bound to. */
export interface ListInput extends ListPlan {
  readonly place?: Place
  /** The number of records that fit, where that is known. */
  readonly total?: number
}

/** What is known of the records that fit without counting them one by one. */
export interface Counting {
  /** Their number. */
  readonly total: Sql
  /** Which values of the one filter there are, each to be looked up for itself; absent where there is one at most. */
  readonly alternatives?: number
  /** Where the page begins; without it, records are passed over from the first one on. `source` is a query of its own. */
  readonly place?: { readonly start: Sql; readonly rest: Sql; readonly source?: Sql }
}

/** How a list is to be read. */
export interface ListOptions {
  readonly counting?: Counting | undefined
  readonly steering?: Steering | undefined
  readonly guard?: Guard | undefined
}

/** Conditions that are always true, asked on the way through the records, so that a statement can be stopped. */
export interface Guard {
  /** Asked of the records that are looked at, by their identity; absent where these are few. */
  readonly look?: (identity: Sql) => Sql
  /** Asked of the records that are shown, each before it is written. */
  readonly show: (identity: Sql) => Sql
  /** Asked of every record `t` before its texts are searched. */
  readonly shortTexts: readonly Sql[]
}

/** For a database that plans statements before it knows their values: what these will be. */
export interface Steering {
  /** The number of records on the page. */
  readonly size: number
  /** How many records come before the page at most. */
  readonly reach: number
  /** The one field that is filtered by, whose index holds the list in its order. */
  readonly driver?: string
}

/** The way through the records in the order of their identities; undefined where another property comes first. */
export function directionOf({ order, operation }: ListPlan): 'forward' | 'backward' | undefined {
  const [first] = order
  if (first === undefined) return 'forward'
  if (first.field !== operation.shape.noun.identity) return undefined
  return first.isDescending ? 'backward' : 'forward'
}

/** How many records come before those that the statement reads; included ones may push others onto the page. */
export function passedOver(plan: ListPlan): number {
  if (!isIncluding(plan)) return offsetOf(plan)
  return directionOf(plan) ? Math.max(0, offsetOf(plan) - plan.include.length) : 0
}

/** Builds the statement for all plans of the same key. Its columns: number of records, JSON array. */
export function listQuery(dialect: Dialect, plan: ListPlan, options: ListOptions = {}): Sql {
  const form: Form = { ...options, dialect, plan }
  const record = recordJson(dialect, plan.operation.shape, plan)
  const json = dialect.array(record, options.guard?.show(identityOf(plan)))
  if (!plan.page && !isIncluding(plan)) return sql`select count(*), ${json} from (${matching(form)}) as t`
  if (isIncluding(plan)) return including(form, json)
  return sql`${named(placed(form))}select ${total(form)}, ${json} ${shown(form, matching(form))}`
}

/** What a statement is built from. */
interface Form extends ListOptions {
  readonly dialect: Dialect
  readonly plan: ListPlan
}

/** The records of a page as table `t`. Where the page holds no more than their identities, they are read only now. */
function shown({ dialect, plan }: Form, page: Sql): Sql {
  if (!isFoundFirst(dialect, plan)) return sql`from (${page}) as t`
  const { noun } = plan.operation.shape
  // A cross join keeps the order of what stands first.
  return sql`from (${page}) as page
cross join ${table(noun)} as t on ${column(noun, noun.identity)} = ${column(noun, noun.identity, 'page')}`
}

function isFoundFirst(dialect: Dialect, { page }: ListPlan): boolean {
  return dialect.findsFirst && page !== undefined
}

function total({ counting, ...form }: Form): Sql {
  return counting?.total ?? sql`(${counted(form)})`
}

function counted(form: Form): Sql {
  return sql`select count(*) ${rows(form, filters(form.dialect, form.plan))}`
}

/** The number of all records that fit, whatever is included. */
export function countQuery(dialect: Dialect, plan: ListPlan): Sql {
  return counted({ dialect, plan })
}

/** The records of the path's ancestors that fit. */
function rows({ dialect, plan, guard, steering }: Form, fitting: readonly Sql[]): Sql {
  const { operation, rowFilter } = plan
  const relations: readonly Relation[] = operation.levels.at(-1)?.relations ?? []
  const related = scope(dialect, relations, { driver: steering?.driver, rowFilter, look: guard?.look })
  // Before all others, so that also those records ask which do not fit.
  const asking = guard ? [...(guard.look ? [guard.look(identityOf(plan))] : []), ...guard.shortTexts] : []
  const conditions = [...asking, ...related, ...fitting]
  // A condition that is always true would make the database look at every row.
  const where = conditions.length === 0 ? sql`` : sql` where ${all(conditions)}`
  return sql`from ${table(operation.shape.noun)} as t${where}`
}

/** The records of the page, in their order. */
function matching(form: Form): Sql {
  const { dialect, plan, counting } = form
  const size = slot<ListInput>(sizeOf)
  const rest = counting?.place?.rest ?? slot<ListInput>(passedOver)
  const bound = counting?.place ? [beyond(plan, counting.place.start)] : []
  const ordered = (fitting: readonly Sql[]) =>
    sql`select ${neededColumns(form)} ${rows(form, [...fitting, ...bound])} order by ${orderBy(dialect, plan)}`
  if (!plan.page) return ordered(filters(dialect, plan))
  if (form.steering) return steeredQuery(form, form.steering, rest, bound)
  if (!counting?.alternatives) return sql`${ordered(filters(dialect, plan))}${window(size, rest)}`
  // Each alternative is in order in its index; all of them together are in none.
  const each = alternativeFilters(dialect, plan, counting.alternatives).map(
    (filter) => sql`select * from (${ordered([filter])} limit ${whole(size)} + ${whole(rest)}) as t`,
  )
  return sql`select *
from (${sql.join(each, sql` union all `)}) as t
order by ${orderBy(dialect, plan)}${window(size, rest)}`
}

/** The same, with a limit that a planner can count on, and in the order of the index that is to lead the way. */
function steeredQuery(form: Form, { size, reach, driver }: Steering, rest: Sql, bound: readonly Sql[]): Sql {
  const { dialect, plan } = form
  const { noun } = plan.operation.shape
  const lead = driver === undefined ? [] : [dialect.order(specOf(noun, driver), column(noun, driver), false)]
  const order = sql.join([...lead, orderBy(dialect, plan)])
  const within = sql`select ${neededColumns(form)}
${rows(form, [...filters(dialect, plan, driver), ...bound])}
order by ${order}
limit ${sql.lit(reach + size)}`
  return reach === 0 ? within : sql`select * from (${within}) as t limit ${sql.lit(size)} offset ${rest}`
}

/** SQLite would plan the statement anew at every run for a bare parameter here, to know its value: twice the work of a page. */
function window(size: Sql, rest: Sql): Sql {
  return sql` limit ${whole(size)} offset ${whole(rest)}`
}

/** A bound number that is counted with: a database may not see by itself that it is one. */
function whole(number: Sql): Sql {
  return sql`cast(${number} as bigint)`
}

function beyond(plan: ListPlan, start: Sql): Sql {
  const identity = identityOf(plan)
  return directionOf(plan) === 'backward' ? sql`${identity} <= ${start}` : sql`${identity} >= ${start}`
}

/**
 * The page with the included records among the others. No condition has an `or` in it, which would keep the database
 * from its indexes: the included ones that do not fit by themselves are looked up apart, and put where they belong.
 */
function including(form: Form, json: Sql): Sql {
  const { dialect, plan } = form
  const identity = identityOf(plan)
  const isOther = sql`(${all(filters(dialect, plan))}) is not true`
  const isSeen = visibleWhere(dialect, plan.rowFilter, plan.operation.shape.noun)
  const extra = sql`select ${neededColumns(form)} ${rows(form, [included(dialect, plan), isOther, ...isSeen])}`
  const isFirst = whole(slot<ListInput>((one) => Number(passedOver(one) === 0)))
  const isBackward = directionOf(plan) === 'backward'
  const edge = sql`(
  select ${identity}
  from _fitting as t
  order by ${isBackward ? sql`${identity} desc` : identity}
  limit 1
)`
  const isBefore = isBackward ? sql`${identity} > ${edge}` : sql`${identity} < ${edge}`
  const isAfter = isBackward ? sql`${identity} < ${edge}` : sql`${identity} > ${edge}`
  const offset = whole(slot<ListInput>((plan) => offsetOf(plan) - passedOver(plan)))
  const passed = sql`${offset} - case
  when ${isFirst} = 1 then 0
  else (select count(*) from _extra as t where ${isBefore})
end`
  const paging = plan.page
    ? window(
        slot<ListInput>((one) => one.page?.pageSize),
        passed,
      )
    : sql``
  const page = sql`select *
from (
  select * from _fitting
  union all
  select * from _extra as t where ${isFirst} = 1 or ${isAfter}
) as t
order by ${orderBy(dialect, plan)}${paging}`
  const parts = [...placed(form), sql`_fitting as (${matching(form)})`, sql`_extra as (${extra})`]
  return sql`${named(parts)}select ${total(form)} + (select count(*) from _extra), ${json} ${shown(form, page)}`
}

function placed({ counting }: Form): readonly Sql[] {
  const source = counting?.place?.source
  return source ? [sql`_place as materialized (${source})`] : []
}

/** Queries that the one after them calls by their names. */
function named(queries: readonly Sql[]): Sql {
  return queries.length === 0 ? sql`` : sql`with ${sql.join([...queries])} `
}

/** How many records are read at most: those of the page, and as many more as included ones may come between. */
function sizeOf(plan: ListPlan): number {
  const size = plan.page?.pageSize ?? 0
  if (!isIncluding(plan)) return size
  return Math.min(size + offsetOf(plan) - passedOver(plan), Number.MAX_SAFE_INTEGER)
}

/** A page far beyond the end is empty, however large its number. */
function offsetOf({ page }: ListPlan): number {
  return page ? Math.min((page.pageNumber - 1) * page.pageSize, Number.MAX_SAFE_INTEGER) : 0
}

/** Without a filter every record is in the list anyway. */
function isIncluding({ include, conditions }: ListPlan): boolean {
  return include.length > 0 && conditions.length > 0
}

function identityOf({ operation }: ListPlan): Sql {
  const { noun } = operation.shape
  return column(noun, noun.identity)
}

/** The columns that are sorted by, and those that are shown, unless these are read later. */
function neededColumns({ dialect, plan }: Form): Sql {
  const { order, operation } = plan
  const { noun, properties } = operation.shape
  const shownFields = isFoundFirst(dialect, plan) ? [] : properties.map(({ field }) => field)
  const fields = [...shownFields, ...order.map(({ field }) => field), noun.identity]
  return sql.join([...new Set(fields)].map((field) => column(noun, field)))
}

function orderBy(dialect: Dialect, { order, operation }: ListPlan): Sql {
  const { noun } = operation.shape
  const { identity } = noun
  const keys = order.map(({ field, isDescending }) =>
    dialect.order(specOf(noun, field), column(noun, field), isDescending),
  )
  const isDecided = order.some(({ field }) => field === identity)
  return sql.join(isDecided ? keys : [...keys, column(noun, identity)])
}

function included(dialect: Dialect, { operation }: ListPlan): Sql {
  const { noun } = operation.shape
  const spec = specOf(noun, noun.identity)
  const list = slot<ListInput>((one) => dialect.listValue(spec, one.include))
  return dialect.isAnyOf(spec, column(noun, noun.identity), list)
}
