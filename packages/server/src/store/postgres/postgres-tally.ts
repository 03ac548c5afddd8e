/**
 * The tallies of a noun on PostgreSQL. A row that every write of all instances had to change would make them wait for
 * each other, so writes only append differences; now and then one instance folds these into the counts, and whoever reads
 * adds both up in one snapshot.
 */
import { edition, madeName } from '../made-name.ts'
import { fieldOf, type NounSchema } from '../schema.ts'
import { blockBits, blockDigits, changeParts, keyName, separator, type TallyFields } from '../tally.ts'
import { textLiteral } from './postgres-expression.ts'
import { postgresName, quoted } from './postgres-name.ts'

/**
 * A row of the counts holds those of 256 neighbouring parts: blocks of identities at level 1, whole rows of level 1 at
 * level 2. Only the fold writes them.
 */
const partBits = 8
const parts = 2 ** partBits
const levels = 2

/** Nomen's own among the advisory locks of a database; the table's name makes the other half of the key. */
const foldLock = 0x6e6f6d67

export function tallyTable(noun: string, of?: number): string {
  return tallyName(noun, [], of)
}

export function deltaTable(noun: string, of?: number): string {
  return tallyName(noun, ['delta'], of)
}

/** Moves the differences into the counts, unless another instance is at it; gives how many there were. */
export function foldFunction(noun: string, of?: number): string {
  return tallyName(noun, ['fold'], of)
}

/** Where the record lies that has so many others before it. */
export function placeFunction(noun: string, of?: number): string {
  return tallyName(noun, ['place'], of)
}

/** What is made for a noun's tallies; without an edition, in the one that services use. */
function tallyName(noun: string, parts: readonly string[], of: number = edition): string {
  return madeName(['', 'tally', noun, ...parts], of)
}

/** A noun's tallies, counted from the records that are there. */
export function createTallies(noun: NounSchema): readonly string[] {
  const { tallies = [] } = noun
  if (tallies.length === 0) return []
  const [counts, deltas] = [quoted(tallyTable(noun.name)), quoted(deltaTable(noun.name))]
  return [
    `create table ${counts} (
  "key" text collate "C",
  "level" smallint,
  "node" bigint,
  "records" bigint not null,
  "parts" integer[] not null,
  constraint ${quoted(tallyName(noun.name, ['primary', 'key']))} primary key ("key", "level", "node")
) with (fillfactor = 50)`,
    `create table ${deltas} (
  "key" text collate "C" not null,
  "block" bigint not null,
  "records" integer not null
)`,
    `create index ${quoted(tallyName(noun.name, ['delta', 'key']))} on ${deltas} ("key", "block")`,
    createFold(noun),
    createPlace(noun),
    // From here on nobody else writes records until the migration is over: what is counted stays counted.
    ...triggers(noun, tallies),
    `insert into ${deltas} ${differences(noun, tallies, quoted(noun.name), 1)}`,
    `select ${quoted(foldFunction(noun.name))}()`,
  ]
}

export function dropTallies({ name, tallies = [], adopted, edition: of = 1 }: NounSchema): readonly string[] {
  if (tallies.length === 0) return []
  // Tables of our own have all of them since the second edition.
  const later = adopted || of > 1 ? [['truncate'], ['move']] : []
  // Others may have dropped some of theirs already.
  const [drop, dropTable] = ['drop function', 'drop table'].map((word) => (adopted ? `${word} if exists` : word))
  const kinds = [['insert'], ['delete'], ...later, ...changing(tallies).map(changeParts)]
  return [
    ...kinds.map((kind) => `${drop} ${quoted(triggerName(name, kind, of))} cascade`),
    `${drop} ${quoted(placeFunction(name, of))}`,
    `${drop} ${quoted(foldFunction(name, of))}`,
    `${dropTable} ${quoted(deltaTable(name, of))}`,
    `${dropTable} ${quoted(tallyTable(name, of))}`,
  ]
}

/** How many triggers keep the tallies of a noun. */
export function numberOfTriggers({ tallies = [] }: NounSchema): number {
  return tallies.length === 0 ? 0 : 4 + changing(tallies).length
}

/** Whether the tallies are what the records come to, as one condition. */
export function isCounted(noun: NounSchema): string {
  const { name, tallies = [] } = noun
  if (tallies.length === 0) return 'true'
  const records = differences(noun, tallies, quoted(name), 1)
  const counted = `select key, sum(records) from (${records}) as one (key, block, records) group by key`
  const rows = `select key, records from ${quoted(tallyTable(name))} where level = ${levels} union all select key, records from ${quoted(deltaTable(name))}`
  const kept = `select key, sum(records) from (${rows}) as one group by key having sum(records) <> 0`
  return `not exists ((${counted} except ${kept}) union all (${kept} except ${counted}))`
}

function changing(tallies: readonly TallyFields[]): readonly TallyFields[] {
  return tallies.filter((fields) => fields.length > 0)
}

function triggerName(noun: string, kind: readonly string[], of?: number): string {
  return tallyName(noun, ['on', ...kind], of)
}

/** Every change of a record reaches the tallies in the same transaction, whoever makes it. */
function triggers(noun: NounSchema, tallies: readonly TallyFields[]): readonly string[] {
  const [table, deltas] = [quoted(noun.name), quoted(deltaTable(noun.name))]
  // Others who write the table need no rights on what is Nomen's own.
  const rights = noun.adopted ? ' security definer' : ''
  // Triggers of others may change columns that a statement does not name.
  const of = (names: readonly string[]) => (noun.adopted ? '' : `of ${names.join(', ')} `)
  const trigger = (kind: readonly string[], statement: string, body: string) =>
    triggerOn(kind, statement, `insert into ${deltas} ${body}`)
  const triggerOn = (kind: readonly string[], statement: string, body: string) => [
    `create function ${quoted(triggerName(noun.name, kind))}() returns trigger language plpgsql${rights} set search_path from current as $$
#variable_conflict use_column
begin
  ${body};
  return null;
end $$`,
    `create trigger ${quoted(triggerName(noun.name, kind))} ${statement} execute function ${quoted(triggerName(noun.name, kind))}()`,
  ]
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
      const names = fields.map(quoted)
      const isChanged = names.map((field) => `old.${field} is distinct from new.${field}`).join(' or ')
      const row = (one: 'old' | 'new', records: number) =>
        `(${keyOf(noun, fields, `${one}.`)}, ${blockOf(noun, `${one}.${quoted(noun.identity)}`)}, ${records})`
      return trigger(
        changeParts(fields),
        `after update ${of(names)}on ${table} for each row when (${isChanged})`,
        `values ${row('old', -1)}, ${row('new', 1)}`,
      )
    }),
    ...triggerOn(['truncate'], `after truncate on ${table} for each statement`, emptied(noun)),
    ...trigger(
      ['move'],
      `after update ${of([quoted(noun.identity)])}on ${table} for each row when (old.${quoted(noun.identity)} <> new.${quoted(noun.identity)})`,
      moved(noun, tallies),
    ),
  ]
}

/**
 * Nobody else writes meanwhile, and no fold may bring back what is gone. A transaction that sees no more than what was there
 * when it began would leave what came since; a truncate leaves nothing, but readers might have to wait for it in a circle.
 */
function emptied({ name }: NounSchema): string {
  const tables = [deltaTable(name), tallyTable(name)].map(quoted)
  return `perform pg_advisory_xact_lock(${foldLock}, hashtext(current_schema() || '.' || ${textLiteral(postgresName(tallyTable(name)))}));
  if current_setting('transaction_isolation') = 'read committed' then
    ${tables.map((table) => `delete from ${table};`).join(' ')}
  else
    truncate ${tables.join(', ')};
  end if`
}

/** A record that is given another identity, which only other programs do. Tallies whose values change know it already. */
function moved(noun: NounSchema, tallies: readonly TallyFields[]): string {
  const each = tallies.flatMap((fields) => {
    const isSame = ['true', ...fields.map((field) => `old.${quoted(field)} is not distinct from new.${quoted(field)}`)]
    const row = (one: 'old' | 'new', records: number) =>
      `select ${keyOf(noun, fields, `${one}.`)}, ${blockOf(noun, `${one}.${quoted(noun.identity)}`)}, ${records} where ${isSame.join(' and ')}`
    return [row('old', -1), row('new', 1)]
  })
  return each.join(' union all ')
}

/** By how much the records of a table change every tally. */
function differences(noun: NounSchema, tallies: readonly TallyFields[], table: string, sign: 1 | -1): string {
  const each = tallies.map(
    (fields) => `select ${keyOf(noun, fields, '')}, ${blockOf(noun, quoted(noun.identity))} from ${table}`,
  )
  return `select key, block, ${sign === 1 ? '' : '-'}count(*) from (${each.join(' union all ')}) as one (key, block) group by key, block`
}

/** What `tallyKey` makes of values, made of columns. */
function keyOf(noun: NounSchema, fields: TallyFields, row: string): string {
  const textOf = (field: string) =>
    `${row}${quoted(field)}::${fieldOf(noun, field).kind === 'flag' ? 'integer' : 'text'}`
  const key = fields.map((field) => `${textLiteral(keyName(field))} || coalesce('=' || ${textOf(field)}, '')`)
  return key.length === 0 ? `''` : key.join(` || chr(${separator.charCodeAt(0)}) || `)
}

function blockOf(noun: NounSchema, identity: string): string {
  return isGuid(noun)
    ? `('x' || left(${identity}::text, ${blockDigits[0]}))::bit(${4 * blockDigits[0]})::integer`
    : `${identity} >> ${blockBits[0]}`
}

function isGuid(noun: NounSchema): boolean {
  return fieldOf(noun, noun.identity).guid === true
}

function createFold({ name }: NounSchema): string {
  const [counts, deltas] = [quoted(tallyTable(name)), quoted(deltaTable(name))]
  return `create function ${quoted(foldFunction(name))}() returns bigint language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  one record;
  held integer[];
  folded bigint := 0;
begin
  if not pg_try_advisory_xact_lock(${foldLock}, hashtext(current_schema() || '.' || ${textLiteral(postgresName(tallyTable(name)))})) then
    return 0;
  end if;
  for one in
    with gone as (
      delete from ${deltas} returning key, block, records
    ), changed as (
      select key, level, block >> (${partBits} * level) as node, ((block >> (${partBits} * (level - 1))) & ${parts - 1})::integer + 1 as part,
        sum(records)::integer as records, count(*) as number
      from gone cross join generate_series(1, ${levels}) as level
      group by 1, 2, 3, 4
    )
    select key, level, node, array_agg(part) as parts, array_agg(records) as changes, sum(records) as records, sum(number) as number
    from changed group by key, level, node order by key, level, node
  loop
    select parts into held from ${counts} where key = one.key and level = one.level and node = one.node;
    if not found then
      held := array_fill(0, array[${parts}]);
    end if;
    for at in 1 .. cardinality(one.parts) loop
      held[one.parts[at]] := held[one.parts[at]] + one.changes[at];
    end loop;
    insert into ${counts} values (one.key, one.level, one.node, one.records, held)
      on conflict (key, level, node) do update set records = ${counts}.records + excluded.records, parts = excluded.parts;
    folded := folded + case when one.level = 1 then one.number else 0 end;
  end loop;
  return folded;
end $$`
}

function createPlace(noun: NounSchema): string {
  const [counts, deltas] = [quoted(tallyTable(noun.name)), quoted(deltaTable(noun.name))]
  const identity = isGuid(noun) ? 'uuid' : 'bigint'
  const first = isGuid(noun) ? guidFrom('0') : `(at << ${blockBits[0]})`
  const last = isGuid(noun) ? guidFrom('f') : `(((at + 1) << ${blockBits[0]}) - 1)`
  return `create function ${quoted(placeFunction(noun.name))}(keys text[], before bigint, backward boolean)
returns table ("start" ${identity}, "rest" bigint) language plpgsql stable set search_path from current as $$
#variable_conflict use_column
declare
  remaining bigint := before;
  has_deltas boolean := exists (select from ${deltas} where key = any (keys));
  one record;
  held integer[];
  number integer;
  at bigint;
begin
  if backward then
    remaining := (select coalesce(sum(records), 0) from ${counts} where key = any (keys) and level = ${levels})
      + (select coalesce(sum(records), 0) from ${deltas} where key = any (keys)) - 1 - before;
    if remaining < 0 then return; end if;
  end if;
  for one in
    select node, sum(records) as records from (
      select node, records from ${counts} where key = any (keys) and level = ${levels}
      union all select block >> ${partBits * levels}, records from ${deltas} where has_deltas and key = any (keys)
    ) as known group by node order by node
  loop
    at := one.node;
    exit when remaining < one.records;
    remaining := remaining - one.records;
    at := null;
  end loop;
  if at is null then return; end if;
  for step in reverse ${levels} .. 1 loop
    if cardinality(keys) = 1 then
      select parts into held from ${counts} where key = keys[1] and level = step and node = at;
    else
      select array_agg(total order by part) into held from (
        select part, sum(amount)::integer as total from ${counts}, unnest(parts) with ordinality as each (amount, part)
        where key = any (keys) and level = step and node = at group by part
      ) as summed;
    end if;
    held := coalesce(held, array_fill(0, array[${parts}]));
    if has_deltas then
      for one in
        select ((block >> (${partBits} * (step - 1))) & ${parts - 1})::integer + 1 as part, sum(records)::integer as records from ${deltas}
        where key = any (keys) and block >= at << (${partBits} * step) and block < (at + 1) << (${partBits} * step) group by 1
      loop
        held[one.part] := held[one.part] + one.records;
      end loop;
    end if;
    at := at << ${partBits};
    foreach number in array held loop
      exit when remaining < number;
      remaining := remaining - number;
      at := at + 1;
    end loop;
  end loop;
  start := case when backward then ${last} else ${first} end;
  rest := case when backward then number - 1 - remaining else remaining end;
  return next;
end $$`
}

/** The first or the last of all guids that begin with the digits of a block. */
function guidFrom(digit: '0' | 'f'): string {
  return `(rpad(lpad(to_hex(at), ${blockDigits[0]}, '0'), 32, '${digit}'))::uuid`
}
