/** A real, empty database for tests of migrations, and functions to inspect it, for every kind of database. */
import type { Value } from '@nomen/core'
import { formOf } from '../src/store/migrate/convert.ts'
import type { MigrationReport } from '../src/store/migrate/report.ts'
import { schemaOf } from '../src/store/migrate/schema/model-schema.ts'
import { type FieldSchema, nounOf } from '../src/store/migrate/schema/schema.ts'
import type { Model } from '../src/store/model.ts'

/** The tables of every migrated database that hold no declared records, as `tables()` lists them. */
export const ownTableNames = [
  '_consumer',
  '_idempotency',
  '_load',
  '_load_open',
  '_schema',
  '_usage',
  '_usage_instance',
]

export interface MigratedDatabase {
  migrate(model: Model, mode: 'start' | 'plan' | 'apply' | 'contract'): Promise<MigrationReport>
  /** Statements that every database understands. */
  run(sql: string): Promise<void>
  /** Inserts a record whose fields are as on the wire; other columns are given as they are stored. */
  insert(model: Model, noun: string, record: Readonly<Record<string, Value>>): Promise<void>
  /** Fields, or columns, of all records in the order of their identities, as on the wire. */
  records(model: Model, noun: string, ...fields: readonly string[]): Promise<readonly Record<string, Value>[]>
  /** The names of a table's columns in their order, and of its indexes in theirs. */
  columns(table: string): Promise<readonly string[]>
  indexes(table: string): Promise<readonly string[]>
  /** The tables that both databases have, without those of the tallies. */
  tables(): Promise<readonly string[]>
  /** How many records a noun's tallies count, by their keys. */
  tallies(noun: string): Promise<Readonly<Record<string, number>>>
  /** Everything in it: the schema and every row of every table. */
  contents(): Promise<string>
  /** The schema alone, without the order of columns. */
  schema(): Promise<unknown>
  /** Throws where a reference points at nothing, or the database is damaged. */
  check(): Promise<void>
  /** Runs the work in one transaction, at whose end the references must be whole. */
  deferred(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** The fields of a noun by their names. */
export function fieldsOf(model: Model, noun: string): ReadonlyMap<string, FieldSchema> {
  return new Map(nounOf(schemaOf(model), noun).fields.map((field) => [field.name, field]))
}

/** A value on the wire, from the text of its column. */
export function wireValue(field: FieldSchema | undefined, text: string | null): Value {
  if (text === null || !field) return text
  const form = formOf(field)
  if (form === 'boolean') return text === 'true'
  return form === 'whole' || form === 'number' ? Number(text) : text
}

/** Tallies by their keys, those that have come to nothing left out. */
export function talliesIn(rows: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    rows.flatMap(({ key, records }) => (Number(records) === 0 ? [] : [[`${key}`, Number(records)]])),
  )
}
