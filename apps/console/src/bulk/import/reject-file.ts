/** Rejected rows as a file of the same format, each with its line and the reason, to fix and import again. */
import { type BulkFormat, type BulkRow, bulkHead, bulkLine } from '../../model/list/bulk-text.ts'
import { fieldOf } from '../../model/record/field.ts'
import type { Json } from '../../model/service/openapi.ts'

export interface Refused {
  readonly row: BulkRow
  readonly reason: string
}

export function rejectFile(format: BulkFormat, refused: readonly Refused[]): string {
  const rows = refused.map(
    ({ row: { line, record, text }, reason }): Json => ({
      [format === 'json' ? '_number' : '_line']: line,
      _reason: reason,
      ...(text !== undefined && { _text: text }),
      ...record,
    }),
  )
  if (format === 'json') return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = names.map((name) => fieldOf(name))
  // People open this file in a spreadsheet.
  const rowFormat = format === 'csv' ? 'spreadsheet' : format
  return bulkHead(rowFormat, columns) + rows.map((row) => bulkLine(rowFormat, columns, row)).join('')
}
