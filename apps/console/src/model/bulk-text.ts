/** Records as CSV and NDJSON, written and read again. */
import type { Field } from './field.ts'
import { isObject, type Json } from './openapi.ts'

export type BulkFormat = 'csv' | 'ndjson'

export function bulkHead(format: BulkFormat, fields: readonly Field[]): string {
  return format === 'csv' ? `${fields.map(({ name }) => cell(name)).join(',')}\r\n` : ''
}

export function bulkLine(format: BulkFormat, fields: readonly Field[], record: Json): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`
  return `${fields.map(({ name }) => cell(record[name])).join(',')}\r\n`
}

/** An absent value is an empty cell; an empty text is a quoted one, so that they can be told apart. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : `${value}`
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export interface BulkRow {
  readonly line: number
  readonly record: Json | undefined
  /** Why it cannot be read. */
  readonly fault: string | undefined
  /** All of it as it stands, where it cannot be read. */
  readonly text?: string
}

/** Reads all records of a text, each with the line that it begins in. */
export function readBulk(format: BulkFormat, text: string, fields: readonly Field[]): readonly BulkRow[] {
  return format === 'csv' ? readCsv(text, fields) : readNdjson(text)
}

function readNdjson(text: string): readonly BulkRow[] {
  return text.split(/\r?\n/).flatMap((one, index): readonly BulkRow[] => {
    if (one.trim() === '') return []
    try {
      const record: unknown = JSON.parse(one)
      if (isObject(record)) return [{ line: index + 1, record, fault: undefined }]
      return [{ line: index + 1, record: undefined, fault: 'It holds no object.', text: one }]
    } catch (error) {
      const fault = `It is no JSON: ${(error as Error).message}.`
      return [{ line: index + 1, record: undefined, fault, text: one }]
    }
  })
}

function readCsv(text: string, fields: readonly Field[]): readonly BulkRow[] {
  const [head, ...rows] = csvRows(text.replace(/^\ufeff/, ''))
  if (!head) return []
  const names = head.cells.map((one) => one ?? '')
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length) {
      const fault = `It has ${cells.length} cells, and the head ${names.length}.`
      return { line, record: undefined, fault, text: cells.map(cell).join(',') }
    }
    const entries = names.map((name, index) => [
      name,
      cellValue(
        fields.find((one) => one.name === name),
        cells[index],
      ),
    ])
    return { line, record: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), fault: undefined }
  })
}

/** An empty cell is null where that may be, and else as if the column were not there. */
function cellValue(field: Field | undefined, text: string | undefined): unknown {
  if (text === undefined) return field?.isNullable ? null : undefined
  if (field?.isNumeric && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (field?.kind === 'flag' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

interface CsvRow {
  readonly line: number
  readonly cells: readonly (string | undefined)[]
}

/** Undefined stands for an empty cell without quotes. */
function csvRows(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = []
  let cells: (string | undefined)[] = []
  let line = 1
  let begin = 1
  const end = () => {
    if (cells.length > 1 || cells[0] !== undefined) rows.push({ line: begin, cells })
    cells = []
    begin = line
  }
  const pattern = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|\n|\r|$)/g
  for (const [, quoted, plain, ending] of text.matchAll(pattern)) {
    cells.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'))
    line += (quoted?.match(/\n/g)?.length ?? 0) + (ending === ',' || ending === '' ? 0 : 1)
    if (ending !== ',') end()
    if (ending === '') break
  }
  return rows
}
