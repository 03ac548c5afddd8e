/**
 * A page with many records before it. They are skipped from the nearer end of the list: from the start, or from its end in reverse
 * order. The statement itself chooses the end by its total, so page and total are from the same state of the database.
 */
import { slot } from '../fragment.ts'
import { type Sql, sql } from '../sql.ts'
import { asBigint, type ListInput, recordsToRead, recordsToSkip } from './page.ts'

/** The numbers of a deep page, each as an expression. Those of the farther end are 0. */
export const deepPage = {
  total: sql`(select records from _total)`,
  /** From the start of the list: how many records to skip, and to read. */
  before: sql`(select before_page from _page)`,
  fromStart: sql`(select from_start from _page)`,
  /** From the end of the list, in reverse order: how many records to skip, and to read. */
  after: sql`(select after_page from _page)`,
  fromEnd: sql`(select from_end from _page)`,
}

/** The tables that these expressions read, from the total of the list. */
export function deepPageTables(total: Sql): readonly Sql[] {
  const size = asBigint(slot<ListInput>(recordsToRead))
  const skip = asBigint(slot<ListInput>(recordsToSkip))
  const isNearStart = sql`${skip} <= records - ${skip}`
  return [
    sql`_total as materialized (select ${total} as records)`,
    sql`_page as materialized (
  select
    case when ${isNearStart} then ${skip} else 0 end as before_page,
    case when ${isNearStart} then ${size} else 0 end as from_start,
    case when ${isNearStart} or records - ${skip} <= ${size} then 0 else records - ${skip} - ${size} end as after_page,
    case
      when ${isNearStart} or records <= ${skip} then 0
      when records - ${skip} < ${size} then records - ${skip}
      else ${size}
    end as from_end
  from _total
)`,
  ]
}
