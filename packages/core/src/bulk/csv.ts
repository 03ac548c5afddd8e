/** Comma-separated values as RFC 4180 has them: records read from blocks of text, and written. */
import { type FileRecord, maxBytes, type TextBlock } from './file-record.ts'

/** The text of one value: null is an empty cell without quotes, '' is an empty text in quotes. */
export type Cell = string | null

type Parsed = { readonly cells: readonly Cell[]; readonly lines: number } | { readonly fault: string } | 'unfinished'

const strayQuote = 'has a quote inside a value; put the value in quotes and double the quote'
const openQuote = 'opens a quote that is never closed'

/** Reads a file block by block. */
export class CsvReader {
  #line = 1
  /** A record that goes on in the next block. */
  #rest = ''
  readonly #faults = new Map<number, string>()

  /** Reads the text of one record again. */
  again(text: string): readonly Cell[] {
    const parsed = text.includes('"') ? quotedCells(text, 0) : plainCells(text, 0, text.length)
    return parsed !== 'unfinished' && 'cells' in parsed ? parsed.cells : []
  }

  *records(block: TextBlock): Generator<FileRecord<readonly Cell[]>> {
    this.#noteFaults(block)
    const text = this.#rest + block.text
    this.#rest = ''
    let [at, quote] = [0, -1]
    while (at < text.length) {
      if (quote < at) quote = indexOrEnd(text, '"', at)
      const lineEnd = indexOrEnd(text, '\n', at)
      const parsed: Parsed = quote > lineEnd ? plainCells(text, at, lineEnd) : quotedCells(text, at)
      if (parsed === 'unfinished' && !block.isLast && text.length - at <= maxBytes) {
        this.#rest = text.slice(at)
        return
      }
      const isWhole = parsed !== 'unfinished' && 'cells' in parsed
      const lines = isWhole ? parsed.lines : 1
      const next = lines === 1 ? lineEnd + 1 : endOfLines(text, at, lines)
      const own = withoutLineEnd(text, at, next)
      const fault = this.#faultOf(lines) ?? (isWhole ? undefined : parsed === 'unfinished' ? openQuote : parsed.fault)
      // An empty line is not a record.
      if (fault !== undefined) yield { line: this.#line, text: own, fault }
      else if (own !== '' && isWhole) yield { line: this.#line, text: own, content: parsed.cells }
      // After a fault the next line is read as a record again: one stray quote must not swallow the rest.
      this.#line += lines
      at = next
    }
  }

  #noteFaults({ faults }: TextBlock): void {
    if (!faults?.size) return
    const first = this.#line + this.#rest.split('\n').length - 1
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

/** Writes one record and its line end. The empty text is written in quotes, so that it is not read as null. */
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

/** The usual case: no quote in the whole line. */
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

/** The quote that ends the value which this quote opens; a doubled quote is a character of the value. */
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
