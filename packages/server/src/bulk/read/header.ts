/** Checks the header of a CSV file: all columns are fields, no column is repeated, and no required column is missing. */
import { quoted } from '../../foundation/quoted.ts'
import { BulkError } from '../error.ts'
import { type RowContext, unknownDetail } from './row.ts'

/** With `isComplete`, required fields must have a column. */
export function checkHeader(names: readonly string[], { fields, ignored }: RowContext, isComplete: boolean): void {
  const knownNames = fields.map(({ name }) => name)
  const unknown = names.filter((name) => !knownNames.includes(name) && !ignored.includes(name))
  if (unknown.length > 0)
    throw new BulkError(
      `The column ${quoted(unknown[0])} ${unknownDetail(`${unknown[0]}`, knownNames)}.`,
      columnFix(names, knownNames),
    )
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined)
    throw new BulkError(`The header has the column "${repeated}" twice.`, 'Remove one of them.')
  const missing = fields
    .filter(({ name, isRequired }) => isRequired && !names.includes(name))
    .map(({ name }) => `"${name}"`)
  if (isComplete && missing.length > 0) {
    const columns = missing.length === 1 ? `column ${missing} is` : `columns ${missing.join(', ')} are`
    throw new BulkError(`The required ${columns} missing.`, `The header has ${names.join(', ')}.`)
  }
}

function columnFix(names: readonly string[], knownNames: readonly string[]): string {
  const [onlyName = ''] = names
  if (names.length === 1 && /[;\t|]/.test(onlyName)) return 'Separate the columns with commas.'
  return `The first line must have the names of the columns. The fields are ${knownNames.join(', ')}.`
}
