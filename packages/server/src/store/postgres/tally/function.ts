/** The functions of a noun's tallies on PostgreSQL: one compacts deltas into counts, one finds the start of a page. */
import { hasGuidIdentity, type NounSchema } from '../../migrate/schema/schema.ts'
import { stringLiteral } from '../../sql/sql.ts'
import { blockBits, blockDigits } from '../../tally.ts'
import { identifier, postgresName } from '../name.ts'
import { countLevels, partBits, partsPerRow } from './count.ts'
import { compactFunction, deltaTable, pageStartFunction, tallyTable } from './name.ts'

/** The first half of the advisory lock's key; the table's name is the other half. */
const compactLock = 0x6e6f6d67

type CompactLock = 'pg_advisory_lock' | 'pg_advisory_unlock' | 'pg_advisory_xact_lock' | 'pg_try_advisory_xact_lock'

/** Takes, or releases, the lock under which one transaction compacts the deltas of a noun. */
export function takeCompactLock(noun: string, lock: CompactLock): string {
  return takeLock(tallyTable(noun), lock)
}

/** The same for another table. */
export function takeLock(table: string, lock: CompactLock): string {
  const name = stringLiteral(postgresName(table))
  return `${lock}(${compactLock}, hashtext(current_schema() || '.' || ${name}))`
}

/**
 * Compacts at most `batch` deltas (default: all of them), and returns their number: 0 if another transaction compacts at
 * the moment.
 */
export function createCompactFunction({ name }: NounSchema): string {
  const [counts, deltas] = [identifier(tallyTable(name)), identifier(deltaTable(name))]
  const compact = identifier(compactFunction(name))
  return `create function ${compact}(batch bigint default null) returns bigint
language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  one record;
  held integer[];
  folded bigint := 0;
begin
  if not ${takeCompactLock(name, 'pg_try_advisory_xact_lock')} then
    return 0;
  end if;
  for one in
    with gone as (
      delete from ${deltas}
      where ctid = any (array(select ctid from ${deltas} limit batch))
      returning key, block, records
    ), changed as (
      select key, level, block >> (${partBits} * level) as node,
        ((block >> (${partBits} * (level - 1))) & ${partsPerRow - 1})::integer + 1 as part,
        sum(records)::integer as records, count(*) as number
      from gone cross join generate_series(1, ${countLevels}) as level
      group by 1, 2, 3, 4
    )
    select key, level, node, array_agg(part) as parts, array_agg(records) as changes,
      sum(records) as records, sum(number) as number
    from changed
    group by key, level, node
    order by key, level, node
  loop
    select parts into held from ${counts} where key = one.key and level = one.level and node = one.node;
    if not found then
      held := array_fill(0, array[${partsPerRow}]);
    end if;
    for at in 1 .. cardinality(one.parts) loop
      held[one.parts[at]] := held[one.parts[at]] + one.changes[at];
    end loop;
    insert into ${counts} values (one.key, one.level, one.node, one.records, held)
      on conflict (key, level, node) do update
      set records = ${counts}.records + excluded.records, parts = excluded.parts;
    folded := folded + case when one.level = 1 then one.number else 0 end;
  end loop;
  return folded;
end $$`
}

export function createPageStartFunction(noun: NounSchema): string {
  const [counts, deltas] = [identifier(tallyTable(noun.name)), identifier(deltaTable(noun.name))]
  const isGuid = hasGuidIdentity(noun)
  const identity = isGuid ? 'uuid' : 'bigint'
  const first = isGuid ? guidFrom('0') : `(at << ${blockBits[0]})`
  const last = isGuid ? guidFrom('f') : `(((at + 1) << ${blockBits[0]}) - 1)`
  return `create function ${identifier(pageStartFunction(noun.name))}(keys text[], before bigint, backward boolean)
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
    remaining := (select coalesce(sum(records), 0) from ${counts} where key = any (keys) and level = ${countLevels})
      + (select coalesce(sum(records), 0) from ${deltas} where key = any (keys)) - 1 - before;
    if remaining < 0 then return; end if;
  end if;
  for one in
    select node, sum(records) as records from (
      select node, records from ${counts} where key = any (keys) and level = ${countLevels}
      union all select block >> ${partBits * countLevels}, records from ${deltas} where has_deltas and key = any (keys)
    ) as known group by node order by node
  loop
    at := one.node;
    exit when remaining < one.records;
    remaining := remaining - one.records;
    at := null;
  end loop;
  if at is null then return; end if;
  for step in reverse ${countLevels} .. 1 loop
    if cardinality(keys) = 1 then
      select parts into held from ${counts} where key = keys[1] and level = step and node = at;
    else
      select array_agg(total order by part) into held from (
        select part, sum(amount)::integer as total from ${counts}, unnest(parts) with ordinality as each (amount, part)
        where key = any (keys) and level = step and node = at group by part
      ) as summed;
    end if;
    held := coalesce(held, array_fill(0, array[${partsPerRow}]));
    if has_deltas then
      for one in
        select ((block >> (${partBits} * (step - 1))) & ${partsPerRow - 1})::integer + 1 as part,
          sum(records)::integer as records
        from ${deltas}
        where key = any (keys)
          and block >= at << (${partBits} * step)
          and block < (at + 1) << (${partBits} * step)
        group by 1
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

/** The first or last guid that begins with the digits of a block. */
function guidFrom(digit: '0' | 'f'): string {
  return `(rpad(lpad(to_hex(at), ${blockDigits[0]}, '0'), 32, '${digit}'))::uuid`
}
