/** Stores new records with COPY. */
import { specOf, type Value } from '@nomen/core'
import type { ClientBase } from 'pg'
import type { RowGroup } from '../../bulk/absent-field.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import type { StoredNoun } from '../../model.ts'
import type { Values } from '../../plan.ts'
import type { ColumnValue } from '../../sql/dialect.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { derivedValue } from '../../text/derived-column.ts'
import { postgresDialect } from '../dialect.ts'
import { columnsOf } from '../migrate/sql/table.ts'
import { identifier } from '../name.ts'
import { copyRows } from './copy-rows.ts'

/** The columns of absent fields take their defaults. Returns the number of records that were stored. */
export function copyRecords(
  client: ClientBase,
  stored: StoredNoun,
  schema: NounSchema,
  { absent, rows }: RowGroup<Values>,
): Promise<number> {
  const columns = copiedColumns(stored, schema, absent)
  const names = columns.map(identifier).join(', ')
  const statement = `copy ${identifier(tableName(stored.noun))} (${names}) from stdin`
  return copyRows(client, statement, cellsOf(stored, columns, rows))
}

/** Without the version, which the database sets. */
function copiedColumns({ noun }: StoredNoun, schema: NounSchema, absent: readonly string[]): readonly string[] {
  const omitted = new Set(['_version', ...absent.map((field) => columnName(noun, field))])
  return columnsOf(schema).flatMap(({ name, derived }) => (omitted.has(derived?.from ?? name) ? [] : name))
}

/** The cells of each row, in the order of the columns. */
function* cellsOf({ noun, derived }: StoredNoun, columns: readonly string[], rows: readonly Values[]) {
  const cells = new Map<string, (row: Values) => ColumnValue>()
  for (const field of Object.keys(noun.fields)) {
    const spec = specOf(noun, field)
    const read = (row: Values): Value => row[field] ?? null
    cells.set(columnName(noun, field), (row) => postgresDialect.columnValue(spec, read(row)))
    for (const column of derived.get(field) ?? []) cells.set(column.name, (row) => derivedValue(column, read(row)))
  }
  const orderedCells = columns.map((column) => cells.get(column))
  for (const row of rows) yield orderedCells.map((cell) => cell?.(row) ?? null)
}
