/** The directory through the query and mutation options that orval generates for TanStack Query. */
import { MutationObserver, type MutationObserverOptions, QueryClient } from '@tanstack/react-query'
import { type DirectoryClient, type Reply, reply } from '../../generated-types/directory-client.ts'
import {
  getUserCreateMutationOptions,
  getUserDeleteMutationOptions,
  getUserListQueryOptions,
  getUserLookupEmailQueryOptions,
  getUserReadQueryOptions,
  getUserUpdateMutationOptions,
} from '../dist/orval/directory.ts'
import type { Problem } from '../dist/orval/schema/index.ts'

interface OrvalResponse {
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

/** The data of a success, in the union of responses that a generated function returns. */
type Success<Response> = Extract<Response, { status: 200 | 201 }> extends { data: infer Data } ? Data : never

function replyOf<Response extends OrvalResponse>(response: Response): Reply<Success<Response>> {
  return response.status < 300
    ? reply(response, response.data as Success<Response>, undefined)
    : reply<Success<Response>>(response, undefined, response.data as Problem)
}

export function orval(): DirectoryClient {
  const queries = new QueryClient()
  const mutate = async <Data extends OrvalResponse, Variables>(
    options: MutationObserverOptions<Data, unknown, Variables>,
    variables: Variables,
  ) => replyOf(await new MutationObserver(queries, options).mutate(variables))
  return {
    list: async (query) => replyOf(await queries.fetchQuery(getUserListQueryOptions(query))),
    create: (data) => mutate(getUserCreateMutationOptions<unknown>(), { data }),
    read: async (id) => replyOf(await queries.fetchQuery(getUserReadQueryOptions(id))),
    update: (id, data, etag) =>
      mutate(getUserUpdateMutationOptions<unknown>({ fetch: { headers: { 'If-Match': etag } } }), { id, data }),
    lookup: async (email) =>
      replyOf(await queries.fetchQuery(getUserLookupEmailQueryOptions(encodeURIComponent(email)))),
    delete: (id) => mutate(getUserDeleteMutationOptions<unknown>(), { id }),
  }
}
