/** Usage as CSV: a row for each endpoint and caller, and one for each endpoint without calls. */
import { spreadsheetLine } from '@nomen/core/bulk'
import type { UsageReport } from '@nomen/core/usage'
import { printable } from './printable.ts'

const headings = ['method', 'path', 'id', 'verdict', 'kind', 'caller', 'requests', 'errors', 'bytes', 'first', 'last']

export function usageCsv({ endpoints }: UsageReport): string {
  const rows = endpoints.flatMap(({ method, path, id, verdict, callers }) =>
    callers.length === 0
      ? [[method, path, id, verdict, null, null, 0, 0, 0, null, null]]
      : callers.map(({ kind, name, requests, errors, bytes, first, last }) => {
          return [method, path, id, verdict, kind, printable(name), requests, errors, bytes, first, last]
        }),
  )
  // Callers choose their names: a spreadsheet must not run them as formulas.
  return [headings, ...rows].map((row) => spreadsheetLine(row, '\r\n')).join('')
}
