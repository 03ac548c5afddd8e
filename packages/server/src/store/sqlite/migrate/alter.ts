/** The SQL that alters the table of one noun: column by column if SQLite can, otherwise by rebuilding it. */

import { previousFieldNames } from '../../migrate/change/field-renames.ts'
import { hasGuidIdentity, type NounSchema } from '../../migrate/schema/schema.ts'
import { indexChanges } from '../../migrate/schema/table-index.ts'
import { isTallyCompatible } from '../../migrate/schema/tally-compatible.ts'
import { quotedName, stringLiteral } from '../../sql/sql.ts'
import { type ColumnSource, columnSources } from './source.ts'
import { type Column, columnsOf, createIndex, createIndexes, createTable, indexesOf } from './table.ts'
import { createTallies, dropTallies } from './tally.ts'

/** Empty if the stored form does not change. */
export function alterNoun(before: NounSchema, after: NounSchema): readonly string[] {
  const sources = columnSources(before, after)
  const statements = alterTable(before, after, sources)
  if (statements && isTallyCompatible(before, after)) return statements
  // Triggers depend on dropped columns, and a rebuilt table loses them.
  return [...dropTallies(before), ...(statements ?? rebuildTable(before, after, sources)), ...createTallies(after)]
}

/** Undefined if a column changes in a way that SQLite has no statement for. */
function alterTable(
  before: NounSchema,
  after: NounSchema,
  sources: readonly ColumnSource[],
): readonly string[] | undefined {
  const table = `ALTER TABLE ${quotedName(after.name)}`
  const oldColumns = columnsOf(before)
  const addedColumns = sources.filter(({ origin }) => origin === undefined)
  const keptColumns = sources.flatMap((source) => {
    const origin = oldColumns.find(({ name }) => name === source.origin)
    return origin ? [{ source, origin }] : []
  })
  const droppedColumns = oldColumns.filter((column) => !keptColumns.some(({ origin }) => origin === column))
  if (keptColumns.some(({ source, origin }) => source.definition !== origin.definition)) return undefined
  if (droppedColumns.some(({ name }) => name === before.identity) || !addedColumns.every(isAddable)) return undefined
  const names = new Map(keptColumns.map(({ source, origin }) => [origin.name, source.name]))
  const indexes = indexChanges(indexesOf(before), indexesOf(after), names, true)
  const order = [...previousFieldNames(before, after).keys()]
  const renamedColumns = keptColumns
    .filter(({ source, origin }) => source.name !== origin.name)
    .sort((a, b) => order.indexOf(fieldName(a.source)) - order.indexOf(fieldName(b.source)))
  return [
    ...indexes.dropped.map(({ name }) => `DROP INDEX ${quotedName(name)}`),
    ...droppedColumns.map(({ name }) => `${table} DROP COLUMN ${quotedName(name)}`),
    ...renamedColumns.map(
      ({ source, origin }) => `${table} RENAME COLUMN ${quotedName(origin.name)} TO ${quotedName(source.name)}`,
    ),
    ...addedColumns.map(
      (source) => `${table} ADD COLUMN ${quotedName(source.name)} ${source.definition}${defaultOf(source)}`,
    ),
    ...indexes.added.map(createIndex),
  ]
}

function isAddable({ isLiteral, expression, definition }: ColumnSource): boolean {
  if (!isLiteral || definition.includes('PRIMARY KEY')) return false
  return expression !== 'NULL' || !definition.includes('NOT NULL')
}

/** The default fills the existing records; every later write names all columns. */
function defaultOf({ expression, definition }: ColumnSource): string {
  return expression === 'NULL' || definition.includes(' DEFAULT ') ? '' : ` DEFAULT ${expression}`
}

function fieldName({ name, derived }: Column): string {
  return derived?.from ?? name
}

function rebuildTable(before: NounSchema, after: NounSchema, sources: readonly ColumnSource[]): readonly string[] {
  const [table, newTable] = [quotedName(after.name), quotedName(`_new_${after.name}`)]
  const columns = sources.map(({ name }) => `  ${quotedName(name)}`).join(',\n')
  const expressions = sources.map(({ expression }) => `  ${expression}`).join(',\n')
  return [
    createTable(`_new_${after.name}`, sources),
    `INSERT INTO ${newTable} (\n${columns}\n) SELECT\n${expressions}\nFROM ${table}`,
    ...keepSequence(before, after),
    `DROP TABLE ${table}`,
    `ALTER TABLE ${newTable} RENAME TO ${table}`,
    ...createIndexes(after),
  ]
}

/** The next identity follows the highest one ever assigned, even if its record was deleted. */
function keepSequence(before: NounSchema, after: NounSchema): readonly string[] {
  if (hasGuidIdentity(before) || hasGuidIdentity(after)) return []
  const [newTable, oldTable] = [stringLiteral(`_new_${after.name}`), stringLiteral(after.name)]
  return [
    `DELETE FROM sqlite_sequence WHERE name = ${newTable}`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${newTable}, seq FROM sqlite_sequence WHERE name = ${oldTable}`,
  ]
}
