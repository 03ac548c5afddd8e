/** Counts the records that a delete would affect, before it. */
import { useQueries } from '@tanstack/react-query'
import { forEachConcurrently } from '../../bulk/for-each-concurrently.ts'
import type { HttpClient } from '../../http/http-client.ts'
import { pageFrom } from '../../http/response-body.ts'
import { withHidden } from '../../model/list/query.ts'
import { type Dependents, dependentsOf } from '../../model/record/dependents.ts'
import { fill } from '../../model/route.ts'
import { problemOf } from '../../model/service/problem.ts'
import { type Collection, idOf } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'

export interface CountedDependents extends Dependents {
  /** Undefined if the service cannot say. */
  readonly count: number | undefined
}

/** If more records could be linked, they are not asked one by one. */
const maxLinks = 50

/** Undefined while the requests run. `ids` has the IDs in the path of each record. */
export function useDependents(
  collection: Collection,
  ids: readonly (readonly unknown[])[],
): readonly CountedDependents[] | undefined {
  const { service, http } = useConsole()
  const dependents = collection.parent ? [] : dependentsOf(service, collection)
  const queries = useQueries({
    queries: dependents.map((one) => ({
      queryKey: [one.noun, 'dependents', one.collection.api.base, one.kind, one.collection.key, one.parameter, ids],
      queryFn: () => countOf(http, one, ids),
    })),
  })
  if (queries.some(({ isPending }) => isPending)) return undefined
  return dependents.map((one, index) => ({ ...one, count: queries[index]?.data ?? undefined }))
}

/** Null if the service cannot say: a query cannot return undefined. */
async function countOf(
  http: HttpClient,
  dependents: Dependents,
  ids: readonly (readonly unknown[])[],
): Promise<number | null> {
  const { kind, collection, parameter = '' } = dependents
  const own = ids.map((path) => ({ parameter, value: path.at(-1) }))
  if (kind === 'reference') return total(http, dependents, [], own)
  if (kind === 'link') return collection.parent ? linkCount(http, dependents, collection.parent, own) : null
  const counts: number[] = []
  await forEachConcurrently(ids, async (path) => {
    try {
      counts.push(await total(http, dependents, path, []))
    } catch (error) {
      // A record that is gone has no dependents.
      if (problemOf(error).status !== 404) throw error
    }
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

interface Condition {
  readonly parameter: string
  readonly value: unknown
}

/** Asks each record of the other noun whether it is linked with one of these. */
async function linkCount(
  http: HttpClient,
  dependents: Dependents,
  parent: Collection,
  own: readonly Condition[],
): Promise<number | null> {
  const [variant] = parent.variants
  if (!variant) return null
  const query = new URLSearchParams(variant.pageSize && { pageSize: `${Math.min(maxLinks, variant.pageSize.maximum)}` })
  const { base } = parent.api
  const { body } = await http.send({ base, method: 'GET', path: variant.path, query })
  const { records, pageInfo } = pageFrom(body, variant.property)
  if ((pageInfo?.numberOfPages ?? 1) > 1 || records.length > maxLinks) return null
  let linked = 0
  await forEachConcurrently(records, async (record) => {
    if ((await total(http, dependents, [idOf(parent, record)], own)) > 0) linked++
  })
  return linked
}

/** The number of records in a list. A default filter must not hide some of them. */
async function total(
  http: HttpClient,
  { collection, variant }: Dependents,
  ids: readonly unknown[],
  conditions: readonly Condition[],
): Promise<number> {
  const query = new URLSearchParams(variant.pageSize && { pageSize: '1' })
  for (const { parameter, value } of conditions) query.append(parameter, `${value}`)
  const path = fill(variant.path, ids)
  const request = { base: collection.api.base, method: 'GET', path, query: withHidden(variant.filters, query) } as const
  const { body } = await http.send(request)
  const { records, pageInfo } = pageFrom(body, variant.property)
  return pageInfo?.numberOfRecords ?? records.length
}
