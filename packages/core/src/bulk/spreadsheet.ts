/** CSV for spreadsheets: text that a spreadsheet would run as a formula is escaped when written, and read back exactly. */
import { type Cell, csvLine } from './csv.ts'

/** As OWASP has it: the first characters that begin a formula in one spreadsheet or another. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const escaped = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const number = /^-?\d+(?:\.\d+)?$/

/** A quote before the first column says that cells are escaped: a field cannot have such a name. */
export const spreadsheetMark = "'"

/** Writes one record like `csvLine`, with a single quote before each formula. A number is not a formula. */
export const spreadsheetLine: typeof csvLine = (values, end) => csvLine(values.map(escapedText), end)

/** The columns that a header names, and how the records below it are read: as they are, or as `spreadsheetLine` wrote them. */
export function csvColumns(header: readonly Cell[]): {
  readonly columns: readonly string[]
  readonly read: (cells: readonly Cell[]) => readonly Cell[]
} {
  const [first = '', ...others] = header.map((cell) => cell ?? '')
  if (!first.startsWith(spreadsheetMark)) return { columns: [first, ...others], read: (cells) => cells }
  return {
    columns: [first.slice(spreadsheetMark.length), ...others],
    read: (cells) => cells.map((cell) => (cell !== null && escaped.test(cell) ? cell.slice(1) : cell)),
  }
}

function escapedText<Value>(value: Value): Value | string {
  return typeof value === 'string' && formula.test(value) && !number.test(value) ? `'${value}` : value
}
