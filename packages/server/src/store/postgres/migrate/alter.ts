/** The SQL that changes the table of one noun, column by column. */

import { keptFieldNames } from '../../migrate/field-renames.ts'
import { fieldOf, type NounSchema } from '../../migrate/schema.ts'
import { indexChanges } from '../../migrate/table-index.ts'
import { isCountedAlike } from '../../migrate/tally-compatible.ts'
import { textLiteral } from '../../sql/sql.ts'
import { identifier, postgresName } from '../name.ts'
import { createTallies, dropTallies } from '../tally/tally.ts'
import { type ColumnChange, columnChanges } from './column.ts'
import { foldStatements, type Statement } from './fold.ts'
import { inOrder, type Rename } from './rename.ts'
import { columnForm, columnsOf, createIndex, createNoun, indexesOf, primaryKey } from './table.ts'

/** Empty where the stored form stays as it is. */
export function alterNoun(before: NounSchema, after: NounSchema): readonly Statement[] {
  if (isCountedAlike(before, after) && before.edition === after.edition)
    return after.adopted ? [] : alterTableOf(before, after)
  if (after.adopted) return [...dropTallies(before), ...createTallies(after)].map((sql) => ({ sql }))
  // A trigger would stand in the way of a column that goes, and is gone with a table that is built anew.
  return [
    ...dropTallies(before).map((sql) => ({ sql })),
    ...alterTableOf(before, after),
    ...createTallies(after).map((sql) => ({ sql })),
  ]
}

function alterTableOf(before: NounSchema, after: NounSchema): readonly Statement[] {
  if (isIdentifiedAnew(before, after)) return rebuilding(before, after).map((sql) => ({ sql }))
  const columns = columnChanges(before, after)
  const gone = columnsOf(before).filter(({ name }) => !columns.some(({ origin }) => origin?.name === name))
  const indexes = indexChanges(indexesOf(before), indexesOf(after), unconverted(columns), false)
  const table = identifier(after.name)
  const plain = [
    ...indexes.dropped.map(({ name }) => `drop index ${identifier(name)}`),
    ...alterTable(
      table,
      gone.map(({ name }) => `drop column ${identifier(name)}`),
    ),
    ...columnRenames(columns).map(
      ([from, to]) => `alter table ${table} rename column ${identifier(from)} to ${identifier(to)}`,
    ),
    ...inOrder(indexes.kept.map(({ old, now }) => [old.name, now.name] as const)).map(
      ([from, to]) => `alter index ${identifier(from)} rename to ${identifier(to)}`,
    ),
    ...alterTable(table, columns.flatMap(addition)),
    ...filling(table, columns),
    ...alterTable(table, columns.flatMap(alteration)),
  ]
  const folded = columns.filter(({ fill }) => fill?.kind === 'fold').map(({ column }) => column)
  const required = folded.filter(({ isRequired }) => isRequired)
  return [
    ...plain.map((sql) => ({ sql })),
    ...foldStatements(
      after,
      folded.map(({ name }) => name.replace(/_folded$/, '')),
    ),
    ...alterTable(
      table,
      required.map(({ name }) => `alter column ${identifier(name)} set not null`),
    ).map((sql) => ({ sql })),
    ...indexes.added.map((index) => ({ sql: createIndex(index) })),
    // What the planner knew of a column is lost with its type, and of what is new it would hear only when rows change.
    ...(indexes.added.length > 0 || columns.some(({ conversion, fill }) => conversion ?? fill)
      ? [{ sql: `analyze ${table}` }]
      : []),
  ]
}

/** Whether the records are told apart by another field, or by a value of another kind. There are no records then. */
export function isIdentifiedAnew(before: NounSchema, after: NounSchema): boolean {
  const isSame = keptFieldNames(before, after).get(after.identity) === before.identity
  return !isSame || fieldOf(before, before.identity).guid !== fieldOf(after, after.identity).guid
}

function columnRenames(columns: readonly ColumnChange[]): readonly Rename[] {
  return inOrder(columns.flatMap(({ column, origin }) => (origin ? [[origin.name, column.name] as const] : [])))
}

function addition({ column, origin, fill }: ColumnChange): readonly string[] {
  if (origin) return []
  const isFilledLater = fill?.kind === 'expression' || fill?.kind === 'fold'
  const form = columnForm(isFilledLater ? { ...column, isRequired: false } : column)
  return [`add column ${form}${fill?.kind === 'literal' ? ` default ${fill.sql}` : ''}`]
}

function filling(table: string, columns: readonly ColumnChange[]): readonly string[] {
  const sets = columns.flatMap(({ column, fill }) =>
    fill?.kind === 'expression' ? [`${identifier(column.name)} = ${fill.sql}`] : [],
  )
  return sets.length === 0 ? [] : [`update ${table} set ${sets.join(', ')}`]
}

/** What is left to do when every column is there. */
function alteration({ column, origin, conversion, fill }: ColumnChange): readonly string[] {
  const name = `alter column ${identifier(column.name)}`
  // The default has given the records that are there their value; every later write names all its columns.
  if (fill?.kind === 'literal') return [`${name} drop default`]
  if (fill?.kind === 'expression') return column.isRequired ? [`${name} set not null`] : []
  if (!origin) return []
  return [
    ...(conversion === undefined ? [] : [`${name} type ${column.type} using ${conversion}`]),
    ...(origin.isRequired === column.isRequired ? [] : [`${name} ${column.isRequired ? 'set' : 'drop'} not null`]),
  ]
}

/** All actions in one statement, so that the table is rewritten once at most. */
function alterTable(table: string, actions: readonly string[]): readonly string[] {
  if (actions.length < 2) return actions.map((action) => `alter table ${table} ${action}`)
  return [`alter table ${table}\n${actions.map((action) => `  ${action}`).join(',\n')}`]
}

/** The columns whose values an index need not hold again: old names, and new ones. */
function unconverted(columns: readonly ColumnChange[]): ReadonlyMap<string, string> {
  const kept = columns.filter(({ conversion }) => conversion === undefined)
  return new Map(kept.flatMap(({ column, origin }) => (origin ? [[origin.name, column.name] as const] : [])))
}

/** Builds the empty table anew. */
function rebuilding(before: NounSchema, after: NounSchema): readonly string[] {
  const [table, old] = [identifier(after.name), identifier(`_old_${after.name}`)]
  return [
    ...indexesOf(before).map(({ name }) => `drop index ${identifier(name)}`),
    `alter table ${table} drop constraint ${identifier(primaryKey(after.name))}`,
    `alter table ${table} rename to ${old}`,
    ...createNoun(after),
    ...keptSequence(before, after),
    `drop table ${old}`,
  ]
}

/** The next identity follows the highest one ever given, also where its record was deleted. */
function keptSequence(before: NounSchema, after: NounSchema): readonly string[] {
  if (fieldOf(before, before.identity).guid || fieldOf(after, after.identity).guid) return []
  const sequence = (table: string, column: string) =>
    `pg_get_serial_sequence(${textLiteral(identifier(table))}, ${textLiteral(postgresName(column))})`
  const last = `pg_sequence_last_value(${sequence(`_old_${after.name}`, before.identity)}::regclass)`
  return [`select setval(${sequence(after.name, after.identity)}, coalesce(${last}, 0) + 1, false)`]
}
