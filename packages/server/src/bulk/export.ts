/** Exports all records of a noun or pairs of a link, in a format that can be loaded again. */
import { csvLine, spreadsheetLine, spreadsheetMark } from '@nomen/core/bulk'
import type { Service } from '../define/definition.ts'
import { openBulk } from '../store/open/bulk.ts'
import type { Values } from '../store/plan.ts'
import { fieldsOf } from './read/field.ts'
import type { FileFormat } from './read/file-reader.ts'
import { exportTarget } from './target.ts'

/** Options of an export. */
export interface ExportOptions {
  /** The database URL: `sqlite:path/to/file.db` or `postgres://…`. */
  readonly database: string
  /** The name of the noun or link. */
  readonly noun: string
  readonly format: FileFormat
  /**
   * Escapes formulas in CSV (CSV injection). `loadRecords` reads such a file back unchanged.
   *
   * @default false
   */
  readonly isForSpreadsheet?: boolean
}

/** A part of the exported file, and the number of its records. */
export interface ExportPart {
  readonly text: string
  readonly numberOfRecords: number
}

/** An export of all records of a noun or link, from one snapshot. */
export interface Export {
  readonly numberOfRecords: number
  /** The contents of the file in parts, in natural order. */
  parts(): AsyncIterable<ExportPart>
  close(): Promise<void>
}

/**
 * Exports all records of a noun or link as CSV, NDJSON or JSON, from a snapshot at the time of the call.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * const users = await exportRecords(service, { database: 'sqlite:data/directory.db', noun: 'user', format: 'csv' })
 * for await (const { text } of users.parts()) process.stdout.write(text)
 * await users.close()
 * ```
 *
 * @throws BulkError if the noun or the database does not exist
 */
export async function exportRecords(service: Service, options: ExportOptions): Promise<Export> {
  const { database, noun, format, isForSpreadsheet = false } = options
  const { model } = service
  const target = exportTarget(model, noun)
  const bulk = await openBulk(database, model)
  try {
    const { numberOfRecords, pages } = await bulk.snapshot(target)
    const names = fieldsOf(target).map(({ name }) => name)
    return {
      numberOfRecords,
      parts: () => writers[format](pages(), names, isForSpreadsheet),
      close: () => bulk.close(),
    }
  } catch (error) {
    await bulk.close()
    throw error
  }
}

type Pages = AsyncIterable<readonly string[]>

type Writer = (pages: Pages, names: readonly string[], isForSpreadsheet: boolean) => AsyncIterable<ExportPart>

const writers: Readonly<Record<FileFormat, Writer>> = {
  async *csv(pages, names, isForSpreadsheet) {
    yield { text: `${isForSpreadsheet ? spreadsheetMark : ''}${csvLine(names)}`, numberOfRecords: 0 }
    const lineOf = isForSpreadsheet ? spreadsheetLine : csvLine
    for await (const page of pages) yield { text: csvOf(page, names, lineOf), numberOfRecords: page.length }
  },
  async *ndjson(pages) {
    for await (const page of pages) yield { text: `${page.join('\n')}\n`, numberOfRecords: page.length }
  },
  /** An array with one record per line. */
  async *json(pages) {
    let separator = '[\n'
    for await (const page of pages) {
      yield { text: `${separator}${page.join(',\n')}`, numberOfRecords: page.length }
      separator = ',\n'
    }
    yield { text: separator === ',\n' ? '\n]\n' : '[]\n', numberOfRecords: 0 }
  },
}

function csvOf(page: readonly string[], names: readonly string[], lineOf: typeof csvLine): string {
  let text = ''
  for (const json of page) {
    const record = JSON.parse(json) as Values
    text += lineOf(names.map((name) => record[name] ?? null))
  }
  return text
}
