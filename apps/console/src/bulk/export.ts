/** Exports all records of a list as text, page by page. */
import { fill } from '../model/address.ts'
import { bulkHead, bulkLine, type ExportFormat } from '../model/list/bulk-text.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { pageFrom } from '../wire/body.ts'
import type { Wire } from '../wire/wire.ts'

export interface ExportOptions {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  readonly format: ExportFormat
  readonly signal: AbortSignal
  onProgress(done: number, all: number): void
}

/** The largest page of most services, for as few requests as possible. */
const largest = 1000

export async function exportList(
  wire: Wire,
  { collection, variant, ids, query, format, signal, onProgress }: ExportOptions,
): Promise<Blob> {
  const parts: string[] = [bulkHead(format, variant.columns)]
  const path = fill(variant.path, ids)
  let done = 0
  for (let pageNumber = 1; ; pageNumber++) {
    const pageQuery = new URLSearchParams(query)
    if (variant.isPaginated) {
      pageQuery.set('pageNumber', `${pageNumber}`)
      pageQuery.set('pageSize', `${Math.min(largest, variant.pageSize?.maximum ?? largest)}`)
    }
    const response = await wire.send({ base: collection.api.base, method: 'GET', path, query: pageQuery, signal })
    const { records, pageInfo } = pageFrom(response.body, variant.property)
    parts.push(records.map((record) => bulkLine(format, variant.columns, record)).join(''))
    done += records.length
    onProgress(done, pageInfo?.numberOfRecords ?? done)
    if (!pageInfo || records.length === 0 || pageNumber >= pageInfo.numberOfPages) break
  }
  return new Blob(parts, { type: format === 'ndjson' ? 'application/x-ndjson' : 'text/csv;charset=utf-8' })
}

/** Saves a file in the browser's download folder. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
