/** The tables whose changes are recorded, and the changes to their triggers in a migration. */
import { derivedName } from './derived-name.ts'
import {
  declaredName,
  type FieldSchema,
  type LinkSchema,
  linkColumns,
  type NounSchema,
  nounOf,
  type Schema,
} from './schema.ts'

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
  /** The records that a row is about: one of a noun, two of a link. */
  readonly records: readonly { readonly noun: string; readonly column: string }[]
  /** Empty for a link. */
  readonly fields: readonly RecordedField[]
  /** Whether other programs write the table too. */
  readonly isAdopted: boolean
}

/** The SQL of a database for the triggers of one table. */
export interface HistoryStatements {
  create(table: RecordedTable): readonly string[]
  drop(table: RecordedTable): readonly string[]
}

/** The statements to run before and after the tables change. Triggers of changed tables are created again. */
export function historyChanges(
  before: Schema,
  after: Schema,
  changedTables: ReadonlySet<string>,
  { create, drop }: HistoryStatements,
): { readonly first: readonly string[]; readonly last: readonly string[] } {
  const form = (table: RecordedTable) => JSON.stringify(create(table))
  const [old, now] = [recordedTables(before), recordedTables(after)]
  const isKept = (table: RecordedTable, others: readonly RecordedTable[]) =>
    !changedTables.has(table.table) && others.some((other) => form(other) === form(table))
  return {
    first: old.filter((table) => !isKept(table, now)).flatMap(drop),
    last: now.filter((table) => !isKept(table, old)).flatMap(create),
  }
}

function recordedTables(schema: Schema): readonly RecordedTable[] {
  return [
    ...schema.nouns.filter(({ history }) => history).map(recordedNoun),
    ...schema.links.filter(({ history }) => history).map((link) => recordedLink(link, schema)),
  ]
}

function recordedNoun(noun: NounSchema): RecordedTable {
  const name = declaredName(noun)
  return {
    table: noun.name,
    noun: name,
    records: [{ noun: name, column: noun.identity }],
    fields: noun.fields.map((field) => ({ name: declaredName(field), column: field.name, field })),
    isAdopted: noun.adopted === true,
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

/** The name of a trigger. */
export function historyTrigger({ table }: RecordedTable, event: HistoryEvent): string {
  return derivedName(['', 'history', table, event])
}

/** The kind of an entry. */
export function entryKind({ fields }: RecordedTable, event: HistoryEvent): string {
  if (fields.length === 0) return event === 'insert' ? 'LINKED' : 'UNLINKED'
  return { insert: 'CREATED', update: 'CHANGED', delete: 'DELETED' }[event]
}
