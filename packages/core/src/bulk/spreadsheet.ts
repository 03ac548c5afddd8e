/** CSV for spreadsheets: escapes strings that a spreadsheet would run as a formula (CSV injection). */
import { type Cell, csvLine } from './csv.ts'

/** The first characters of formulas in spreadsheets, as OWASP lists them. */
const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const escapedFormulaStart = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const numberPattern = /^-?\d+(?:\.\d+)?$/

/**
 * The prefix of the first CSV column that marks a file with escaped cells. A field name cannot begin with it.
 *
 * @example
 * ```ts
 * const header = csvLine([`${spreadsheetMark}id`, 'name'])
 * ```
 */
export const spreadsheetMark = "'"

/**
 * Writes a CSV line like `csvLine`, and escapes formulas with a single quote (CSV injection). Numbers are not escaped.
 *
 * @example
 * ```ts
 * spreadsheetLine([1, '=HYPERLINK("http://evil")']) // `1,"'=HYPERLINK(""http://evil"")"\n`
 * ```
 */
export const spreadsheetLine: typeof csvLine = (values, end) => csvLine(values.map(escapeFormula), end)

/**
 * Reads a CSV header. It returns the column names, and a function that unescapes cells if `spreadsheetLine` wrote the file.
 *
 * @example
 * ```ts
 * const { columns, read } = csvColumns(["'id", 'name']) // columns: ['id', 'name']
 * read(['1', "'=SUM(A1)"]) // ['1', '=SUM(A1)']
 * ```
 */
export function csvColumns(header: readonly Cell[]): {
  readonly columns: readonly string[]
  readonly read: (cells: readonly Cell[]) => readonly Cell[]
} {
  const [first = '', ...others] = header.map((cell) => cell ?? '')
  if (!first.startsWith(spreadsheetMark)) return { columns: [first, ...others], read: (cells) => cells }
  return {
    columns: [first.slice(spreadsheetMark.length), ...others],
    read: (cells) => cells.map((cell) => (cell !== null && escapedFormulaStart.test(cell) ? cell.slice(1) : cell)),
  }
}

function escapeFormula<Value>(value: Value): Value | string {
  return typeof value === 'string' && formulaStart.test(value) && !numberPattern.test(value) ? `'${value}` : value
}
