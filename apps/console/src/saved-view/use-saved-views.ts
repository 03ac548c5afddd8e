/** All saved views: the private ones of this browser, then the shared ones of the service. */
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listPages } from '../bulk/list-pages.ts'
import type { HttpClient } from '../http/http-client.ts'
import { useRefusal } from '../http/use-refusal.ts'
import { type SavedView, sharedViewCollections, sharedViewFrom } from '../model/list/saved-view.ts'
import type { Collection, Service } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import { privateViews, usePrivateViews } from '../state/private-views.ts'

/** Shared views are read again after this time, when the user returns to the page or opens a list. */
const staleMs = 60_000

export function useSavedViews(): readonly SavedView[] {
  const { service, http } = useConsole()
  const refusalOf = useRefusal()
  const own = usePrivateViews(privateViews)
  const shared = useQueries({
    queries: sharedViewCollections(service).map((collection) => ({
      queryKey: [collection.noun, 'shared', collection.api.base],
      queryFn: ({ signal }: { signal: AbortSignal }) => sharedViews(http, service, collection, signal),
      staleTime: staleMs,
      enabled: refusalOf(collection.api, collection.variants[0]?.operation) === undefined,
    })),
    combine: joined,
  })
  return useMemo(() => [...own, ...shared], [own, shared])
}

/** Without a response, there are only the private views. */
function joined(results: readonly { readonly data: readonly SavedView[] | undefined }[]): readonly SavedView[] {
  return results.flatMap(({ data }) => data ?? [])
}

async function sharedViews(
  http: HttpClient,
  service: Service,
  collection: Collection,
  signal: AbortSignal,
): Promise<readonly SavedView[]> {
  const [variant] = collection.variants
  if (!variant) return []
  const source = { collection, variant, ids: [], query: new URLSearchParams() }
  const views: SavedView[] = []
  for await (const { records } of listPages(http, source, { signal, isBackground: true }))
    views.push(...records.flatMap((record) => sharedViewFrom(service, collection, record) ?? []))
  return views.sort((a, b) => a.name.localeCompare(b.name))
}
