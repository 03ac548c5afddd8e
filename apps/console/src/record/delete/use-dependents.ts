/** Counts the records that a delete would affect, before it. */
import { useQueries } from '@tanstack/react-query'
import { forEachConcurrently } from '../../bulk/for-each-concurrently.ts'
import { listPages } from '../../bulk/list-pages.ts'
import type { HttpClient, Request } from '../../http/http-client.ts'
import { pageFrom } from '../../http/response-body.ts'
import { withHidden } from '../../model/list/query.ts'
import { type Dependents, dependentsOf } from '../../model/record/dependents.ts'
import { fill } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import { problemOf } from '../../model/service/problem.ts'
import { type Collection, idOf } from '../../model/service/service.ts'
import { useConsole } from '../../state/console-context.ts'

interface Count {
  readonly count: number
  /** There may be more. */
  readonly isMinimum: boolean
}

export interface CountedDependents extends Dependents {
  /** Undefined if the service does not offer a way to count them. */
  readonly counted: Count | undefined
}

/** At most this number of records is checked for links, with one request each. */
const maxLinks = 500

/** The request panel does not list these requests, because they would hide all others. */
const inBackground = { isBackground: true }

/** Undefined while the requests run. `ids` has the IDs in the path of each record. */
export function useDependents(
  collection: Collection,
  ids: readonly (readonly unknown[])[],
): readonly CountedDependents[] | undefined {
  const { service, http } = useConsole()
  const dependents = collection.parent ? [] : dependentsOf(service, collection)
  const queries = useQueries({
    queries: dependents.map((entry) => ({
      queryKey: [
        entry.noun,
        'dependents',
        entry.collection.api.base,
        entry.kind,
        entry.collection.key,
        entry.parameter,
        ids,
      ],
      queryFn: () => countOf(http, entry, ids),
    })),
  })
  if (queries.some(({ isPending }) => isPending)) return undefined
  return dependents.map((entry, index) => ({ ...entry, counted: queries[index]?.data ?? undefined }))
}

/** Null if the service does not offer a way to count them, because a query cannot return undefined. */
export async function countOf(
  http: HttpClient,
  dependents: Dependents,
  ids: readonly (readonly unknown[])[],
): Promise<Count | null> {
  const { kind, collection, parameter = '' } = dependents
  const own = ids.map((path) => ({ parameter, value: path.at(-1) }))
  if (kind === 'reference') return knownCount(await total(http, dependents, [], own))
  if (kind === 'link') return collection.parent ? linkCount(http, dependents, collection.parent, own) : null
  const counts: Count[] = []
  await forEachConcurrently(ids, async (path) => {
    try {
      counts.push(await total(http, dependents, path, []))
    } catch (error) {
      // A record that is gone has no dependents.
      if (problemOf(error).status !== 404) throw error
    }
  })
  return knownCount({
    count: counts.reduce((sum, { count }) => sum + count, 0),
    isMinimum: counts.some(({ isMinimum }) => isMinimum),
  })
}

/** Null if there may be some, but none is known. */
function knownCount(counted: Count): Count | null {
  return counted.isMinimum && counted.count === 0 ? null : counted
}

interface Condition {
  readonly parameter: string
  readonly value: unknown
}

/** Counts the links of the given records by a request for each record of the other noun. */
async function linkCount(
  http: HttpClient,
  dependents: Dependents,
  parent: Collection,
  own: readonly Condition[],
): Promise<Count | null> {
  const [variant] = parent.variants
  if (!variant) return null
  const { query, hidesRecords } = withHidden(variant.filters, new URLSearchParams())
  const records: Json[] = []
  let all = 0
  for await (const page of listPages(http, { collection: parent, variant, ids: [], query }, inBackground)) {
    records.push(...page.records)
    all = page.total ?? records.length
    if (records.length >= maxLinks) break
  }
  let count = 0
  await forEachConcurrently(records.slice(0, maxLinks), async (record) => {
    const linked = await total(http, dependents, [idOf(parent, record)], own, inBackground)
    if (linked.count > 0) count++
  })
  return knownCount({ count, isMinimum: hidesRecords || all > maxLinks })
}

/** The number of records in a list, a minimum if a default filter still hides some of them. */
async function total(
  http: HttpClient,
  { collection, variant }: Dependents,
  ids: readonly unknown[],
  conditions: readonly Condition[],
  options: Pick<Request, 'isBackground'> = {},
): Promise<Count> {
  const conditionQuery = new URLSearchParams(variant.pageSize && { pageSize: '1' })
  for (const { parameter, value } of conditions) conditionQuery.append(parameter, `${value}`)
  const { query, hidesRecords } = withHidden(variant.filters, conditionQuery)
  const path = fill(variant.path, ids)
  const { body } = await http.send({ base: collection.api.base, method: 'GET', path, query, ...options })
  const { records, pageInfo } = pageFrom(body, variant.property)
  return { count: pageInfo?.numberOfRecords ?? records.length, isMinimum: hidesRecords }
}
