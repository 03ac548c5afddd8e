/** Reads all pages of a list, one after the other. */

import type { HttpClient, Request } from '../http/http-client.ts'
import { pageFrom } from '../http/response-body.ts'
import { fill } from '../model/route.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection, Variant } from '../model/service/service.ts'

export interface ListSource {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  /** The query of a request. */
  readonly query: URLSearchParams
}

export interface ReadPage {
  readonly records: readonly Json[]
  /** The number of records in all pages. */
  readonly total: number | undefined
}

/** The largest page of most services, for as few requests as possible. */
const maxPageSize = 1000

export async function* listPages(
  http: HttpClient,
  { collection, variant, ids, query }: ListSource,
  options: Pick<Request, 'signal' | 'isBackground'> = {},
): AsyncGenerator<ReadPage> {
  const path = fill(variant.path, ids)
  for (let pageNumber = 1; ; pageNumber++) {
    const pageQuery = new URLSearchParams(query)
    if (variant.isPaginated) {
      pageQuery.set('pageNumber', `${pageNumber}`)
      pageQuery.set('pageSize', `${Math.min(maxPageSize, variant.pageSize?.maximum ?? maxPageSize)}`)
    }
    const response = await http.send({ base: collection.api.base, method: 'GET', path, query: pageQuery, ...options })
    const { records, pageInfo } = pageFrom(response.body, variant.property)
    yield { records, total: pageInfo?.numberOfRecords }
    if (!pageInfo || records.length === 0 || pageNumber >= pageInfo.numberOfPages) return
  }
}
