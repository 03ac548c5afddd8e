/** Rows as one statement parameter: JSON on the wire, a table on the server. */
import { specOf } from '@nomen/core'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import { columnName } from '../../stored-name.ts'
import { derivedValue } from '../../text/derived-column.ts'
import { postgresDialect } from '../dialect.ts'
import { identifier, postgresName } from '../name.ts'

export interface SetColumn {
  readonly name: string
  readonly type: string
}

/** `json_to_recordset($1) as item (…)`. */
export function recordset(columns: readonly SetColumn[]): string {
  const types = columns.map(({ name, type }) => `${identifier(name)} ${type}`)
  return `json_to_recordset($1) as item (${types.join(', ')})`
}

/**
 * Like `recordset`, with the column types of a table. The row type is not named, because a table may have the name of a
 * PostgreSQL type, such as point.
 */
export function tableRecordset(table: string): string {
  const row = `select "_nomen_row" from ${identifier(table)} as "_nomen_row" where false`
  return `json_populate_recordset((${row}), $1) as item`
}

/** The parameter: rows with column values. */
export function recordsetJson(rows: readonly Values[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [postgresName(name), value]))),
  )
}

/** The columns that a write of these values sets, including derived ones. */
export function columnValues({ noun, derived }: StoredNoun, values: Values): Values {
  // No prototype, because a column may have the name of one of its properties.
  const columns: Record<string, Values[string]> = Object.create(null)
  for (const [field, value] of Object.entries(values)) {
    columns[columnName(noun, field)] = postgresDialect.columnValue(specOf(noun, field), value) as Values[string]
    for (const column of derived.get(field) ?? []) columns[column.name] = derivedValue(column, value)
  }
  return columns
}
