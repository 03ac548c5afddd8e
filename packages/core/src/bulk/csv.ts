/** CSV (RFC 4180): reads records from blocks of text, and writes them. */
import { type FileRecord, maxBytes, type TextBlock } from './file-record.ts'

/** A CSV cell. An empty cell without quotes is null; an empty cell in quotes is ''. */
export type Cell = string | null

type ParseResult =
  | { readonly cells: readonly Cell[]; readonly lines: number }
  | { readonly fault: string }
  | 'unfinished'

const strayQuoteFault = 'has a quote inside a value; put the value in quotes and double the quote'
const openQuoteFault = 'opens a quote that is never closed'

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
  readAgain(text: string): readonly Cell[] {
    const result = text.includes('"') ? quotedCells(text, 0) : unquotedCells(text, 0, text.length)
    return result !== 'unfinished' && 'cells' in result ? result.cells : []
  }

  /** The records of the next block. An empty line is not a record. */
  *records(block: TextBlock): Generator<FileRecord<readonly Cell[]>> {
    this.#addFaults(block)
    const text = this.#incomplete + block.text
    this.#incomplete = ''
    let [position, quote] = [0, -1]
    while (position < text.length) {
      if (quote < position) quote = indexOrEnd(text, '"', position)
      const lineEnd = indexOrEnd(text, '\n', position)
      const result: ParseResult = quote > lineEnd ? unquotedCells(text, position, lineEnd) : quotedCells(text, position)
      if (result === 'unfinished' && !block.isLast && text.length - position <= maxBytes) {
        this.#incomplete = text.slice(position)
        return
      }
      const isComplete = result !== 'unfinished' && 'cells' in result
      const lines = isComplete ? result.lines : 1
      const nextStart = lines === 1 ? lineEnd + 1 : endOfLines(text, position, lines)
      const recordText = withoutLineEnd(text, position, nextStart)
      const fault =
        this.#faultOf(lines) ?? (isComplete ? undefined : result === 'unfinished' ? openQuoteFault : result.fault)
      if (fault !== undefined) yield { line: this.#line, text: recordText, fault }
      else if (recordText !== '' && isComplete) yield { line: this.#line, text: recordText, content: result.cells }
      // After a fault, parsing continues at the next line, so that one stray quote does not swallow the file.
      this.#line += lines
      position = nextStart
    }
  }

  #addFaults({ faults }: TextBlock): void {
    if (!faults?.size) return
    const firstLine = this.#line + this.#incomplete.split('\n').length - 1
    for (const [line, fault] of faults) this.#faults.set(firstLine + line, fault)
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
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as string | number | boolean | null
    if (index > 0) line += ','
    if (typeof value !== 'string') line += value === null ? '' : value
    else if (value === '' || needsQuotes.test(value)) line += `"${value.replaceAll('"', '""')}"`
    else line += value
  }
  return line + end
}

const needsQuotes = /[",\r\n]/

/** Parses a line without quotes, which is the common case. */
function unquotedCells(text: string, start: number, lineEnd: number): ParseResult {
  const end = text[lineEnd - 1] === '\r' && lineEnd > start && lineEnd < text.length ? lineEnd - 1 : lineEnd
  const cells: Cell[] = text.slice(start, end).split(',')
  for (let index = 0; index < cells.length; index++) if (cells[index] === '') cells[index] = null
  return { cells, lines: 1 }
}

function quotedCells(text: string, start: number): ParseResult {
  const cells: Cell[] = []
  let [position, lines] = [start, 1]
  for (;;) {
    const isQuoted = text[position] === '"'
    const end = isQuoted ? closingQuote(text, position) : endOfUnquoted(text, position)
    if (end === -1) return 'unfinished'
    if (isQuoted) {
      const content = text.slice(position + 1, end)
      cells.push(content.includes('"') ? content.replaceAll('""', '"') : content)
      for (let lineFeed = content.indexOf('\n'); lineFeed !== -1; lineFeed = content.indexOf('\n', lineFeed + 1))
        lines++
      position = end + 1
    } else {
      cells.push(text.slice(position, end) || null)
      position = end
    }
    if (text[position] === ',') position++
    else if (position >= text.length || text[position] === '\n' || text.startsWith('\r\n', position))
      return { cells, lines }
    else return { fault: strayQuoteFault }
  }
}

/** The index of the closing quote. A doubled quote is a character of the value. */
function closingQuote(text: string, opening: number): number {
  let index = text.indexOf('"', opening + 1)
  while (index !== -1 && text[index + 1] === '"') index = text.indexOf('"', index + 2)
  return index
}

/** The end of a value without quotes: a comma, a line end, or a quote that must not be there. */
function endOfUnquoted(text: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (character === ',' || character === '\n' || character === '"') return index
    if (character === '\r' && text[index + 1] === '\n') return index
  }
  return text.length
}

function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start)
  return index === -1 ? text.length : index
}

/** The index after a number of lines. */
function endOfLines(text: string, start: number, lines: number): number {
  let end = start
  for (let line = 0; line < lines; line++) end = indexOrEnd(text, '\n', end) + 1
  return end
}

function withoutLineEnd(text: string, start: number, nextStart: number): string {
  const end = text[nextStart - 1] === '\n' ? nextStart - 1 : Math.min(nextStart, text.length)
  return text.slice(start, text[end - 1] === '\r' && end > start && text[end] === '\n' ? end - 1 : end)
}
