/** Reads a file of any format: turns blocks of text into rows. */
import { type Cell, CsvReader, csvColumns, type FileRecord, type TextBlock } from '@nomen/core/bulk'
import { BulkError } from '../error.ts'
import { checkHeader } from './header.ts'
import { type JsonObject, NdjsonReader, type Unit } from './ndjson.ts'
import { cellsReader, objectReader, type RowContext, type RowResult } from './row.ts'

/** A file format of bulk loads and exports. */
export type FileFormat = 'csv' | 'ndjson' | 'json'

export interface ReadRow {
  readonly line: number
  readonly text: string
  readonly result: RowResult
}

export class FileReader {
  readonly #context: RowContext
  readonly #isComplete: boolean
  readonly #isCsv: boolean
  readonly #unit: Unit
  readonly #csv = new CsvReader()
  readonly #ndjson: NdjsonReader
  #readCells: ((cells: readonly Cell[]) => RowResult) | undefined
  readonly #readObject: (object: JsonObject) => RowResult

  /** With `isComplete`, every record must have the required fields of a new one. */
  constructor(context: RowContext, format: FileFormat, isComplete: boolean) {
    this.#context = context
    this.#isCsv = format === 'csv'
    this.#unit = unitOf(format)
    this.#ndjson = new NdjsonReader(this.#unit)
    this.#isComplete = isComplete
    this.#readObject = objectReader(context)
  }

  *rows(block: TextBlock): Generator<ReadRow> {
    if (this.#isCsv) yield* this.#csvRows(block)
    else for (const record of this.#ndjson.records(block)) yield readRecord(record, this.#unit, this.#readObject)
    if (block.isLast && this.#isCsv && !this.#readCells)
      throw new BulkError('The file is empty.', 'The first line must have the names of the columns.')
  }

  /** Reads a record again from its line. */
  readAgain(text: string): RowResult {
    const fromCells = this.#readCells
    return fromCells ? fromCells(this.#csv.readAgain(text)) : this.#readObject(this.#ndjson.readAgain(text))
  }

  *#csvRows(block: TextBlock): Generator<ReadRow> {
    for (const record of this.#csv.records(block)) {
      if (this.#readCells) yield readRecord(record, this.#unit, this.#readCells)
      else this.#readCells = this.#readHeader(record)
    }
  }

  #readHeader(record: FileRecord<readonly Cell[]>) {
    if ('fault' in record)
      throw new BulkError(
        `The header cannot be read: it ${record.fault}.`,
        'The first line must have the names of the columns.',
      )
    const { columns, read: readRecord } = csvColumns(record.content)
    checkHeader(columns, this.#context, this.#isComplete)
    const readRow = cellsReader(this.#context, columns)
    return (cells: readonly Cell[]) => readRow(readRecord(cells))
  }
}

/** The unit in which records are counted. A JSON array may be on one line, so its records are counted. */
export function unitOf(format: FileFormat): Unit {
  return format === 'json' ? 'record' : 'line'
}

function readRecord<Content>(
  record: FileRecord<Content>,
  unit: Unit,
  reader: (content: Content) => RowResult,
): ReadRow {
  const { line, text } = record
  if ('fault' in record) return { line, text, result: { fault: `The ${unit} ${record.fault}.` } }
  return { line, text, result: reader(record.content) }
}
