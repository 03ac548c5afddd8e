/** Exports all records of a list as text, page by page. */

import type { HttpClient } from '../http/http-client.ts'
import { bulkHead, bulkLine, type ExportFormat } from '../model/list/bulk-text.ts'
import type { Field } from '../model/record/field.ts'
import type { Json } from '../model/service/openapi.ts'
import { type ListSource, listPages } from './list-pages.ts'

export interface ExportOptions extends ListSource {
  readonly format: ExportFormat
  /** The columns of the file (default: everything that the list has). */
  readonly columns?: readonly Field[] | undefined
  readonly signal: AbortSignal
  onProgress(done: number, all: number): void
}

export async function exportList(
  http: HttpClient,
  { format, columns, signal, onProgress, ...source }: ExportOptions,
): Promise<Blob> {
  const fields = columns ?? source.variant.columns
  const line = (record: Json) => bulkLine(format, fields, columns ? pickFields(record, columns) : record)
  const parts: string[] = [bulkHead(format, fields)]
  let done = 0
  for await (const { records, total } of listPages(http, source, { signal })) {
    parts.push(records.map(line).join(''))
    done += records.length
    onProgress(done, total ?? done)
  }
  return new Blob(parts, { type: format === 'ndjson' ? 'application/x-ndjson' : 'text/csv;charset=utf-8' })
}

function pickFields(record: Json, fields: readonly Field[]): Json {
  return Object.fromEntries(fields.map(({ name }) => [name, record[name]]))
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
