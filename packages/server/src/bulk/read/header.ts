/** Checks the header of a CSV file: its columns are fields, each at most once, and what every record needs is there. */
import { quoted } from '../../foundation/quoted.ts'
import { BulkError } from '../error.ts'
import { type RowContext, unknownDetail } from './row.ts'

/** `isComplete`: a record that lacks a required field could not be used at all. */
export function checkHeader(names: readonly string[], { fields, ignored }: RowContext, isComplete: boolean): void {
  const known = fields.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name) && !ignored.includes(name))
  if (unknown.length > 0)
    throw new BulkError(
      `The column ${quoted(unknown[0])} ${unknownDetail(`${unknown[0]}`, known)}.`,
      mendOf(names, known),
    )
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new BulkError(`The column "${twice}" stands twice in the header.`, 'Leave one of them out.')
  const missing = fields
    .filter(({ name, isRequired }) => isRequired && !names.includes(name))
    .map(({ name }) => `"${name}"`)
  if (isComplete && missing.length > 0) {
    const columns = missing.length === 1 ? `column ${missing}` : `columns ${missing.join(', ')}`
    throw new BulkError(
      `The file has no ${columns}, and no record can be without.`,
      `The header names ${names.join(', ')}.`,
    )
  }
}

function mendOf(names: readonly string[], known: readonly string[]): string {
  const [only = ''] = names
  if (names.length === 1 && /[;\t|]/.test(only)) return 'Separate the columns by commas.'
  return `The first line names the columns; the fields are ${known.join(', ')}.`
}
