/** Exports all records of a noun, or pairs of a link, as text that can be loaded again. */
import { csvLine, spreadsheetLine, spreadsheetMark } from '@nomen/core/bulk'
import type { Service } from '../define/definition.ts'
import { modelOf } from '../store/model.ts'
import { openBulk } from '../store/open/bulk.ts'
import type { Values } from '../store/plan.ts'
import { fieldsOf } from './read/field.ts'
import type { FileFormat } from './read/file-reader.ts'
import { findTarget } from './target.ts'

export interface ExportOptions {
  /** `sqlite:path/to/file.db`. */
  readonly database: string
  /** The name of the noun, or of the link. */
  readonly noun: string
  readonly format: FileFormat
  /** Writes CSV that no spreadsheet takes for formulas. A load reads it as the same records. */
  readonly isForSpreadsheet?: boolean
}

/** Some of the text, and how many records it holds. */
export interface ExportPart {
  readonly text: string
  readonly numberOfRecords: number
}

/** All records as they are at one moment. */
export interface Export {
  readonly numberOfRecords: number
  /** In natural order, some at a time. */
  parts(): AsyncIterable<ExportPart>
  close(): Promise<void>
}

/** Begins an export: the moment that it shows is that of this call. */
export async function exportRecords(service: Service, options: ExportOptions): Promise<Export> {
  const { database, noun, format, isForSpreadsheet = false } = options
  const model = modelOf(service.operations)
  const target = findTarget(model, noun)
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
  /** An array with each record in a line of its own. */
  async *json(pages) {
    let before = '[\n'
    for await (const page of pages) {
      yield { text: `${before}${page.join(',\n')}`, numberOfRecords: page.length }
      before = ',\n'
    }
    yield { text: before === ',\n' ? '\n]\n' : '[]\n', numberOfRecords: 0 }
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
