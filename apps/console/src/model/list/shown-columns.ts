/** The columns of a list, adapted if the response differs from the document. */
import { type Field, fieldOf } from '../record/field.ts'
import type { Json } from '../service/openapi.ts'

/** The declared columns. If the records lack some of them, their other fields are shown as well. */
export function shownColumns(columns: readonly Field[], records: readonly Json[]): readonly Field[] {
  const presentColumns = columns.filter(
    ({ name }) => records.length === 0 || records.some((record) => record[name] !== undefined),
  )
  if (presentColumns.length === columns.length) return columns
  const names = new Set(records.flatMap((record) => Object.keys(record)))
  const otherNames = [...names].filter((name) => {
    const isSingle = records.every((record) => typeof record[name] !== 'object' || record[name] === null)
    return isSingle && !columns.some((column) => column.name === name)
  })
  return [...otherNames.map((name) => fieldOf(name, { type: typeOf(records, name), schema: {} })), ...presentColumns]
}

function typeOf(records: readonly Json[], name: string): 'number' | 'boolean' | 'string' {
  const values = records.map((record) => record[name]).filter((value) => value !== null && value !== undefined)
  return values.every((value) => typeof value === 'number')
    ? 'number'
    : values.every((value) => typeof value === 'boolean')
      ? 'boolean'
      : 'string'
}
