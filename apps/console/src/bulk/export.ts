/** Exports all records of a list as text, page by page. */

import type { HttpClient } from '../http/http-client.ts'
import { bulkHead, bulkLine, type ExportFormat } from '../model/list/bulk-text.ts'
import { type ListSource, listPages } from './list-pages.ts'

export interface ExportOptions extends ListSource {
  readonly format: ExportFormat
  readonly signal: AbortSignal
  onProgress(done: number, all: number): void
}

export async function exportList(
  http: HttpClient,
  { format, signal, onProgress, ...source }: ExportOptions,
): Promise<Blob> {
  const { columns } = source.variant
  const parts: string[] = [bulkHead(format, columns)]
  let done = 0
  for await (const { records, total } of listPages(http, source, { signal })) {
    parts.push(records.map((record) => bulkLine(format, columns, record)).join(''))
    done += records.length
    onProgress(done, total ?? done)
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
