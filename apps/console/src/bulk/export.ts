/** All records of a list as text, page after page. */
import { fill } from '../model/address.ts'
import { bulkHead, bulkLine, type ExportFormat } from '../model/list/bulk-text.ts'
import type { Collection, Variant } from '../model/service/service.ts'
import { pageFrom } from '../wire/data.ts'
import type { Wire } from '../wire/wire.ts'

export interface ExportAsk {
  readonly collection: Collection
  readonly variant: Variant
  readonly ids: readonly string[]
  readonly query: URLSearchParams
  readonly format: ExportFormat
  readonly signal: AbortSignal
  onProgress(done: number, all: number): void
}

/** Pages as large as the service gives them: as few requests as there can be. */
const largest = 1000

export async function exportList(
  wire: Wire,
  { collection, variant, ids, query, format, signal, onProgress }: ExportAsk,
): Promise<Blob> {
  const parts: string[] = [bulkHead(format, variant.columns)]
  const path = fill(variant.path, ids)
  let done = 0
  for (let pageNumber = 1; ; pageNumber++) {
    const asked = new URLSearchParams(query)
    if (variant.isPaginated) {
      asked.set('pageNumber', `${pageNumber}`)
      asked.set('pageSize', `${Math.min(largest, variant.pageSize?.maximum ?? largest)}`)
    }
    const answer = await wire.send({ base: collection.api.base, method: 'GET', path, query: asked, signal })
    const { records, pageInfo } = pageFrom(answer.body, variant.property)
    parts.push(records.map((record) => bulkLine(format, variant.columns, record)).join(''))
    done += records.length
    onProgress(done, pageInfo?.numberOfRecords ?? done)
    if (!pageInfo || records.length === 0 || pageNumber >= pageInfo.numberOfPages) break
  }
  return new Blob(parts, { type: format === 'ndjson' ? 'application/x-ndjson' : 'text/csv;charset=utf-8' })
}

/** Hands a file to whoever asked for it. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
