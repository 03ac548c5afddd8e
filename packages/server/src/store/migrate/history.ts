/** The tables whose changes are recorded, and the changes to their triggers in a migration. */
import { derivedName } from './schema/derived-name.ts'
import {
  declaredName,
  type FieldSchema,
  fieldOf,
  type LinkSchema,
  linkColumns,
  type NounSchema,
  nounOf,
  type Schema,
} from './schema/schema.ts'

/** The kinds of recorded events of a table. */
export type HistoryEvent = 'insert' | 'update' | 'delete'

/** A field of a recorded table: its name in the declaration, and its column. */
export interface RecordedField {
  readonly name: string
  readonly column: string
  readonly field: FieldSchema
}

/** A table whose changes are recorded. */
export interface RecordedTable {
  readonly table: string
  /** The name of the noun or link. */
  readonly noun: string
  /** The records that a row is about: both of a link; the record of a noun, and its owner if it has one. */
  readonly records: readonly { readonly noun: string; readonly column: string }[]
  /** Empty for a link. */
  readonly fields: readonly RecordedField[]
  /** Whether the table is adopted: it existed before Nomen, and other programs may write it as well. */
  readonly isAdopted: boolean
  /** The number of entries that are kept for each record; absent if there is no limit. */
  readonly maxEntries?: number
}

/** The entry of a migration about all records of a noun. */
export interface MigrationEntry {
  readonly noun: string
  readonly kind: 'STARTED' | 'MIGRATED'
  /** The names of the changed fields; absent if the history begins. */
  readonly fields?: string
}

/** The application of entries that a migration writes. */
const migrationApplication = 'nomen migrate'

/** The SQL of a database for the triggers of one table, and for the entries of a migration. */
export interface HistoryStatements {
  create(table: RecordedTable): readonly string[]
  drop(table: RecordedTable): readonly string[]
  insert(entry: MigrationEntry): string
  /** Marks the entries of an earlier table of this name: its records have nothing in common with those of the new table. */
  retire(table: RecordedTable): string
}

/** The statements to run before and after the tables change. Triggers of changed tables are created again. */
export function historyChanges(
  before: Schema,
  after: Schema,
  changedTables: ReadonlySet<string>,
  { create, drop, insert, retire }: HistoryStatements,
): { readonly beforeChanges: readonly string[]; readonly afterChanges: readonly string[] } {
  const form = (table: RecordedTable) => JSON.stringify(create(table))
  const [oldTables, newTables] = [recordedTables(before), recordedTables(after)]
  const isKept = (table: RecordedTable, others: readonly RecordedTable[]) =>
    !changedTables.has(table.table) && others.some((other) => form(other) === form(table))
  return {
    beforeChanges: oldTables.filter((table) => !isKept(table, newTables)).flatMap(drop),
    afterChanges: [
      ...newTables.filter(({ table }) => !tableNames(before).has(table)).map(retire),
      ...newTables.filter((table) => !isKept(table, oldTables)).flatMap(create),
      ...migrationEntries(oldTables, newTables).map(insert),
    ],
  }
}

function tableNames({ nouns, links }: Schema): ReadonlySet<string> {
  return new Set([...nouns, ...links].map(({ name }) => name))
}

/** Whether records may have lost entries that would now be kept: their history is complete only from now on. */
function keepsMore({ maxEntries }: RecordedTable, maxNow = Number.POSITIVE_INFINITY): boolean {
  return maxEntries !== undefined && maxEntries < maxNow
}

/** An entry for each noun whose history begins, and for each noun whose fields change. */
function migrationEntries(
  oldTables: readonly RecordedTable[],
  newTables: readonly RecordedTable[],
): readonly MigrationEntry[] {
  return newTables.flatMap(({ noun, fields, maxEntries }): readonly MigrationEntry[] => {
    const before = oldTables.find((table) => table.noun === noun)
    if (!before || keepsMore(before, maxEntries)) return [{ noun, kind: 'STARTED' }]
    const names = [...new Set([...before.fields, ...fields].map(({ name }) => name))]
    const formOf = (table: readonly RecordedField[], name: string) =>
      JSON.stringify(table.find((field) => field.name === name)?.field.kind)
    const changed = names.filter((name) => formOf(before.fields, name) !== formOf(fields, name))
    return changed.length === 0 ? [] : [{ noun, kind: 'MIGRATED', fields: changed.join() }]
  })
}

function recordedTables(schema: Schema): readonly RecordedTable[] {
  return [
    ...schema.nouns.filter(({ history }) => history).map((noun) => recordedNoun(noun, schema)),
    ...schema.links.filter(({ history }) => history).map((link) => recordedLink(link, schema)),
  ]
}

function recordedNoun(noun: NounSchema, schema: Schema): RecordedTable {
  const name = declaredName(noun)
  const { historyOwner: column } = noun
  const target = column === undefined ? undefined : fieldOf(noun, column).target
  const owner = column !== undefined && target !== undefined && { noun: declaredName(nounOf(schema, target)), column }
  return {
    table: noun.name,
    noun: name,
    records: [{ noun: name, column: noun.identity }, ...(owner ? [owner] : [])],
    fields: noun.fields.map((field) => ({ name: declaredName(field), column: field.name, field })),
    isAdopted: noun.adopted === true,
    ...(noun.historyEntries !== undefined && { maxEntries: noun.historyEntries }),
  }
}

function recordedLink(link: LinkSchema, schema: Schema): RecordedTable {
  const records = linkColumns(link, schema).map(({ name: column, noun }) => ({
    noun: declaredName(nounOf(schema, noun)),
    column,
  }))
  const noun = records.map((record) => record.noun).join('-')
  return { table: link.name, noun, records, fields: [], isAdopted: link.adopted === true }
}

/** The recorded events of a table. A pair of a link is never updated. */
export function historyEvents({ fields }: RecordedTable): readonly HistoryEvent[] {
  return fields.length === 0 ? ['insert', 'delete'] : ['insert', 'update', 'delete']
}

/** The property of a deleted record's values that has its version. Responses do not show it. */
export const versionProperty = '_version'

/** The name of a trigger. */
export function historyTrigger({ table }: RecordedTable, event: HistoryEvent): string {
  return derivedName(['', 'history', table, event])
}

/** The kind of an entry. */
export function entryKind({ fields }: RecordedTable, event: HistoryEvent): string {
  if (fields.length === 0) return event === 'insert' ? 'LINKED' : 'UNLINKED'
  return { insert: 'CREATED', update: 'CHANGED', delete: 'DELETED' }[event]
}

/** The SQL of one kind of database for the table of entries. */
interface EntryTable {
  readonly table: string
  readonly column: (field: string) => string
  readonly literal: (text: string) => string
  /** The current time. */
  readonly now: string
}

/** The statements on the table of entries that both databases share. */
export function entryStatements({ table, column, literal, now }: EntryTable) {
  return {
    insert({ noun, kind, fields }: MigrationEntry): string {
      const columns = ['time', 'noun', 'record', 'kind', 'fields', 'application'].map(column)
      const values = [noun, noun, kind, fields, migrationApplication].map((text) =>
        text === undefined ? 'NULL' : literal(text),
      )
      return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${[now, ...values].join(', ')})`
    },
    // No noun has a space in its name.
    retire({ noun }: RecordedTable): string {
      const sets = ['noun', 'record'].map((field) => `${column(field)} = 'dropped ' || ${column(field)}`)
      return `UPDATE ${table} SET ${sets.join(', ')} WHERE ${column('noun')} = ${literal(noun)}`
    },
    /** Deletes the entries of a record beyond the limit; empty if there is no limit. */
    deleteOldest({ noun, maxEntries }: RecordedTable, record: string): string {
      if (maxEntries === undefined) return ''
      const [id, ofRecord] = [column('id'), `${column('record')} = ${record} AND ${column('noun')} = ${literal(noun)}`]
      return `
  DELETE FROM ${table} WHERE ${ofRecord} AND ${id} <= (
    SELECT ${id} FROM ${table} WHERE ${ofRecord} ORDER BY ${id} DESC LIMIT 1 OFFSET ${maxEntries}
  );`
    },
  }
}
