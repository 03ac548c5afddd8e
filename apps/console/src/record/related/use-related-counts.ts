/** The number of records in each list of a record, from the totals of the lists. */
import { useQueries } from '@tanstack/react-query'
import { requestQuery } from '../../model/list/query.ts'
import { type RelatedList, relatedQuery } from '../../model/record/related.ts'
import { useConsole } from '../../wire/console-context.ts'
import { listQuery } from '../../wire/data.ts'
import { useRefusal } from '../../wire/use-refusal.ts'

/** Undefined for lists without a total, which are not requested, and while the requests run. */
export function useRelatedCounts(
  lists: readonly RelatedList[],
  ids: readonly unknown[],
): readonly (number | undefined)[] {
  const { wire } = useConsole()
  const refusalOf = useRefusal()
  return useQueries({
    queries: lists.map((list) => {
      const { collection, variant, parameter } = list
      const size = new URLSearchParams(variant.pageSize && { pageSize: '1' })
      const query = requestQuery(variant.filters, relatedQuery(list, ids.at(-1), size))
      return {
        ...listQuery(wire, { collection, variant, ids: parameter === undefined ? ids : [], query }),
        enabled: variant.isPaginated && refusalOf(collection.api, variant.operation) === undefined,
      }
    }),
    combine: (queries) => queries.map(({ data }) => data?.pageInfo?.numberOfRecords),
  })
}
