/** The SQL that alters the table of one noun, column by column. */

import { previousFieldNames } from '../../../migrate/change/field-renames.ts'
import { hasGuidIdentity, type NounSchema } from '../../../migrate/schema/schema.ts'
import { indexChanges } from '../../../migrate/schema/table-index.ts'
import { isTallyCompatible } from '../../../migrate/schema/tally-compatible.ts'
import { stringLiteral } from '../../../sql/sql.ts'
import { identifier, postgresName } from '../../name.ts'
import { createTallies, createTallyTriggers, dropTallies, dropTallyTriggers } from '../../tally/tally.ts'
import { deriveStatements, type MigrationStatement } from '../derive.ts'
import { deriveTriggerChanges } from '../online/derive-trigger.ts'
import { type ColumnChange, columnChanges } from './column.ts'
import { orderRenames, type Rename } from './rename.ts'
import { columnForm, columnsOf, createIndex, createNoun, indexesOf, primaryKey } from './table.ts'

/**
 * Empty if the stored form does not change. If it is altered online, `online/finish.ts` builds its indexes and fills its
 * new columns after the locks are released.
 */
export function alterNoun(before: NounSchema, after: NounSchema, isOnline = false): readonly MigrationStatement[] {
  if (isTallyCompatible(before, after)) return after.adopted ? [] : alterTableOf(before, after, isOnline)
  if (after.adopted) return [...dropTallies(before), ...createTallies(after)].map((sql) => ({ sql }))
  // Triggers depend on dropped columns, and a rebuilt table loses them.
  if (isOnline && isRecountedOnline(before, after))
    return [
      ...dropTallyTriggers(before).map((sql) => ({ sql })),
      ...alterTableOf(before, after, isOnline),
      ...createTallyTriggers(after).map((sql) => ({ sql })),
    ]
  return [
    ...dropTallies(before).map((sql) => ({ sql })),
    ...alterTableOf(before, after, isOnline),
    ...createTallies(after).map((sql) => ({ sql })),
  ]
}

/** Whether other tallies are counted in the same tables, which can be done while others write. */
export function isRecountedOnline(before: NounSchema, after: NounSchema): boolean {
  const hasTables = before.tallies.length > 0 && after.tallies.length > 0
  return hasTables && !after.adopted && !isTallyCompatible(before, after) && !hasNewIdentity(before, after)
}

function alterTableOf(before: NounSchema, after: NounSchema, isOnline: boolean): readonly MigrationStatement[] {
  if (hasNewIdentity(before, after)) return rebuildTable(before, after).map((sql) => ({ sql }))
  const columns = columnChanges(before, after)
  const dropped = columnsOf(before).filter(({ name }) => !columns.some(({ origin }) => origin?.name === name))
  const indexes = indexChanges(indexesOf(before), indexesOf(after), unconvertedNames(columns), false)
  // An index that is replaced online is dropped when the new one is built.
  const isReplaced = ({ name }: { readonly name: string }) =>
    isOnline && indexesOf(after).some((index) => index.name === name)
  const table = identifier(after.name)
  const plainStatements = [
    ...indexes.dropped.filter((index) => !isReplaced(index)).map(({ name }) => `drop index ${identifier(name)}`),
    ...alterTable(
      table,
      dropped.map(({ name }) => `drop column ${identifier(name)}`),
    ),
    ...columnRenames(columns).map(
      ([from, to]) => `alter table ${table} rename column ${identifier(from)} to ${identifier(to)}`,
    ),
    ...orderRenames(indexes.kept.map(({ old, now }) => [old.name, now.name] as const)).map(
      ([from, to]) => `alter index ${identifier(from)} rename to ${identifier(to)}`,
    ),
    ...alterTable(table, columns.flatMap(addColumn)),
    ...(isOnline ? [] : fillColumns(table, columns)),
    ...alterTable(table, columns.flatMap(alterColumn)),
    ...deriveTriggerChanges(before, after),
  ]
  const derived = columns.filter(({ fill }) => fill?.kind === 'derive').flatMap(({ column }) => column.derived ?? [])
  if (isOnline) return plainStatements.map((sql) => ({ sql }))
  return [
    ...plainStatements.map((sql) => ({ sql })),
    ...deriveStatements(after, derived),
    ...indexes.added.map((index) => ({ sql: createIndex(index) })),
    // A type change drops a column's planner statistics, and new columns have none before autovacuum runs.
    ...(indexes.added.length > 0 || columns.some(({ conversion, fill }) => conversion ?? fill)
      ? [{ sql: `analyze ${table}` }]
      : []),
  ]
}

/** Whether the identity is another field or another kind of value. The table has no records then. */
export function hasNewIdentity(before: NounSchema, after: NounSchema): boolean {
  const isSame = previousFieldNames(before, after).get(after.identity) === before.identity
  return !isSame || hasGuidIdentity(before) !== hasGuidIdentity(after)
}

function columnRenames(columns: readonly ColumnChange[]): readonly Rename[] {
  return orderRenames(columns.flatMap(({ column, origin }) => (origin ? [[origin.name, column.name] as const] : [])))
}

function addColumn({ column, origin, fill }: ColumnChange): readonly string[] {
  if (origin) return []
  const isFilledLater = fill?.kind === 'expression' || fill?.kind === 'derive'
  const form = columnForm(isFilledLater ? { ...column, isRequired: false } : column)
  // The default fills the existing records.
  const isFilledByDefault = fill?.kind === 'literal' && !column.ending?.startsWith(' default ')
  return [`add column ${form}${isFilledByDefault ? ` default ${fill.sql}` : ''}`]
}

function fillColumns(table: string, columns: readonly ColumnChange[]): readonly string[] {
  const sets = columns.flatMap(({ column, fill }) =>
    fill?.kind === 'expression' ? [`${identifier(column.name)} = ${fill.sql}`] : [],
  )
  return sets.length === 0 ? [] : [`update ${table} set ${sets.join(', ')}`]
}

/** The remaining actions when every column exists. */
function alterColumn({ column, origin, conversion, fill }: ColumnChange): readonly string[] {
  const name = `alter column ${identifier(column.name)}`
  if (fill?.kind === 'literal') return column.ending?.startsWith(' default ') ? [] : [`${name} drop default`]
  if (fill?.kind === 'expression') return column.isRequired ? [`${name} set not null`] : []
  if (!origin) return []
  return [
    ...(conversion === undefined ? [] : [`${name} type ${column.type} using ${conversion}`]),
    ...(origin.isRequired === column.isRequired ? [] : [`${name} ${column.isRequired ? 'set' : 'drop'} not null`]),
    ...(origin.ending === column.ending ? [] : [`${name} ${column.ending ? `set${column.ending}` : 'drop default'}`]),
  ]
}

/** All actions in one statement, so that PostgreSQL rewrites the table at most once. */
function alterTable(table: string, actions: readonly string[]): readonly string[] {
  if (actions.length < 2) return actions.map((action) => `alter table ${table} ${action}`)
  return [`alter table ${table}\n${actions.map((action) => `  ${action}`).join(',\n')}`]
}

/** The columns whose index entries stay valid, by their old names. */
function unconvertedNames(columns: readonly ColumnChange[]): ReadonlyMap<string, string> {
  const unconverted = columns.filter(({ conversion }) => conversion === undefined)
  return new Map(unconverted.flatMap(({ column, origin }) => (origin ? [[origin.name, column.name] as const] : [])))
}

/** Creates the empty table again. */
function rebuildTable(before: NounSchema, after: NounSchema): readonly string[] {
  const [table, old] = [identifier(after.name), identifier(`_old_${after.name}`)]
  return [
    ...indexesOf(before).map(({ name }) => `drop index ${identifier(name)}`),
    `alter table ${table} drop constraint ${identifier(primaryKey(after.name))}`,
    `alter table ${table} rename to ${old}`,
    ...createNoun(after),
    ...keepSequence(before, after),
    `drop table ${old}`,
  ]
}

/** The next identity follows the highest one ever assigned, even if its record was deleted. */
function keepSequence(before: NounSchema, after: NounSchema): readonly string[] {
  if (hasGuidIdentity(before) || hasGuidIdentity(after)) return []
  const sequence = (table: string, column: string) =>
    `pg_get_serial_sequence(${stringLiteral(identifier(table))}, ${stringLiteral(postgresName(column))})`
  const last = `pg_sequence_last_value(${sequence(`_old_${after.name}`, before.identity)}::regclass)`
  return [`select setval(${sequence(after.name, after.identity)}, coalesce(${last}, 0) + 1, false)`]
}
