/** Records as CSV, NDJSON and JSON arrays, written and read again. */
import type { Field } from '../record/field.ts'
import { isObject, type Json } from '../service/openapi.ts'
import { isJson, jsonElements } from './json-elements.ts'

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

/** A quote before the first column says that a single quote stands before what begins like a formula. */
const spreadsheetMark = "'"

export function bulkHead(format: ExportFormat, fields: readonly Field[]): string {
  if (format === 'ndjson') return ''
  return `${format === 'spreadsheet' ? spreadsheetMark : ''}${fields.map(({ name }) => cell(name)).join(',')}\r\n`
}

export function bulkLine(format: ExportFormat, fields: readonly Field[], record: Json): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`
  const write = format === 'spreadsheet' ? spreadsheetCell : cell
  return `${fields.map(({ name }) => write(record[name])).join(',')}\r\n`
}

/** `nomen load` reads it in the same way. Numbers are no formulas. */
function spreadsheetCell(value: unknown): string {
  const isFormula =
    typeof value === 'string' && /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value)
  return cell(isFormula ? `'${value}` : value)
}

function fromSpreadsheet(text: string | undefined): string | undefined {
  return text !== undefined && /^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text
}

/** An absent value is an empty cell; an empty text is a quoted one, so that they can be told apart. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : `${value}`
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
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

function readJson(text: string): readonly BulkRow[] {
  const { elements, fault } = jsonElements(text)
  const rows = elements.map((one, index) => jsonRow(one, index + 1))
  return fault === undefined ? rows : [...rows, { line: rows.length + 1, record: undefined, fault }]
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
  const [head, ...rows] = csvRows(text.replace(/^\ufeff/, ''))
  if (!head) return []
  const isForSpreadsheet = head.cells[0]?.startsWith(spreadsheetMark) === true
  const names = head.cells.map((one, index) => (isForSpreadsheet && index === 0 ? one?.slice(1) : one) ?? '')
  return rows.map(({ line, cells: written }) => {
    const cells = isForSpreadsheet ? written.map(fromSpreadsheet) : written
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
  if (field?.kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
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
