/** The trigger functions on PostgreSQL that record the changes of a table in the noun `change`. */
import { change } from '@nomen/core'
import {
  entryKind,
  entryStatements,
  type HistoryEvent,
  type HistoryStatements,
  historyEvents,
  historyTrigger,
  type RecordedField,
  type RecordedTable,
  versionProperty,
} from '../../../migrate/history.ts'
import type { Origin } from '../../../plan.ts'
import { sql, stringLiteral, writeSql } from '../../../sql/sql.ts'
import { columnName, tableName } from '../../../stored-name.ts'
import { postgresDialect } from '../../dialect.ts'
import { identifier } from '../../name.ts'
import { indexedPrefixLength } from './table.ts'

/** The setting of a transaction that has the user, the application and the request of a write, as JSON. */
export const originSetting = 'nomen.origin'

/** Sets the origin of all following writes of a transaction, or of a connection. */
export function setOrigin(origin: Origin, isLocal: boolean): string {
  return `select set_config('${originSetting}', ${stringLiteral(JSON.stringify(origin))}, ${isLocal})`
}

const now = `date_trunc('milliseconds', clock_timestamp())`

const changeColumn = (field: string) => identifier(columnName(change, field))

const entries = entryStatements({
  table: identifier(tableName(change)),
  column: changeColumn,
  literal: stringLiteral,
  now,
  isAbout: (record) => {
    const prefix = (text: string) => `left(${text}, ${indexedPrefixLength})`
    return `${prefix(changeColumn('record'))} = ${prefix(record)} and ${changeColumn('record')} = ${record}`
  },
})

export const historyStatements: HistoryStatements = {
  create: (table) => historyEvents(table).flatMap((event) => createTrigger(table, event)),
  drop: (table) =>
    historyEvents(table).map((event) => `drop function if exists ${identifier(historyTrigger(table, event))} cascade`),
  retire: entries.retire,
  insert: entries.insert,
}

function createTrigger(table: RecordedTable, event: HistoryEvent): readonly string[] {
  const name = identifier(historyTrigger(table, event))
  const names = ['time', 'noun', 'record', 'linked', 'kind', 'fields', 'before', 'after', 'transaction', 'user']
  const columns = [...names, 'application', 'request'].map(changeColumn)
  const condition = event === 'update' ? ` when (${table.fields.map(isChanged).join(' or ')})` : ''
  // Other programs that write an adopted table need no privileges on Nomen's tables.
  const rights = table.isAdopted ? ' security definer' : ''
  return [
    `create function ${name}() returns trigger language plpgsql${rights} set search_path from current as $$
declare
  origin jsonb := coalesce(nullif(current_setting('${originSetting}', true), ''), '{}')::jsonb;
begin
  insert into ${identifier(tableName(change))} (${columns.join(', ')})
  ${entryOf(table, event)};${entries.deleteOldest(table, recordOf(table, event))}
  return null;
end $$`,
    `create trigger ${name} after ${event} on ${identifier(table.table)} for each row${condition} execute function ${name}()`,
  ]
}

function recordOf({ records }: RecordedTable, event: HistoryEvent, index = 0): string {
  const row = event === 'delete' ? 'old' : 'new'
  const record = records[index]
  return record ? `${stringLiteral(`${record.noun}/`)} || ${row}.${identifier(record.column)}::text` : 'null'
}

function entryOf(table: RecordedTable, event: HistoryEvent): string {
  const [record, linked] = [recordOf(table, event), recordOf(table, event, 1)]
  const start = `select ${now}, ${stringLiteral(table.noun)}, ${record}, ${linked}, ${stringLiteral(entryKind(table, event))}`
  const end = `pg_current_xact_id()::text, origin ->> 'user', origin ->> 'application', origin ->> 'request'`
  if (table.fields.length === 0) return `${start}, null, null, null, ${end}`
  if (event === 'insert') return `${start}, null, null, ${recordObject(table.fields, 'new')}, ${end}`
  if (event === 'delete') return `${start}, null, ${recordObject(table.fields, 'old')}, null, ${end}`
  const changed = (part: (field: RecordedField) => string) =>
    table.fields.map((field) => `case when ${isChanged(field)} then ${part(field)} else '' end`).join(' || ')
  const object = (state: 'old' | 'new') =>
    `'{' || substr(${changed((field) => `${stringLiteral(`,${JSON.stringify(field.name)}:`)} || ${jsonValue(field, state)}`)}, 2) || '}'`
  return `${start},
    substr(${changed(({ name }) => stringLiteral(`,${name}`))}, 2),
    ${object('old')},
    ${object('new')}, ${end}`
}

function isChanged({ column }: RecordedField): string {
  return `old.${identifier(column)} is distinct from new.${identifier(column)}`
}

function recordObject(fields: readonly RecordedField[], row: 'old' | 'new'): string {
  const parts = fields.map(
    (field, at) =>
      `${stringLiteral(`${at === 0 ? '{' : ','}${JSON.stringify(field.name)}:`)} || ${jsonValue(field, row)}`,
  )
  const version = row === 'old' ? ` || ${stringLiteral(`,"${versionProperty}":`)} || old."_version"` : ''
  return `${parts.join(' || ')}${version} || '}'`
}

function jsonValue(field: RecordedField, row: 'old' | 'new'): string {
  return `coalesce(to_json(${wireValue(field, row)})::text, 'null')`
}

/** The value in the form of a response. */
function wireValue({ column, field: { kind } }: RecordedField, row: 'old' | 'new'): string {
  const value = sql.raw(`${row}.${identifier(column)}`)
  return writeSql(postgresDialect.wireForm({ kind }, value), { name: identifier, parameter: (at) => `$${at}` }).text
}
