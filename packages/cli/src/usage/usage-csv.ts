/** Usage as CSV: a row for every endpoint and caller, and one for each endpoint that nobody called. */
import type { UsageReport } from '@nomen/core/usage'
import { printable } from './printable.ts'

const head = ['method', 'path', 'id', 'verdict', 'kind', 'caller', 'requests', 'errors', 'bytes', 'first', 'last']

export function usageCsv({ endpoints }: UsageReport): string {
  const rows = endpoints.flatMap(({ method, path, id, verdict, callers }) =>
    callers.length === 0
      ? [[method, path, id, verdict, '', '', 0, 0, 0, '', '']]
      : callers.map(({ kind, name, requests, errors, bytes, first, last }) => {
          return [method, path, id, verdict, kind, printable(name), requests, errors, bytes, first, last]
        }),
  )
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A name that somebody made up must not be a formula to whoever opens the file. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@＝＋－＠]/.test(value) ? `'${value}` : `${value}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
