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
import type { Field } from '../record/field.ts'
import { isObject, type Json } from '../service/openapi.ts'

/** A record, or more than one, in each line. */
export type LineFormat = 'csv' | 'ndjson'

/** `spreadsheet` is CSV in which no cell is a formula. */
export type ExportFormat = LineFormat | 'spreadsheet'

export type BulkFormat = LineFormat | 'json'

/** What a file is, by its name, and where that does not say it by what it holds. */
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
  /** The line that it begins in; in a JSON array, its number. */
  readonly line: number
  readonly record: Json | undefined
  /** Why it cannot be read. */
  readonly fault: string | undefined
  /** All of it as it stands, where it cannot be read. */
  readonly text?: string
}

/** Reads all records of a text. */
export function readBulk(format: BulkFormat, text: string, fields: readonly Field[]): readonly BulkRow[] {
  if (format === 'csv') return readCsv(text, fields)
  return format === 'json' ? readJson(text) : readNdjson(text)
}

function readNdjson(text: string): readonly BulkRow[] {
  const lines = text.split(/\r?\n/)
  return lines.flatMap((one, index) => (one.trim() === '' ? [] : [jsonRow(one, index + 1)]))
}

/** The elements of an array or of the `results` of a page, or the object itself. */
function readJson(text: string): readonly BulkRow[] {
  const elements = new JsonElements('results')
  try {
    const begin = elements.take(new TextEncoder().encode(text))
    const { lines, fault } = elements.end()
    const decoder = new TextDecoder()
    const written = `${decoder.decode(begin)}${decoder.decode(lines)}`.split('\n').filter((line) => line.trim() !== '')
    const rows = written.map((line, index) => jsonRow(line, index + 1))
    return fault ? [...rows, { line: rows.length + 1, record: undefined, fault: endFaults[fault] }] : rows
  } catch (error) {
    if (error instanceof JsonFileError) return [jsonRow(text, 1)]
    throw error
  }
}

const endFaults = {
  'cut-off': 'The array does not end: the file may be cut off.',
  stray: 'Something stands behind the end of the array.',
}

function jsonRow(text: string, line: number): BulkRow {
  try {
    const record: unknown = JSON.parse(text)
    if (isObject(record)) return { line, record, fault: undefined }
    return { line, record: undefined, fault: 'It holds no object.', text }
  } catch (error) {
    return { line, record: undefined, fault: `It is no JSON: ${(error as Error).message}.`, text }
  }
}

function readCsv(text: string, fields: readonly Field[]): readonly BulkRow[] {
  const records = new CsvReader().records({ text: text.replace(/^\ufeff/, ''), isLast: true })
  const { value: header } = records.next()
  if (!header) return []
  if ('fault' in header) return [faultyRow(header)]
  const { columns, read } = csvColumns(header.content)
  const columnFields = columns.map((name) => fields.find((field) => field.name === name))
  return [...records].map((record): BulkRow => {
    if ('fault' in record) return faultyRow(record)
    const cells = read(record.content)
    if (cells.length > columns.length)
      return faultyRow({ ...record, fault: `has ${cells.length} cells, and the head ${columns.length}` })
    const entries = columns.map((name, index) => [name, cellValue(columnFields[index], cells[index] ?? null)])
    const present = entries.filter(([, value]) => value !== undefined)
    return { line: record.line, record: Object.fromEntries(present), fault: undefined }
  })
}

function faultyRow({
  line,
  text,
  fault,
}: {
  readonly line: number
  readonly text: string
  readonly fault: string
}): BulkRow {
  return { line, record: undefined, fault: `It ${fault}.`, text }
}

/** An empty cell is null where that may be, and else as if the column were not there. */
function cellValue(field: Field | undefined, text: string | null): unknown {
  if (text === null) return field?.isNullable ? null : undefined
  if (field?.isNumeric && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (field?.kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}
