/** Fields that rows omit: those with `.databaseDefault()` take the default of their column. */
import { type AnyNoun, specOf } from '@nomen/core'

interface Row {
  readonly [field: string]: unknown
}

/** Returns the fields that a row omits. Specialized for one noun, because most nouns have no such field. */
export function absentFields(noun: AnyNoun): (row: Row) => readonly string[] {
  const fields = defaultedFields(noun)
  return fields.length === 0 ? () => fields : (row) => fields.filter((field) => row[field] === undefined)
}

/** Rows that omit the same fields, so that one statement can insert them. */
export interface RowGroup<Item> {
  readonly absent: readonly string[]
  readonly rows: readonly Item[]
}

export function groupByAbsent<Item extends Row>(noun: AnyNoun, rows: readonly Item[]): readonly RowGroup<Item>[] {
  if (defaultedFields(noun).length === 0) return [{ absent: [], rows }]
  const absentOf = absentFields(noun)
  const groups = Map.groupBy(rows, (row) => absentOf(row).join())
  return [...groups.values()].map((group) => ({ absent: absentOf(group[0] as Item), rows: group }))
}

function defaultedFields(noun: AnyNoun): readonly string[] {
  return Object.keys(noun.fields).filter((field) => specOf(noun, field).databaseDefault)
}
