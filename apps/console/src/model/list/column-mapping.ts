/** The fields that the columns of a file are imported to. */
import type { Field } from '../record/field.ts'
import { valueToSend } from '../record/values.ts'
import { foldedText } from '../title.ts'
import type { BulkFile, BulkRow } from './bulk-text.ts'

/** The name of the field of each column. Columns without one are not imported. */
export type ColumnMapping = ReadonlyMap<string, string>

/** By the name of a field, or by its title as people read it. Each field has one column. */
export function initialMapping(columns: readonly string[], fields: readonly Field[]): ColumnMapping {
  const mapping = new Map<string, string>()
  const assignColumns = (fits: (column: string, field: Field) => boolean) => {
    const usedNames = new Set(mapping.values())
    for (const column of columns) {
      if (mapping.has(column)) continue
      const field = fields.find((candidate) => !usedNames.has(candidate.name) && fits(column, candidate))
      if (!field) continue
      usedNames.add(field.name)
      mapping.set(column, field.name)
    }
  }
  assignColumns((column, { name }) => name === column)
  assignColumns((column, { title }) => lettersOf(title) === lettersOf(column))
  return mapping
}

/** `E-Mail` and `First name ` are the same as `Email` and `firstname`. */
function lettersOf(text: string): string {
  return foldedText(text).replace(/[^\p{L}\p{N}]/gu, '')
}

/** The rows with the fields of the mapping, and their values as the service takes them. */
export function mappedRows(
  { format, rows }: BulkFile,
  mapping: ColumnMapping,
  fields: readonly Field[],
): readonly BulkRow[] {
  const targets = [...mapping].flatMap(([column, name]) => {
    const field = fields.find((candidate) => candidate.name === name)
    return field ? [{ column, field }] : []
  })
  return rows.map((row) => {
    const { record } = row
    if (!record) return row
    const entries = targets.map(({ column, field }) => [
      field.name,
      format === 'csv' ? cellValue(field, record[column] as string | null) : record[column],
    ])
    return { ...row, record: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
  })
}

/** An empty cell is null in a nullable field. In other fields it counts as missing. Spreadsheets write TRUE and FALSE. */
function cellValue(field: Field, text: string | null): unknown {
  if (text === null) return field.isNullable ? null : undefined
  if (field.kind === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return valueToSend(field, text)
}
