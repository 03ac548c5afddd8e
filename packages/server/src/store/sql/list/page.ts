/** The records that a list statement reads: the start, the number, and the direction. */
import type { Value } from '@nomen/core'
import type { ListPlan } from '../../plan.ts'

/** The start of a page: an identity, from which records are read forwards or backwards. */
export interface PageStart {
  readonly start: Value
  /** How many of those records to skip. */
  readonly skip: number
}

/** The bound values of a list statement. */
export interface ListInput extends ListPlan {
  readonly pageStart?: PageStart
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

/** Whether the list includes records that its filters exclude. Without a filter, it has every record anyway. */
export function hasInclude({ include, conditions }: ListPlan): boolean {
  return include.length > 0 && conditions.length > 0
}
