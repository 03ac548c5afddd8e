/** One page of a list by the URL: its records, and the way to another page, filter or sort. */

import { useList } from '../http/queries.ts'
import { addressOf } from '../model/list/query.ts'
import { fill } from '../model/route.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { pageQuery } from '../state/preference.ts'
import { type NavigateOptions, router, useAddress } from '../state/router.ts'

export type ListPage = ReturnType<typeof useListPage>

export function useListPage(collection: Collection, variant: Variant, ids: readonly string[]) {
  const { query } = useAddress()
  const list = useList({ collection, variant, ids, query: pageQuery(variant, query) })
  const path = fill(variant.path, ids)
  const go = (next: URLSearchParams, options?: NavigateOptions) => router.go(addressOf(path, next), options)
  return { collection, variant, query, list, path, go }
}
