/** Reads a file in either format: blocks of text in, rows out. */
import { BulkError } from './bulk-error.ts'
import { type Cell, CsvReader } from './csv.ts'
import type { FileRecord } from './file-record.ts'
import { readHeader } from './header.ts'
import { type JsonObject, NdjsonReader } from './ndjson.ts'
import { cellsReader, objectReader, type RowContext, type RowReading } from './read-row.ts'
import type { TextBlock } from './text-block.ts'

export type FileFormat = 'csv' | 'ndjson'

export interface ReadRow {
  readonly line: number
  readonly text: string
  readonly reading: RowReading
}

export class FileReader {
  readonly #context: RowContext
  readonly #isComplete: boolean
  #format: FileFormat | undefined
  #isBegun = false
  #csv = new CsvReader()
  #ndjson = new NdjsonReader()
  #fromCells: ((cells: readonly Cell[]) => RowReading) | undefined
  readonly #fromObject: (object: JsonObject) => RowReading

  /** Without a format, the first character tells. `isComplete`: every record must have what a new one needs. */
  constructor(context: RowContext, format: FileFormat | undefined, isComplete: boolean) {
    this.#context = context
    this.#format = format
    this.#isComplete = isComplete
    this.#fromObject = objectReader(context)
  }

  *rows(block: TextBlock): Generator<ReadRow> {
    if (!this.#isBegun) this.#begin(block)
    if (this.#format === 'csv') yield* this.#csvRows(block)
    else for (const record of this.#ndjson.records(block)) yield read(record, this.#fromObject)
    if (block.isLast && this.#format === 'csv' && !this.#fromCells)
      throw new BulkError('The file is empty.', 'Its first line names the columns.')
  }

  /** Reads the text of a record again. */
  again(text: string): RowReading {
    const fromCells = this.#fromCells
    return fromCells ? fromCells(this.#csv.again(text)) : this.#fromObject(this.#ndjson.again(text))
  }

  #begin({ text }: TextBlock): void {
    this.#isBegun = true
    this.#format ??= /^\s*\{/.test(text) ? 'ndjson' : 'csv'
    if (this.#format === 'ndjson' && /^\s*\[\s*(\{|$)/.test(text))
      throw new BulkError('The file is one array of JSON.', "Give one object a line, such as jq -c '.[]' makes of it.")
  }

  *#csvRows(block: TextBlock): Generator<ReadRow> {
    for (const record of this.#csv.records(block)) {
      if (this.#fromCells) yield read(record, this.#fromCells)
      else this.#fromCells = this.#readHeader(record)
    }
  }

  #readHeader(record: FileRecord<readonly Cell[]>) {
    if ('fault' in record)
      throw new BulkError(`The header cannot be read: it ${record.fault}.`, 'The first line names the columns.')
    return cellsReader(this.#context, readHeader(record.content, this.#context, this.#isComplete))
  }
}

function read<Content>(record: FileRecord<Content>, reader: (content: Content) => RowReading): ReadRow {
  const { line, text } = record
  if ('fault' in record) return { line, text, reading: { fault: `The line ${record.fault}.` } }
  return { line, text, reading: reader(record.content) }
}
