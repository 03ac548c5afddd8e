/** The columns of a violated unique index. */
import { serverError } from '../../fault/fault.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import { takenIndex } from '../error.ts'
import { uniqueColumns } from '../migrate/sql/table.ts'

/** The columns of the unique index that rejects a row; undefined if it belongs to another table or to undeclared columns. */
export function takenColumns(noun: NounSchema, error: unknown): readonly string[] | undefined {
  const index = takenIndex(error)
  if (index === undefined) return undefined
  return uniqueColumns(noun, index) ?? columnsIn(noun, serverError(error)?.detail ?? '')
}

/** An index of another program can have any name, but the detail has its columns: `Key (tenant, lower(email))=(1, a@b.c) …`. */
function columnsIn({ fields }: NounSchema, detail: string): readonly string[] | undefined {
  const [, terms = ''] = /\((.*?)\)=\(/s.exec(detail) ?? []
  const columns = terms.split(', ').map((term) => {
    const [, name = term] = /^lower\(\(?(.*?)\)?(?:::text)?\)$/.exec(term) ?? []
    return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
  })
  return columns.every((name) => fields.some((field) => field.name === name)) ? columns : undefined
}
