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

/** The setting of a transaction that has the user, the application and the request of a write, as JSON. */
export const originSetting = 'nomen.origin'

/** Sets the origin of all following writes of a transaction, or of a connection. */
export function setOrigin(origin: Origin, isLocal: boolean): string {
  return `select set_config('${originSetting}', ${stringLiteral(JSON.stringify(origin))}, ${isLocal})`
}

const now = `date_trunc('milliseconds', clock_timestamp())`

const changeColumn = (field: string) => identifier(columnName(change, field))

/** The table of entries in statements of a migration. */
const entryTable = identifier(tableName(change))

/** Stands for the table of entries with its schema: writers of the table may have another search path. */
const qualifiedTable = '%entries%'

const entriesIn = (table: string) =>
  entryStatements({
    table,
    column: changeColumn,
    literal: stringLiteral,
    now,
  })

const entries = entriesIn(entryTable)

export const historyStatements: HistoryStatements = {
  create: (table) => historyEvents(table).flatMap((event) => createTrigger(table, event)),
  drop: (table) =>
    historyEvents(table).map((event) => `drop function if exists ${identifier(historyTrigger(table, event))} cascade`),
  retire: entries.retire,
  insert: entries.insert,
}

const columns = [
  'time',
  'noun',
  'record',
  'linked',
  'kind',
  'fields',
  'before',
  'after',
  'transaction',
  'user',
  'application',
  'request',
].map(changeColumn)

/**
 * A function with its own search path, and a trigger with a condition, would be slower: PostgreSQL looks up the schemas of a
 * search path at each call, and parses a condition in each statement.
 */
function createTrigger(table: RecordedTable, event: HistoryEvent): readonly string[] {
  const name = identifier(historyTrigger(table, event))
  // Other programs that write an adopted table need no privileges on Nomen's tables.
  const rights = table.isAdopted ? ' security definer set search_path from current' : ''
  const deleteOldest = entriesIn(qualifiedTable).deleteOldest(table, recordOf(table, event))
  const create = `create function ${name}() returns trigger language plpgsql${rights} as $$
declare
  origin jsonb := coalesce(nullif(current_setting('${originSetting}', true), ''), '{}')::jsonb;
  _fields text := '';
  _before text := '';
  _after text := '';
begin${event === 'update' ? collectChanges(table) : ''}
  insert into ${qualifiedTable} (${columns.join(', ')})
  values (${entryOf(table, event).join(',\n    ')});${deleteOldest}
  return null;
end $$`
  const qualified = `quote_ident(current_schema()) || ${stringLiteral(`.${entryTable}`)}`
  return [
    `do $do$ begin execute replace($create$${create}$create$, '${qualifiedTable}', ${qualified}); end $do$`,
    `create trigger ${name} after ${event} on ${identifier(table.table)} for each row execute function ${name}()`,
  ]
}

/**
 * The changed fields with their values, one statement for each field. PostgreSQL prepares an expression when it evaluates it: with
 * one expression for all fields, each call would prepare the parts of the unchanged fields as well.
 */
function collectChanges({ fields }: RecordedTable): string {
  const collect = (field: RecordedField) => {
    const name = JSON.stringify(field.name)
    return `
  if ${isChanged(field)} then
    _fields := _fields || ${stringLiteral(`,${field.name}`)};
    _before := _before || ${stringLiteral(`,${name}:`)} || ${jsonValue(field, 'old')};
    _after := _after || ${stringLiteral(`,${name}:`)} || ${jsonValue(field, 'new')};
  end if;`
  }
  return `${fields.map(collect).join('')}
  if _fields = '' then return null; end if;`
}

function recordOf({ records }: RecordedTable, event: HistoryEvent, index = 0): string {
  const row = event === 'delete' ? 'old' : 'new'
  const record = records[index]
  return record ? `${stringLiteral(`${record.noun}/`)} || ${row}.${identifier(record.column)}::text` : 'null'
}

/** The values of an entry's columns. */
function entryOf(table: RecordedTable, event: HistoryEvent): readonly string[] {
  const [record, linked] = [recordOf(table, event), recordOf(table, event, 1)]
  const start = [now, stringLiteral(table.noun), record, linked, stringLiteral(entryKind(table, event))]
  const origin = ['user', 'application', 'request'].map((name) => `origin ->> '${name}'`)
  return [...start, ...valuesOf(table, event), 'pg_current_xact_id()::text', ...origin]
}

/** The names of the changed fields, and the values before and after the change. */
function valuesOf({ fields }: RecordedTable, event: HistoryEvent): readonly string[] {
  if (fields.length === 0) return ['null', 'null', 'null']
  if (event === 'insert') return ['null', 'null', recordObject(fields, 'new')]
  if (event === 'delete') return ['null', recordObject(fields, 'old'), 'null']
  return ['substr(_fields, 2)', `'{' || substr(_before, 2) || '}'`, `'{' || substr(_after, 2) || '}'`]
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
