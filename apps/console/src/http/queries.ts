/** Lists and records as queries. Query keys start with the noun, so that a change invalidates all its data. */
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { plainTitle } from '../model/record/label.ts'
import { fill, recordPath } from '../model/route.ts'
import type { Json } from '../model/service/openapi.ts'
import { ProblemError } from '../model/service/problem.ts'
import { type Collection, idOf, type Variant } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'
import type { ChangeFeed } from './change-feed.ts'
import { notListed } from './failure.ts'
import type { HttpClient } from './http-client.ts'
import { pageFrom, readRecord } from './response-body.ts'

interface ListRequest {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly unknown[]
  readonly query: URLSearchParams
  /** The changes that the list follows. Its position is known before the list is requested. */
  readonly feed?: ChangeFeed | undefined
}

export function listQuery(http: HttpClient, { collection, variant, ids, query, feed }: ListRequest) {
  const path = fill(variant.path, ids)
  const { base } = collection.api
  return {
    queryKey: [collection.noun, 'list', base, path, `${query}`],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      await feed?.ready()
      return pageFrom((await http.send({ base, method: 'GET', path, query, signal })).body, variant.property)
    },
  }
}

/** One page of a list. The previous page stays visible while it loads. */
export function useList(request: ListRequest, isEnabled = true) {
  const { http } = useConsole()
  return useQuery({ ...listQuery(http, request), placeholderData: keepPreviousData, enabled: isEnabled })
}

export interface LoadedRecord {
  readonly record: Json
  readonly etag: string | undefined
}

export function recordQuery(http: HttpClient, collection: Collection, ids: readonly unknown[]) {
  const path = recordPath(collection, ids)
  const { base } = collection.api
  return {
    queryKey: [collection.noun, 'record', base, path],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<LoadedRecord> => {
      if (!collection.operations.read) return listedRecord(http, collection, ids, signal)
      const { body, etag } = await http.send({ base, method: 'GET', path, signal })
      return { record: readRecord(collection, body), etag }
    },
  }
}

/** A record that the service has only in lists: the first page of the list with the most fields, filtered by the ID if possible. */
async function listedRecord(
  http: HttpClient,
  collection: Collection,
  ids: readonly unknown[],
  signal: AbortSignal,
): Promise<LoadedRecord> {
  const id = `${ids.at(-1)}`
  const [variant] = collection.variants.toSorted((a, b) => b.columns.length - a.columns.length)
  if (variant) {
    const { base } = collection.api
    const filter = variant.filters.find(({ exact }) => exact === collection.identity)
    const query = new URLSearchParams({
      ...(variant.pageSize && { pageSize: `${variant.pageSize.maximum}` }),
      ...(filter && { [collection.identity]: id }),
    })
    const { body } = await http.send({ base, method: 'GET', path: fill(variant.path, ids), query, signal })
    const record = pageFrom(body, variant.property).records.find((row) => `${idOf(collection, row)}` === id)
    if (record) return { record, etag: undefined }
  }
  throw new ProblemError(notListed(plainTitle(collection, id), variant !== undefined))
}

interface RecordOptions {
  readonly isEnabled?: boolean
  /** Whether a request that another part of the page has sent, and that failed, is sent again (default: true). */
  readonly isRepeated?: boolean
}

export function useRecord(
  collection: Collection,
  ids: readonly unknown[],
  { isEnabled = true, isRepeated = true }: RecordOptions = {},
) {
  const { http } = useConsole()
  return useQuery({
    ...recordQuery(http, collection, ids),
    enabled: isEnabled,
    retryOnMount: isRepeated,
  })
}

/** Invalidates all data of a noun, and all lists that may reference it. */
export function useInvalidate(): (collection: Collection) => Promise<void> {
  const client = useQueryClient()
  return (collection) => invalidateNoun(client, collection)
}

/** Invalidates all lists and records, after a write whose noun is not known. */
export function useInvalidateAll(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey: [, kind] }) => kind === 'list' || kind === 'record' })
}

async function invalidateNoun(client: QueryClient, { noun }: Collection): Promise<void> {
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === noun || queryKey[1] === 'list' })
}
