/** The triggers on SQLite that record the changes of a table in the noun `change`. */
import { change } from '@nomen/core'
import {
  entryKind,
  type HistoryEvent,
  type HistoryStatements,
  historyEvents,
  historyTrigger,
  migrationApplication,
  type RecordedField,
  type RecordedTable,
  retireQuery,
  versionProperty,
} from '../../migrate/history.ts'
import { quotedName, type Sql, sql, textLiteral, writeSql } from '../../sql/sql.ts'
import { columnName, tableName } from '../../stored-name.ts'
import { sqliteDialect } from '../dialect.ts'

const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`

const changeColumn = (field: string) => quotedName(columnName(change, field))

export const historyStatements: HistoryStatements = {
  create: (table) => historyEvents(table).map((event) => createTrigger(table, event)),
  drop: (table) =>
    historyEvents(table).map((event) => `DROP TRIGGER IF EXISTS ${quotedName(historyTrigger(table, event))}`),
  retire: ({ noun }) =>
    retireQuery(noun, { table: quotedName(tableName(change)), column: changeColumn, literal: textLiteral }),
  insert: ({ noun, kind, fields }) => {
    const columns = ['time', 'noun', 'record', 'kind', 'fields', 'application'].map(changeColumn)
    const values = [noun, noun, kind, fields, migrationApplication].map((text) =>
      text === undefined ? 'NULL' : textLiteral(text),
    )
    return `INSERT INTO ${quotedName(tableName(change))} (${columns.join(', ')}) VALUES (${[now, ...values].join(', ')})`
  },
}

function createTrigger(table: RecordedTable, event: HistoryEvent): string {
  const columns = ['time', 'noun', 'record', 'linked', 'kind', 'fields', 'before', 'after'].map(changeColumn)
  const condition = event === 'update' ? ` WHEN ${table.fields.map(isChanged).join(' OR ')}` : ''
  return `CREATE TRIGGER ${quotedName(historyTrigger(table, event))} AFTER ${event.toUpperCase()} ON ${quotedName(table.table)}${condition} BEGIN
  INSERT INTO ${quotedName(tableName(change))} (${columns.join(', ')})
  ${entryOf(table, event)};${deleteOldest(table, event)}
END`
}

/** Deletes the entries of the record beyond the limit. */
function deleteOldest(table: RecordedTable, event: HistoryEvent): string {
  const { maxEntries } = table
  if (maxEntries === undefined) return ''
  const [history, id] = [quotedName(tableName(change)), changeColumn('id')]
  const ofRecord = `${changeColumn('record')} = ${recordOf(table, event)} AND ${changeColumn('noun')} = ${textLiteral(table.noun)}`
  return `
  DELETE FROM ${history} WHERE ${ofRecord} AND ${id} <= (
    SELECT ${id} FROM ${history} WHERE ${ofRecord} ORDER BY ${id} DESC LIMIT 1 OFFSET ${maxEntries}
  );`
}

function recordOf({ records }: RecordedTable, event: HistoryEvent, index = 0): string {
  const row = event === 'delete' ? 'OLD' : 'NEW'
  const record = records[index]
  return record ? `${textLiteral(`${record.noun}/`)} || ${row}.${quotedName(record.column)}` : 'NULL'
}

function entryOf(table: RecordedTable, event: HistoryEvent): string {
  const [record, linked] = [recordOf(table, event), recordOf(table, event, 1)]
  const start = `SELECT ${now}, ${textLiteral(table.noun)}, ${record}, ${linked}, ${textLiteral(entryKind(table, event))}`
  if (table.fields.length === 0) return `${start}, NULL, NULL, NULL`
  if (event === 'insert') return `${start}, NULL, NULL, ${recordObject(table.fields, 'NEW')}`
  if (event === 'delete') return `${start}, NULL, ${recordObject(table.fields, 'OLD', [version])}, NULL`
  const changed = (part: (field: RecordedField) => string) =>
    table.fields.map((field) => `iif(${isChanged(field)}, ${part(field)}, '')`).join(' || ')
  const object = (row: 'OLD' | 'NEW') =>
    `'{' || substr(${changed((field) => `${textLiteral(`,${JSON.stringify(field.name)}:`)} || json_quote(${wireValue(field, row)})`)}, 2) || '}'`
  return `${start},
    substr(${changed(({ name }) => textLiteral(`,${name}`))}, 2),
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
