/**
 * The tallies of a noun on PostgreSQL. A row that every write of all instances had to change would make them wait for
 * each other, so writes only append differences; now and then one instance folds these into the counts, and whoever reads
 * adds both up in one snapshot.
 */
import type { NounSchema } from '../../migrate/schema.ts'
import { changeParts, type TallyFields } from '../../tally.ts'
import { identifier } from '../name.ts'
import { blockOf, countAnew, differences, keyOf } from './count.ts'
import { createFold, createPlace, foldTurn } from './function.ts'
import {
  deltaIndex,
  deltaTable,
  foldFunction,
  placeFunction,
  tallyKeyName,
  tallyTable,
  triggerKinds,
  triggerName,
} from './name.ts'

/** A noun's tallies, counted from the records that are there. */
export function createTallies(noun: NounSchema): readonly string[] {
  const { tallies = [] } = noun
  if (tallies.length === 0) return []
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
    createFold(noun),
    createPlace(noun),
    // From here on nobody else writes records until the migration is over: what is counted stays counted.
    ...triggers(noun, tallies),
    ...countAnew(noun, tallies),
  ]
}

export function dropTallies(noun: NounSchema): readonly string[] {
  const { name, tallies = [], adopted, edition: of = 1 } = noun
  if (tallies.length === 0) return []
  // Others may have dropped some of theirs already.
  const [drop, dropTable] = ['drop function', 'drop table'].map((word) => (adopted ? `${word} if exists` : word))
  return [
    ...triggerKinds(noun).map((kind) => `${drop} ${identifier(triggerName(name, kind, of))} cascade`),
    `${drop} ${identifier(placeFunction(name, of))}`,
    `${drop} ${identifier(foldFunction(name, of))}`,
    `${dropTable} ${identifier(deltaTable(name, of))}`,
    `${dropTable} ${identifier(tallyTable(name, of))}`,
  ]
}

/** Counts the records anew, where nobody else writes them meanwhile. Readers go on with what was counted before. */
export function recountTallies(noun: NounSchema): readonly string[] {
  const { name, tallies = [] } = noun
  if (tallies.length === 0) return []
  return [
    // No fold may bring back what is gone.
    `select ${foldTurn(name, 'pg_advisory_xact_lock')}`,
    ...[deltaTable(name), tallyTable(name)].map((table) => `delete from ${identifier(table)}`),
    ...countAnew(noun, tallies),
  ]
}

function changing(tallies: readonly TallyFields[]): readonly TallyFields[] {
  return tallies.filter((fields) => fields.length > 0)
}

/** Every change of a record reaches the tallies in the same transaction, whoever makes it. */
function triggers(noun: NounSchema, tallies: readonly TallyFields[]): readonly string[] {
  const [table, deltas] = [identifier(noun.name), identifier(deltaTable(noun.name))]
  // Others who write the table need no rights on what is Nomen's own.
  const rights = noun.adopted ? ' security definer' : ''
  // Triggers of others may change columns that a statement does not name.
  const of = (names: readonly string[]) => (noun.adopted ? '' : `of ${names.join(', ')} `)
  const trigger = (kind: readonly string[], statement: string, body: string) =>
    triggerOn(kind, statement, `insert into ${deltas} ${body}`)
  const triggerOn = (kind: readonly string[], statement: string, body: string) => {
    const name = identifier(triggerName(noun.name, kind))
    const language = `language plpgsql${rights} set search_path from current`
    return [
      `create function ${name}() returns trigger ${language} as $$
#variable_conflict use_column
begin
  ${body};
  return null;
end $$`,
      `create trigger ${name} ${statement} execute function ${name}()`,
    ]
  }
  const identity = identifier(noun.identity)
  return [
    ...trigger(
      ['insert'],
      `after insert on ${table} referencing new table as "_changed" for each statement`,
      differences(noun, tallies, '"_changed"', 1),
    ),
    ...trigger(
      ['delete'],
      `after delete on ${table} referencing old table as "_changed" for each statement`,
      differences(noun, tallies, '"_changed"', -1),
    ),
    // One for each record, since only such a trigger is left alone by changes of other fields.
    ...changing(tallies).flatMap((fields) => {
      const names = fields.map(identifier)
      const isChanged = names.map((field) => `old.${field} is distinct from new.${field}`).join(' or ')
      const row = (one: 'old' | 'new', records: number) =>
        `(${keyOf(noun, fields, `${one}.`)}, ${blockOf(noun, `${one}.${identity}`)}, ${records})`
      return trigger(
        changeParts(fields),
        `after update ${of(names)}on ${table} for each row when (${isChanged})`,
        `values ${row('old', -1)}, ${row('new', 1)}`,
      )
    }),
    ...triggerOn(['truncate'], `after truncate on ${table} for each statement`, emptied(noun)),
    ...trigger(
      ['move'],
      `after update ${of([identity])}on ${table} for each row when (old.${identity} <> new.${identity})`,
      moved(noun, tallies),
    ),
  ]
}

/**
 * Nobody else writes meanwhile, and no fold may bring back what is gone. A transaction that sees no more than what was there
 * when it began would leave what came since; a truncate leaves nothing, but readers might have to wait for it in a circle.
 */
function emptied({ name }: NounSchema): string {
  const tables = [deltaTable(name), tallyTable(name)].map(identifier)
  return `perform ${foldTurn(name, 'pg_advisory_xact_lock')};
  if current_setting('transaction_isolation') = 'read committed' then
    ${tables.map((table) => `delete from ${table};`).join(' ')}
  else
    truncate ${tables.join(', ')};
  end if`
}

/** A record that is given another identity, which only other programs do. Tallies whose values change know it already. */
function moved(noun: NounSchema, tallies: readonly TallyFields[]): string {
  const each = tallies.flatMap((fields) => {
    const isSame = [
      'true',
      ...fields.map((field) => `old.${identifier(field)} is not distinct from new.${identifier(field)}`),
    ]
    const row = (one: 'old' | 'new', records: number) => {
      const block = blockOf(noun, `${one}.${identifier(noun.identity)}`)
      return `select ${keyOf(noun, fields, `${one}.`)}, ${block}, ${records} where ${isSame.join(' and ')}`
    }
    return [row('old', -1), row('new', 1)]
  })
  return each.join(' union all ')
}
