/** Reads one JSON object per line from blocks of text, of an NDJSON file or of a JSON array that was split into lines. */
import type { FileRecord, TextBlock } from '@nomen/core/bulk'
import { quoted } from '../../foundation/quoted.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Whether lines or records are counted. */
export type Unit = 'line' | 'record'

export class NdjsonReader {
  readonly #unit: Unit
  #line = 0

  constructor(unit: Unit) {
    this.#unit = unit
  }

  /** Reads one record again from its line. */
  readAgain(text: string): JsonObject {
    return JSON.parse(text)
  }

  *records({ text, faults }: TextBlock): Generator<FileRecord<JsonObject>> {
    for (let [start, lineInBlock] = [0, 0]; start < text.length; lineInBlock++) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const lineText = text.slice(start, end)
      const line = ++this.#line
      const fault = faults?.get(lineInBlock)
      if (fault !== undefined) yield { line, text: lineText, fault }
      else if (!isBlank(lineText)) yield { line, text: lineText, ...parse(lineText) }
      // An array must not have empty elements.
      else if (this.#unit === 'record' && newline !== -1)
        yield { line, text: lineText, fault: 'is empty: there is an extra comma' }
      start = end + 1
    }
  }
}

function parse(text: string): { readonly content: JsonObject } | { readonly fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: `is not valid JSON: ${(error as SyntaxError).message}` }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { content: value as JsonObject }
  return { fault: `is ${quoted(value)}, not an object` }
}

function isBlank(text: string): boolean {
  return text === '' || text === '\r' || text.trim() === ''
}
