/** One JSON object a line, read from blocks of text: those of a file, or those that are made of a JSON array. */
import type { FileRecord, TextBlock } from '@nomen/core/bulk'
import { quoted } from '../../foundation/quoted.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Records of a file are counted by lines, or one by one. */
export type Unit = 'line' | 'record'

export class NdjsonReader {
  readonly #unit: Unit
  #line = 0

  constructor(unit: Unit) {
    this.#unit = unit
  }

  /** Reads the text of one record again. */
  again(text: string): JsonObject {
    return JSON.parse(text)
  }

  *records({ text, faults }: TextBlock): Generator<FileRecord<JsonObject>> {
    for (let [at, inBlock] = [0, 0]; at < text.length; inBlock++) {
      const found = text.indexOf('\n', at)
      const end = found === -1 ? text.length : found
      const own = text.slice(at, end)
      const line = ++this.#line
      const fault = faults?.get(inBlock)
      if (fault !== undefined) yield { line, text: own, fault }
      else if (!isBlank(own)) yield { line, text: own, ...parsed(own) }
      // Between the commas of an array there must be something.
      else if (this.#unit === 'record' && found !== -1)
        yield { line, text: own, fault: 'is empty: there is a comma too many' }
      at = end + 1
    }
  }
}

function parsed(text: string): { readonly content: JsonObject } | { readonly fault: string } {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is nested too deeply'
    return { fault: `is no JSON: ${reason}` }
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { content: given as JsonObject }
  return { fault: `is ${quoted(given)}, not an object` }
}

function isBlank(text: string): boolean {
  return text === '' || text === '\r' || text.trim() === ''
}
