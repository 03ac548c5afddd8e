/** The stored numbers of history entries on PostgreSQL: their tables, and the triggers that record deleted entries. */
import { change } from '@nomen/core'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import { allNouns, blockBits, entryCountTable, entryDeltaTable } from '../../sql/entry-count/entry-count.ts'
import { createTables } from '../../sql/own-tables/table.ts'
import { sql, stringLiteral } from '../../sql/sql.ts'
import { columnName } from '../../stored-name.ts'
import { identifier } from '../name.ts'
import { postgresOwnTables } from '../own-tables.ts'
import { takeLock } from './function.ts'

const [counts, deltas] = [identifier(entryCountTable.name), identifier(entryDeltaTable)]
const nounColumn = identifier(columnName(change, 'noun'))
const kinds = ['delete', 'truncate', 'noun']
const partName = (kind: string) => `${entryCountTable.name}_on_${kind}`
const triggerName = (kind: string) => identifier(partName(kind))

/** The names of the tables and indexes, and those of the triggers with their functions. */
export const entryRelations = [entryCountTable.name, entryDeltaTable, `${entryDeltaTable}_block`]
export const entryTriggers = kinds.map(partName)

/** Selects whether this transaction is the only one that counts. */
export const entryCountLock = sql.raw(`select ${takeLock(entryCountTable.name, 'pg_try_advisory_xact_lock')}`)

/** A noun is changed when a table of the same name replaces that of a dropped noun. */
export function createEntryCounts({ name, identity }: NounSchema): readonly string[] {
  const table = identifier(name)
  const block = (row: string) => `${row}${identifier(identity)} >> ${blockBits}`
  const all = stringLiteral(allNouns)
  const trigger = (kind: string, event: string, body: string) => [
    `create function ${triggerName(kind)}() returns trigger language plpgsql set search_path from current as $$
#variable_conflict use_column
begin
  ${body};
  return null;
end $$`,
    `create trigger ${triggerName(kind)} ${event} execute function ${triggerName(kind)}()`,
  ]
  const deletedBy = (noun: string) => `select ${block('')}, ${noun}, -count(*) from "_changed" group by 1, 2`
  return [
    ...createTables(postgresOwnTables, [entryCountTable]),
    `create table ${deltas} (
  "block" bigint not null,
  "noun" text collate "C" not null,
  "entries" bigint not null
)`,
    `create index ${identifier(`${entryDeltaTable}_block`)} on ${deltas} ("block")`,
    // In a publication, rows of a table without an identity cannot be deleted.
    `alter table ${deltas} replica identity full`,
    ...trigger(
      'delete',
      `after delete on ${table} referencing old table as "_changed" for each statement`,
      `insert into ${deltas} ${deletedBy(nounColumn)} union all ${deletedBy(`${all}::text`)}`,
    ),
    ...trigger(
      'noun',
      `after update of ${nounColumn} on ${table} for each row when (old.${nounColumn} <> new.${nounColumn})`,
      `insert into ${deltas}
values (${block('old.')}, old.${nounColumn}, -1), (${block('new.')}, new.${nounColumn}, 1)`,
    ),
    ...trigger(
      'truncate',
      `after truncate on ${table} for each statement`,
      `delete from ${counts}; delete from ${deltas}`,
    ),
  ]
}

/** The service counts all entries again. A task that is counting must not add blocks after those that are deleted here. */
export const clearEntryCounts = [
  `select ${takeLock(entryCountTable.name, 'pg_advisory_xact_lock')}`,
  ...[counts, deltas].map((table) => `delete from ${table}`),
]

export function dropEntryCounts(): readonly string[] {
  return [
    ...kinds.map((kind) => `drop function if exists ${triggerName(kind)} cascade`),
    `drop table if exists ${deltas}`,
    `drop table if exists ${counts}`,
  ]
}
