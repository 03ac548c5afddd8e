/** The number of records in each list of a record, from the totals of the lists. */
import { useQueries } from '@tanstack/react-query'
import { listQuery } from '../../http/queries.ts'
import { useRefusal } from '../../http/use-refusal.ts'
import { requestQuery } from '../../model/list/query.ts'
import { type RelatedList, relatedQuery } from '../../model/record/related.ts'
import { useConsole } from '../../state/console-context.ts'

/** Undefined for lists without a total, which are not requested, and while the requests run. */
export function useRelatedCounts(
  lists: readonly RelatedList[],
  ids: readonly unknown[],
): readonly (number | undefined)[] {
  const { http } = useConsole()
  const refusalOf = useRefusal()
  return useQueries({
    queries: lists.map((list) => {
      const { collection, variant, parameter } = list
      const size = new URLSearchParams(variant.pageSize && { pageSize: '1' })
      const query = requestQuery(variant.filters, relatedQuery(list, ids.at(-1), size))
      return {
        ...listQuery(http, { collection, variant, ids: parameter === undefined ? ids : [], query }),
        enabled: variant.isPaginated && refusalOf(collection.api, variant.operation) === undefined,
      }
    }),
    combine: (queries) => queries.map(({ data }) => data?.pageInfo?.numberOfRecords),
  })
}
