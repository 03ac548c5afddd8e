/** One page of a list by the URL: its records, and the way to another page, filter or sort. */
import { useMemo } from 'react'
import { useLiveList } from '../history/use-live-list.ts'
import { useList } from '../http/queries.ts'
import { addressOf } from '../model/list/query.ts'
import { fill } from '../model/route.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { pageQuery } from '../state/preference.ts'
import { type NavigateOptions, router, useAddress } from '../state/router.ts'
import { useAsShownList } from '../state/shown-list.ts'
import { useKeptPage } from './use-kept-page.ts'

export type ListPage = ReturnType<typeof useListPage>

interface ListPageOptions {
  /** The path in the URL (default: that of the list). */
  readonly path?: string
  /** A filter that is not in the URL: the parameter and its value. */
  readonly fixed?: readonly [parameter: string, value: string] | undefined
}

export function useListPage(
  collection: Collection,
  variant: Variant,
  ids: readonly string[],
  { path = fill(variant.path, ids), fixed }: ListPageOptions = {},
) {
  const feed = useLiveList(collection)
  const { query } = useAddress()
  const [parameter, value = ''] = fixed ?? []
  const shown = useMemo(() => {
    const requestQuery = (url: URLSearchParams) =>
      new URLSearchParams([...pageQuery(variant, url), ...(parameter === undefined ? [] : [[parameter, value]])])
    return { collection, variant, ids, requestQuery }
  }, [collection, variant, ids, parameter, value])
  useAsShownList(shown)
  const list = useKeptPage(useList({ collection, variant, ids, query: shown.requestQuery(query), feed }))
  const go = (next: URLSearchParams, options?: NavigateOptions) => router.go(addressOf(path, next), options)
  return { collection, variant, query, list, path, go }
}
