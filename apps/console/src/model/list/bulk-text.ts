/** Records as CSV, NDJSON and JSON arrays, written and read again. */
import {
  CsvReader,
  csvColumns,
  csvLine,
  JsonElements,
  JsonFileError,
  spreadsheetLine,
  spreadsheetMark,
} from '@nomen/core/bulk'
import { text } from '../../language/language.ts'
import type { Field } from '../record/field.ts'
import { isObject, type Json } from '../service/openapi.ts'

/** A record, or more than one, in each line. */
export type LineFormat = 'csv' | 'ndjson'

/** `spreadsheet` is CSV in which no cell is a formula. */
export type ExportFormat = LineFormat | 'spreadsheet'

export type BulkFormat = LineFormat | 'json'

/** The format of a file, by its name or else by its content. */
export function bulkFormat(name: string, text: string): BulkFormat {
  if (/\.csv$/i.test(name)) return 'csv'
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson'
  if (/^\s*\[/.test(text)) return 'json'
  if (!/^\s*\{/.test(text)) return 'csv'
  return isJson(text) ? 'json' : 'ndjson'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function bulkHead(format: ExportFormat, fields: readonly Field[]): string {
  if (format === 'ndjson') return ''
  const line = csvLine(
    fields.map(({ name }) => name),
    '\r\n',
  )
  return format === 'spreadsheet' ? spreadsheetMark + line : line
}

export function bulkLine(format: ExportFormat, fields: readonly Field[], record: Json): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`
  const write = format === 'spreadsheet' ? spreadsheetLine : csvLine
  return write(
    fields.map(({ name }) => cellOf(record[name])),
    '\r\n',
  )
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? value
    : JSON.stringify(value)
}

export interface BulkRow {
  /** The line of its start; in a JSON array, its number. */
  readonly line: number
  readonly record: Json | undefined
  /** The reason why it cannot be read. */
  readonly fault: string | undefined
  /** The original text of a row that cannot be read. */
  readonly text?: string
}

/** A file as it is: its columns, and rows whose properties have the names of the columns. */
export interface BulkFile {
  readonly format: BulkFormat
  readonly columns: readonly string[]
  readonly rows: readonly BulkRow[]
}

/** Reads all records of a text. */
export function readBulk(format: BulkFormat, text: string): BulkFile {
  if (format === 'csv') return { format, ...readCsv(text) }
  const rows = format === 'json' ? readJson(text) : readNdjson(text)
  return { format, rows, columns: [...new Set(rows.flatMap(({ record }) => Object.keys(record ?? {})))] }
}

function readNdjson(text: string): readonly BulkRow[] {
  const lines = text.split(/\r?\n/)
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [jsonRow(line, index + 1)]))
}

/** The elements of an array or of the `results` of a page, or the object itself. */
function readJson(text: string): readonly BulkRow[] {
  const elements = new JsonElements('results')
  try {
    const firstLines = elements.take(new TextEncoder().encode(text))
    const { lines, fault } = elements.end()
    const decoder = new TextDecoder()
    const nonEmptyLines = `${decoder.decode(firstLines)}${decoder.decode(lines)}`
      .split('\n')
      .filter((line) => line.trim() !== '')
    const rows = nonEmptyLines.map((line, index) => jsonRow(line, index + 1))
    return fault ? [...rows, { line: rows.length + 1, record: undefined, fault: endFault(fault) }] : rows
  } catch (error) {
    if (error instanceof JsonFileError) return [jsonRow(text, 1)]
    throw error
  }
}

function endFault(fault: 'cut-off' | 'stray'): string {
  return fault === 'cut-off' ? text().bulk.jsonCutOff : text().bulk.jsonStray
}

function jsonRow(json: string, line: number): BulkRow {
  const unreadable = (fault: string) => ({ line, record: undefined, fault, text: json })
  try {
    const record: unknown = JSON.parse(json)
    return isObject(record) ? { line, record, fault: undefined } : unreadable(text().bulk.jsonNoObject)
  } catch (error) {
    return unreadable(text().bulk.jsonInvalid((error as Error).message))
  }
}

function readCsv(csv: string): Pick<BulkFile, 'columns' | 'rows'> {
  const records = new CsvReader().records({ text: csv.replace(/^\ufeff/, ''), isLast: true })
  const { value: header } = records.next()
  if (!header) return { columns: [], rows: [] }
  if ('fault' in header)
    return { columns: [], rows: [{ ...unreadable(header), fault: text().bulk.csvFault(header.fault) }] }
  const { columns, read } = csvColumns(header.content)
  const rows = [...records].map((record): BulkRow => {
    if ('fault' in record) return { ...unreadable(record), fault: text().bulk.csvFault(record.fault) }
    const cells = read(record.content)
    if (cells.length > columns.length)
      return { ...unreadable(record), fault: text().bulk.csvCells(cells.length, columns.length) }
    const entries = columns.map((name, index) => [name, cells[index] ?? null])
    return { line: record.line, record: Object.fromEntries(entries), fault: undefined }
  })
  return { columns, rows }
}

function unreadable({ line, text }: { readonly line: number; readonly text: string }) {
  return { line, record: undefined, text }
}
