/** Rows as one parameter of a statement: JSON on the way, a table in the server. */
import { specOf } from '@nomen/core'
import { fold } from '../../fold.ts'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { columnName, foldedName } from '../../stored-name.ts'
import { postgresDialect } from '../dialect.ts'
import { identifier, postgresName } from '../name.ts'

export interface SetColumn {
  readonly name: string
  readonly type: string
}

/** `json_to_recordset($1) as one (…)`. */
export function recordset(columns: readonly SetColumn[]): string {
  const types = columns.map(({ name, type }) => `${identifier(name)} ${type}`)
  return `json_to_recordset($1) as one (${types.join(', ')})`
}

/**
 * The same for rows of a table, with the types that its columns have. The row type is not named: a table may be called as a
 * type of PostgreSQL's own, such as point.
 */
export function tableset(table: string): string {
  const row = `select "_nomen_row" from ${identifier(table)} as "_nomen_row" where false`
  return `json_populate_recordset((${row}), $1) as one`
}

/** The parameter: rows with the values of their columns. */
export function recordsetText(rows: readonly Values[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [postgresName(name), value]))),
  )
}

/** The columns that a write of these values touches, folded texts included. */
export function columnValues({ noun, searched }: StoredNoun, values: Values): Values {
  // A column may be called as what every other object has already.
  const columns: Record<string, Values[string]> = Object.create(null)
  for (const [field, value] of Object.entries(values)) {
    const name = columnName(noun, field)
    columns[name] = postgresDialect.columnValue(specOf(noun, field), value) as Values[string]
    if (searched.has(field)) columns[foldedName(name)] = typeof value === 'string' ? fold(value) : null
  }
  return columns
}
