/** The names of nouns, fields and links in the database. */
import type { AnyLink, AnyNoun } from '@nomen/core'

/** The table of a noun's records, or of a link's pairs. */
export function tableName(owner: AnyNoun | AnyLink): string {
  return ('nouns' in owner ? owner.table : owner.options.table) ?? owner.name
}

/** The column of a field. */
export function columnName(noun: AnyNoun, field: string): string {
  return noun.fields[field]?.spec.column ?? field
}

/** The column with a searched field's folded string. */
export function foldedName(column: string): string {
  return `${column}_folded`
}

/** The column of a field's sort keys. */
export function sortKeyName(column: string): string {
  return `${column}_sort`
}

/** The field of a column; the column's name if it has no field. */
export function fieldName(noun: AnyNoun, column: string): string {
  return Object.keys(noun.fields).find((field) => columnName(noun, field) === column) ?? column
}

/** The column of a link with the identities of one of its nouns. */
export function pairColumn({ nouns: [first], columns }: AnyLink, { name }: AnyNoun): string {
  return columns?.[first.name === name ? 0 : 1] ?? name
}
