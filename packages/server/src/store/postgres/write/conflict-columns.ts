/** Which columns a value is taken in, as PostgreSQL tells it. */
import { serverError } from '../../fault.ts'
import type { NounSchema } from '../../migrate/schema.ts'
import { takenIndex } from '../error.ts'
import { uniqueColumns } from '../migrate/table.ts'

/** The columns of the unique index that refuses a row; undefined where it is of another table, or of other columns. */
export function takenColumns(noun: NounSchema, error: unknown): readonly string[] | undefined {
  const index = takenIndex(error)
  if (index === undefined) return undefined
  return uniqueColumns(noun, index) ?? toldColumns(noun, serverError(error)?.detail ?? '')
}

/** An index that others have made bears any name, but its columns are told: `Key (tenant, lower(email))=(1, a@b.c) …`. */
function toldColumns({ fields }: NounSchema, detail: string): readonly string[] | undefined {
  const [, told = ''] = /\((.*?)\)=\(/s.exec(detail) ?? []
  const columns = told.split(', ').map((term) => {
    const [, name = term] = /^lower\(\(?(.*?)\)?(?:::text)?\)$/.exec(term) ?? []
    return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
  })
  return columns.every((name) => fields.some((field) => field.name === name)) ? columns : undefined
}
