/** Finds records by their label where the service has no search: by filters for exact values, and by reading the list. */

import type { HttpClient } from '../../http/http-client.ts'
import { pageFrom } from '../../http/response-body.ts'
import { labelFields, labelOf } from '../../model/record/label.ts'
import { fill } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Collection, idOf, type Service, type Variant } from '../../model/service/service.ts'
import { foldedText } from '../../model/title.ts'

interface OptionSearch {
  readonly target: Collection
  readonly variant: Variant
  readonly ids: readonly unknown[]
  readonly fixed: { readonly [name: string]: string }
  readonly search: string
}

/** Further pages are not read: exact values are still found by filters. */
const maxPages = 10
/** Enough for a dropdown. */
const maxMatches = 50
const largestPage = 1000

export async function searchOptions(http: HttpClient, service: Service, request: OptionSearch, signal: AbortSignal) {
  const { target, variant, ids, fixed, search } = request
  const path = fill(variant.path, ids)
  const load = async (query: URLSearchParams) =>
    pageFrom((await http.send({ base: target.api.base, method: 'GET', path, query, signal })).body, variant.property)
  const recordsById = new Map<string, Json>()
  const add = (records: readonly Json[]) => {
    for (const record of records) recordsById.set(`${idOf(target, record)}`, record)
  }
  const names = [target.identity, ...labelFields(service, target)]
  const exact = variant.filters.filter(({ field, exact: name = '' }) => {
    const takes = !field.isNumeric || /^\d+$/.test(search)
    return names.includes(name) && takes && (name !== target.identity || field.isNumeric)
  })
  await Promise.all(
    exact.map(async ({ exact: name = '' }) =>
      add((await load(new URLSearchParams({ ...fixed, [name]: search }))).records),
    ),
  )
  const folded = foldedText(search)
  for (let pageNumber = 1; pageNumber <= maxPages && recordsById.size < maxMatches; pageNumber++) {
    const query = new URLSearchParams(fixed)
    if (variant.isPaginated) query.set('pageNumber', `${pageNumber}`)
    if (variant.pageSize) query.set('pageSize', `${Math.min(largestPage, variant.pageSize.maximum)}`)
    const { records, pageInfo } = await load(query)
    add(records.filter((record) => foldedText(labelOf(service, target, record)).includes(folded)))
    if (pageNumber >= (pageInfo?.numberOfPages ?? 1)) break
  }
  return [...recordsById.values()].slice(0, maxMatches)
}
