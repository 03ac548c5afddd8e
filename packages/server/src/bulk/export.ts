/** Exports all records of a noun, or pairs of a link, as text that can be loaded again. */
import type { Service } from '../definition.ts'
import { modelOf } from '../store/model.ts'
import { openBulk } from '../store/open-bulk.ts'
import type { Values } from '../store/plan.ts'
import { fieldsOf } from './bulk-field.ts'
import { csvLine } from './csv.ts'
import type { FileFormat } from './file-reader.ts'
import { findTarget } from './target.ts'

export interface ExportOptions {
  /** `sqlite:path/to/file.db`. */
  readonly database: string
  /** The name of the noun, or of the link. */
  readonly noun: string
  readonly format: FileFormat
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
export async function exportRecords(service: Service, { database, noun, format }: ExportOptions): Promise<Export> {
  const model = modelOf(service.operations)
  const target = findTarget(model, noun)
  const bulk = await openBulk(database, model)
  try {
    const { numberOfRecords, pages } = await bulk.snapshot(target)
    const names = fieldsOf(target).map(({ name }) => name)
    return {
      numberOfRecords,
      parts: () => writers[format](pages(), names),
      close: () => bulk.close(),
    }
  } catch (error) {
    await bulk.close()
    throw error
  }
}

type Pages = AsyncIterable<readonly string[]>

const writers: Readonly<Record<FileFormat, (pages: Pages, names: readonly string[]) => AsyncIterable<ExportPart>>> = {
  async *csv(pages, names) {
    yield { text: csvLine(names), numberOfRecords: 0 }
    for await (const page of pages) yield { text: csvOf(page, names), numberOfRecords: page.length }
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

function csvOf(page: readonly string[], names: readonly string[]): string {
  let text = ''
  for (const json of page) {
    const record = JSON.parse(json) as Values
    text += csvLine(names.map((name) => record[name] ?? null))
  }
  return text
}
