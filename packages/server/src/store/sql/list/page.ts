/** The records that a list statement reads: the start, the number, and the direction. */
import type { ListPlan } from '../../plan.ts'
import { type Sql, sql } from '../sql.ts'

/** The bound values of a list statement. */
export interface ListInput extends ListPlan {
  /** The number of matching records, if it is known. */
  readonly total?: number
}

/** The direction of a list in the order of identities; undefined if another property is sorted first. */
export function directionOf({ order, operation }: ListPlan): 'forward' | 'backward' | undefined {
  const [first] = order
  if (first === undefined) return 'forward'
  if (first.field !== operation.shape.noun.identity) return undefined
  return first.isDescending ? 'backward' : 'forward'
}

/** The same list from its end. */
export function reversed(plan: ListPlan): ListPlan {
  const { identity } = plan.operation.shape.noun
  const isUnambiguous = plan.order.some(({ field }) => field === identity)
  const order = isUnambiguous ? plan.order : [...plan.order, { field: identity, isDescending: false }]
  return { ...plan, order: order.map(({ field, isDescending }) => ({ field, isDescending: !isDescending })) }
}

/** How many records to skip before those that the statement reads; included ones may move others onto the page. */
export function recordsToSkip(plan: ListPlan): number {
  if (!hasInclude(plan)) return offsetOf(plan)
  return directionOf(plan) ? Math.max(0, offsetOf(plan) - plan.include.length) : 0
}

/** How many records to read: those of the page, and further ones that included records may replace. */
export function recordsToRead(plan: ListPlan): number {
  const size = plan.page?.pageSize ?? 0
  if (!hasInclude(plan)) return size
  return Math.min(size + offsetOf(plan) - recordsToSkip(plan), Number.MAX_SAFE_INTEGER)
}

/** The number of records before the page. It is capped, because a page number may be far beyond the end of the list. */
export function offsetOf({ page }: ListPlan): number {
  return page ? Math.min((page.pageNumber - 1) * page.pageSize, Number.MAX_SAFE_INTEGER) : 0
}

/** Whether the page is counted and so many records are skipped that they are best skipped from the nearer end of the list. */
export function isDeepPage(plan: ListPlan, minOffset: number): boolean {
  return plan.isCounted !== false && !hasInclude(plan) && recordsToSkip(plan) >= minOffset
}

/** Whether the list includes records that its filters exclude. Without a filter, it has every record anyway. */
export function hasInclude({ include, conditions }: ListPlan): boolean {
  return include.length > 0 && conditions.length > 0
}

/**
 * A bound number for arithmetic, as PostgreSQL cannot infer its type. For a bare parameter as a limit, SQLite would plan the
 * statement again at every run, which doubles the work of a page.
 */
export function asBigint(number: Sql): Sql {
  return sql`cast(${number} as bigint)`
}
