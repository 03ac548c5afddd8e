/** CSV (RFC 4180): reads records from blocks of text, and writes them. */
import { type FileRecord, maxBytes, type TextBlock } from './file-record.ts'

/** A CSV cell. An empty cell without quotes is null; an empty cell in quotes is ''. */
export type Cell = string | null

type Parsed = { readonly cells: readonly Cell[]; readonly lines: number } | { readonly fault: string } | 'unfinished'

const strayQuote = 'has a quote inside a value; put the value in quotes and double the quote'
const openQuote = 'opens a quote that is never closed'

/**
 * Parses a CSV file (RFC 4180) block by block, in constant memory.
 *
 * @example
 * ```ts
 * const reader = new CsvReader()
 * for (const record of reader.records({ text: 'id,name\n1,Ada\n', isLast: true }))
 *   console.log(record.line, 'fault' in record ? record.fault : record.content) // 1 ['id', 'name'], 2 ['1', 'Ada']
 * ```
 */
export class CsvReader {
  #line = 1
  /** The beginning of a record that continues in the next block. */
  #incomplete = ''
  readonly #faults = new Map<number, string>()

  /** Reads one record again from its line. */
  again(text: string): readonly Cell[] {
    const parsed = text.includes('"') ? quotedCells(text, 0) : plainCells(text, 0, text.length)
    return parsed !== 'unfinished' && 'cells' in parsed ? parsed.cells : []
  }

  /** The records of the next block. An empty line is not a record. */
  *records(block: TextBlock): Generator<FileRecord<readonly Cell[]>> {
    this.#noteFaults(block)
    const text = this.#incomplete + block.text
    this.#incomplete = ''
    let [at, quote] = [0, -1]
    while (at < text.length) {
      if (quote < at) quote = indexOrEnd(text, '"', at)
      const lineEnd = indexOrEnd(text, '\n', at)
      const parsed: Parsed = quote > lineEnd ? plainCells(text, at, lineEnd) : quotedCells(text, at)
      if (parsed === 'unfinished' && !block.isLast && text.length - at <= maxBytes) {
        this.#incomplete = text.slice(at)
        return
      }
      const isWhole = parsed !== 'unfinished' && 'cells' in parsed
      const lines = isWhole ? parsed.lines : 1
      const next = lines === 1 ? lineEnd + 1 : endOfLines(text, at, lines)
      const recordText = withoutLineEnd(text, at, next)
      const fault = this.#faultOf(lines) ?? (isWhole ? undefined : parsed === 'unfinished' ? openQuote : parsed.fault)
      // An empty line is not a record.
      if (fault !== undefined) yield { line: this.#line, text: recordText, fault }
      else if (recordText !== '' && isWhole) yield { line: this.#line, text: recordText, content: parsed.cells }
      // After a fault, parsing continues at the next line, so that one stray quote does not swallow the file.
      this.#line += lines
      at = next
    }
  }

  #noteFaults({ faults }: TextBlock): void {
    if (!faults?.size) return
    const first = this.#line + this.#incomplete.split('\n').length - 1
    for (const [line, fault] of faults) this.#faults.set(first + line, fault)
  }

  /** The first fault of the next lines. */
  #faultOf(lines: number): string | undefined {
    if (this.#faults.size === 0) return undefined
    let fault: string | undefined
    for (let line = this.#line; line < this.#line + lines; line++) {
      fault ??= this.#faults.get(line)
      this.#faults.delete(line)
    }
    return fault
  }
}

/**
 * Writes a record as a CSV line (RFC 4180). It quotes an empty string, so that readers do not take it for null.
 *
 * @example
 * ```ts
 * csvLine([1, 'Ada, Countess', null, '']) // '1,"Ada, Countess",,""\n'
 * ```
 */
export function csvLine(values: readonly (string | number | boolean | null)[], end = '\n'): string {
  let line = ''
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as string | number | boolean | null
    if (at > 0) line += ','
    if (typeof value !== 'string') line += value === null ? '' : value
    else if (value === '' || special.test(value)) line += `"${value.replaceAll('"', '""')}"`
    else line += value
  }
  return line + end
}

const special = /[",\r\n]/

/** Parses a line without quotes, which is the common case. */
function plainCells(text: string, at: number, lineEnd: number): Parsed {
  const end = text[lineEnd - 1] === '\r' && lineEnd > at && lineEnd < text.length ? lineEnd - 1 : lineEnd
  const cells: Cell[] = text.slice(at, end).split(',')
  for (let index = 0; index < cells.length; index++) if (cells[index] === '') cells[index] = null
  return { cells, lines: 1 }
}

function quotedCells(text: string, start: number): Parsed {
  const cells: Cell[] = []
  let [at, lines] = [start, 1]
  for (;;) {
    const isQuoted = text[at] === '"'
    const end = isQuoted ? closingQuote(text, at) : endOfPlain(text, at)
    if (end === -1) return 'unfinished'
    if (isQuoted) {
      const inside = text.slice(at + 1, end)
      cells.push(inside.includes('"') ? inside.replaceAll('""', '"') : inside)
      for (let feed = inside.indexOf('\n'); feed !== -1; feed = inside.indexOf('\n', feed + 1)) lines++
      at = end + 1
    } else {
      cells.push(text.slice(at, end) || null)
      at = end
    }
    if (text[at] === ',') at++
    else if (at >= text.length || text[at] === '\n' || text.startsWith('\r\n', at)) return { cells, lines }
    else return { fault: strayQuote }
  }
}

/** The index of the closing quote. A doubled quote is a character of the value. */
function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/** The end of a value without quotes: a comma, a line end, or a quote that must not be there. */
function endOfPlain(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === ',' || character === '\n' || character === '"') return at
    if (character === '\r' && text[at + 1] === '\n') return at
  }
  return text.length
}

function indexOrEnd(text: string, searched: string, at: number): number {
  const index = text.indexOf(searched, at)
  return index === -1 ? text.length : index
}

/** The index after a number of lines. */
function endOfLines(text: string, at: number, lines: number): number {
  let end = at
  for (let line = 0; line < lines; line++) end = indexOrEnd(text, '\n', end) + 1
  return end
}

function withoutLineEnd(text: string, at: number, next: number): string {
  const end = text[next - 1] === '\n' ? next - 1 : Math.min(next, text.length)
  return text.slice(at, text[end - 1] === '\r' && end > at && text[end] === '\n' ? end - 1 : end)
}
