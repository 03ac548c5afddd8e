/** Cells that a spreadsheet would run as formulas: written as text, and read back exactly. */

/** As OWASP has it: the first characters that begin a formula in one spreadsheet or another. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const written = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const number = /^-?\d+(?:\.\d+)?$/

/** A quote before the first column says that cells are written in this way: no field has such a name. */
export const spreadsheetMark = "'"

/** The text with a single quote before it, if a spreadsheet could take it for a formula. A number is not one. */
export function asSpreadsheetText<Value>(value: Value): Value | string {
  return typeof value === 'string' && formula.test(value) && !number.test(value) ? `'${value}` : value
}

/** The text as it was before that. */
export function fromSpreadsheetText(text: string): string {
  return written.test(text) ? text.slice(1) : text
}
