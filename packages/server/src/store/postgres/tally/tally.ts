/**
 * The tallies of a noun on PostgreSQL. If every write had to change the same row, writers would wait for each other. So
 * writes only append deltas, one instance compacts them into the counts from time to time, and readers add both in one
 * snapshot.
 */
import type { ClientBase } from 'pg'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import { changeTriggerParts } from '../../tally.ts'
import { inTransaction } from '../migrate/connection.ts'
import { identifier } from '../name.ts'
import { blockExpression, countRecords, keyExpression, tallyDeltas } from './count.ts'
import { clearEntryCounts, createEntryCounts, dropEntryCounts } from './entry-count.ts'
import { createCompactFunction, createPageStartFunction, takeCompactLock } from './function.ts'
import {
  compactFunction,
  deltaIndex,
  deltaTable,
  pageStartFunction,
  tallyKeyName,
  tallyTable,
  triggerKinds,
  triggerName,
} from './name.ts'

/** A noun's tallies, counted from its existing records. */
export function createTallies(noun: NounSchema): readonly string[] {
  if (noun.blocks) return createEntryCounts(noun)
  if (noun.tallies.length === 0) return []
  const [counts, deltas] = [identifier(tallyTable(noun.name)), identifier(deltaTable(noun.name))]
  return [
    `create table ${counts} (
  "key" text collate "C",
  "level" smallint,
  "node" bigint,
  "records" bigint not null,
  "parts" integer[] not null,
  constraint ${identifier(tallyKeyName(noun.name))} primary key ("key", "level", "node")
) with (fillfactor = 50)`,
    `create table ${deltas} (
  "key" text collate "C" not null,
  "block" bigint not null,
  "records" integer not null
)`,
    `create index ${identifier(deltaIndex(noun.name))} on ${deltas} ("key", "block")`,
    // In a publication, rows of a table without an identity cannot be deleted.
    `alter table ${deltas} replica identity full`,
    createCompactFunction(noun),
    createPageStartFunction(noun),
    // The migration's lock keeps other writers out from here on, so the counts stay correct.
    ...createTallyTriggers(noun),
    ...countRecords(noun),
  ]
}

export function dropTallyTriggers(noun: NounSchema): readonly string[] {
  return triggerKinds(noun).map((kind) => `drop function ${identifier(triggerName(noun.name, kind))} cascade`)
}

export function dropTallies(noun: NounSchema): readonly string[] {
  const { name, tallies, adopted } = noun
  if (noun.blocks) return dropEntryCounts()
  if (tallies.length === 0) return []
  // Other programs may have dropped some parts.
  const [drop, dropTable] = ['drop function', 'drop table'].map((verb) => (adopted ? `${verb} if exists` : verb))
  return [
    ...triggerKinds(noun).map((kind) => `${drop} ${identifier(triggerName(name, kind))} cascade`),
    `${drop} ${identifier(pageStartFunction(name))}`,
    `${drop} ${identifier(compactFunction(name))}`,
    `${dropTable} ${identifier(deltaTable(name))}`,
    `${dropTable} ${identifier(tallyTable(name))}`,
  ]
}

/** Recounts the records while no other program writes them. Readers use the old counts until the commit. */
export function recountTallies(noun: NounSchema): readonly string[] {
  if (noun.blocks) return clearEntryCounts
  const { name, tallies } = noun
  if (tallies.length === 0) return []
  return [
    // A concurrent compaction must not bring back deleted counts.
    `select ${takeCompactLock(name, 'pg_advisory_xact_lock')}`,
    ...replaceCounts(noun),
  ]
}

function replaceCounts(noun: NounSchema): readonly string[] {
  const { name } = noun
  return [
    ...[deltaTable(name), tallyTable(name)].map((table) => `delete from ${identifier(table)}`),
    ...countRecords(noun),
  ]
}

/**
 * Recounts while others write. In one snapshot, counts and deltas are replaced by the number of records; deltas of later
 * writes remain. No compaction runs meanwhile.
 */
export async function recountOnline(client: ClientBase, noun: NounSchema): Promise<void> {
  await client.query(`select ${takeCompactLock(noun.name, 'pg_advisory_lock')}`)
  try {
    await inTransaction(client, 'begin isolation level repeatable read', async () => {
      for (const statement of replaceCounts(noun)) await client.query(statement)
    })
  } finally {
    await client.query(`select ${takeCompactLock(noun.name, 'pg_advisory_unlock')}`).catch(() => {})
  }
}

/** Every change of a record updates the tallies in the same transaction, including changes by other programs. */
export function createTallyTriggers(noun: NounSchema): readonly string[] {
  const [table, deltas] = [identifier(noun.name), identifier(deltaTable(noun.name))]
  // Triggers of other programs may change columns that a statement does not name.
  const ofColumns = (names: readonly string[]) => (noun.adopted ? '' : `of ${names.join(', ')} `)
  const trigger = (kind: readonly string[], statement: string, body: string) =>
    createTrigger(noun, kind, statement, `insert into ${deltas} ${body}`)
  const identity = identifier(noun.identity)
  return [
    ...trigger(
      ['insert'],
      `after insert on ${table} referencing new table as "_changed" for each statement`,
      tallyDeltas(noun, '"_changed"', 1),
    ),
    ...trigger(
      ['delete'],
      `after delete on ${table} referencing old table as "_changed" for each statement`,
      tallyDeltas(noun, '"_changed"', -1),
    ),
    // For each row, because only a row trigger can ignore changes of other fields.
    ...noun.tallies.flatMap((fields) => {
      if (fields.length === 0) return []
      const names = fields.map(identifier)
      const isChanged = names.map((field) => `old.${field} is distinct from new.${field}`).join(' or ')
      const row = (state: 'old' | 'new', records: number) =>
        `(${keyExpression(noun, fields, `${state}.`)}, ${blockExpression(noun, `${state}.${identity}`)}, ${records})`
      return trigger(
        changeTriggerParts(fields),
        `after update ${ofColumns(names)}on ${table} for each row when (${isChanged})`,
        `values ${row('old', -1)}, ${row('new', 1)}`,
      )
    }),
    ...createTrigger(noun, ['truncate'], `after truncate on ${table} for each statement`, truncateTallies(noun)),
    ...trigger(
      ['move'],
      `after update ${ofColumns([identity])}on ${table} for each row when (old.${identity} <> new.${identity})`,
      moveRecord(noun),
    ),
  ]
}

function createTrigger(noun: NounSchema, kind: readonly string[], statement: string, body: string): readonly string[] {
  const name = identifier(triggerName(noun.name, kind))
  // Other programs that write the table need no privileges on Nomen's tables.
  const rights = noun.adopted ? ' security definer' : ''
  return [
    `create function ${name}() returns trigger language plpgsql${rights} set search_path from current as $$
#variable_conflict use_column
begin
  ${body};
  return null;
end $$`,
    `create trigger ${name} ${statement} execute function ${name}()`,
  ]
}

/**
 * No other transaction writes the table now, and a concurrent compaction must not bring back deleted counts. Under a
 * snapshot isolation level, a delete would miss newer rows. A truncate misses none, but could deadlock with readers.
 */
function truncateTallies({ name }: NounSchema): string {
  const tables = [deltaTable(name), tallyTable(name)].map(identifier)
  return `perform ${takeCompactLock(name, 'pg_advisory_xact_lock')};
  if current_setting('transaction_isolation') = 'read committed' then
    ${tables.map((table) => `delete from ${table};`).join(' ')}
  else
    truncate ${tables.join(', ')};
  end if`
}

/** A change of the identity, which only other programs make. Tallies whose values also change have their own trigger. */
function moveRecord(noun: NounSchema): string {
  const rowChanges = noun.tallies.flatMap((fields) => {
    const isSame = [
      'true',
      ...fields.map((field) => `old.${identifier(field)} is not distinct from new.${identifier(field)}`),
    ]
    const row = (state: 'old' | 'new', records: number) => {
      const block = blockExpression(noun, `${state}.${identifier(noun.identity)}`)
      return `select ${keyExpression(noun, fields, `${state}.`)}, ${block}, ${records} where ${isSame.join(' and ')}`
    }
    return [row('old', -1), row('new', 1)]
  })
  return rowChanges.join(' union all ')
}
