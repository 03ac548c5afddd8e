/** The triggers on SQLite that record the changes of a table in the noun `change`. */
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
} from '../../migrate/history.ts'
import { quotedName, type Sql, sql, stringLiteral, writeSql } from '../../sql/sql.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { sqliteDialect } from '../dialect.ts'

const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`

const changeColumn = (field: string) => quotedName(columnName(change, field))

const entries = entryStatements({
  table: quotedName(tableName(change)),
  column: changeColumn,
  literal: stringLiteral,
  now,
})

export const historyStatements: HistoryStatements = {
  create: (table) => historyEvents(table).map((event) => createTrigger(table, event)),
  drop: (table) =>
    historyEvents(table).map((event) => `DROP TRIGGER IF EXISTS ${quotedName(historyTrigger(table, event))}`),
  retire: entries.retire,
  insert: entries.insert,
}

function createTrigger(table: RecordedTable, event: HistoryEvent): string {
  const columns = ['time', 'noun', 'record', 'linked', 'kind', 'fields', 'before', 'after'].map(changeColumn)
  const condition = event === 'update' ? ` WHEN ${table.fields.map(isChanged).join(' OR ')}` : ''
  const name = quotedName(historyTrigger(table, event))
  const timing = `AFTER ${event.toUpperCase()} ON ${quotedName(table.table)}`
  return `CREATE TRIGGER ${name} ${timing}${condition} BEGIN
  INSERT INTO ${quotedName(tableName(change))} (${columns.join(', ')})
  ${entryOf(table, event)};${entries.deleteOldest(table, recordOf(table, event))}
END`
}

function recordOf({ records }: RecordedTable, event: HistoryEvent, index = 0): string {
  const row = event === 'delete' ? 'OLD' : 'NEW'
  const record = records[index]
  return record ? `${stringLiteral(`${record.noun}/`)} || ${row}.${quotedName(record.column)}` : 'NULL'
}

function entryOf(table: RecordedTable, event: HistoryEvent): string {
  const [record, linked] = [recordOf(table, event), recordOf(table, event, 1)]
  const start = `SELECT ${now}, ${stringLiteral(table.noun)}, ${record}, ${linked}, ${stringLiteral(entryKind(table, event))}`
  if (table.fields.length === 0) return `${start}, NULL, NULL, NULL`
  if (event === 'insert') return `${start}, NULL, NULL, ${recordObject(table.fields, 'NEW')}`
  if (event === 'delete') return `${start}, NULL, ${recordObject(table.fields, 'OLD', [version])}, NULL`
  const changed = (part: (field: RecordedField) => string) =>
    table.fields.map((field) => `iif(${isChanged(field)}, ${part(field)}, '')`).join(' || ')
  const object = (row: 'OLD' | 'NEW') =>
    `'{' || substr(${changed((field) => `${stringLiteral(`,${JSON.stringify(field.name)}:`)} || json_quote(${wireValue(field, row)})`)}, 2) || '}'`
  return `${start},
    substr(${changed(({ name }) => stringLiteral(`,${name}`))}, 2),
    ${object('OLD')},
    ${object('NEW')}`
}

function isChanged({ column }: RecordedField): string {
  return `OLD.${quotedName(column)} IS NOT NEW.${quotedName(column)}`
}

const version = { name: versionProperty, value: sql.raw('OLD."_version"') }

function recordObject(
  fields: readonly RecordedField[],
  row: 'OLD' | 'NEW',
  more: readonly { readonly name: string; readonly value: Sql }[] = [],
): string {
  const properties = fields.map((field) => ({ name: field.name, value: sql.raw(wireValue(field, row)) }))
  return textOf(sqliteDialect.object([...properties, ...more]))
}

/** The value in the form of a response. */
function wireValue({ column, field: { kind, scale } }: RecordedField, row: 'OLD' | 'NEW'): string {
  const value = `${row}.${quotedName(column)}`
  // Other programs do not have the functions that Nomen may need for exact numbers.
  if (kind === 'number')
    return `iif(${value} = round(${value}) AND abs(${value}) < 1e15, CAST(${value} AS INTEGER), ${value})`
  return textOf(sqliteDialect.wireForm({ kind, ...(scale !== undefined && { scale }) }, sql.raw(value)))
}

function textOf(expression: Sql): string {
  return writeSql(expression, { name: quotedName, parameter: () => '?' }).text
}
