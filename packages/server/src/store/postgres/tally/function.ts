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
  _row record;
  _parts integer[];
  _compacted bigint := 0;
begin
  if not ${takeCompactLock(name, 'pg_try_advisory_xact_lock')} then
    return 0;
  end if;
  for _row in
    with removed as (
      delete from ${deltas}
      where ctid = any (array(select ctid from ${deltas} limit batch))
      returning key, block, records
    ), changed as (
      select key, level, block >> (${partBits} * level) as node,
        ((block >> (${partBits} * (level - 1))) & ${partsPerRow - 1})::integer + 1 as part,
        sum(records)::integer as records, count(*) as number
      from removed cross join generate_series(1, ${countLevels}) as level
      group by 1, 2, 3, 4
    )
    select key, level, node, array_agg(part) as parts, array_agg(records) as changes,
      sum(records) as records, sum(number) as number
    from changed
    group by key, level, node
    order by key, level, node
  loop
    select parts into _parts from ${counts} where key = _row.key and level = _row.level and node = _row.node;
    if not found then
      _parts := array_fill(0, array[${partsPerRow}]);
    end if;
    for _part in 1 .. cardinality(_row.parts) loop
      _parts[_row.parts[_part]] := _parts[_row.parts[_part]] + _row.changes[_part];
    end loop;
    insert into ${counts} values (_row.key, _row.level, _row.node, _row.records, _parts)
      on conflict (key, level, node) do update
      set records = ${counts}.records + excluded.records, parts = excluded.parts;
    _compacted := _compacted + case when _row.level = 1 then _row.number else 0 end;
  end loop;
  return _compacted;
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
  _row record;
  _parts integer[];
  number integer;
  at bigint;
begin
  if backward then
    remaining := (select coalesce(sum(records), 0) from ${counts} where key = any (keys) and level = ${countLevels})
      + (select coalesce(sum(records), 0) from ${deltas} where key = any (keys)) - 1 - before;
    if remaining < 0 then return; end if;
  end if;
  for _row in
    select node, sum(records) as records from (
      select node, records from ${counts} where key = any (keys) and level = ${countLevels}
      union all select block >> ${partBits * countLevels}, records from ${deltas} where has_deltas and key = any (keys)
    ) as known group by node order by node
  loop
    at := _row.node;
    exit when remaining < _row.records;
    remaining := remaining - _row.records;
    at := null;
  end loop;
  if at is null then return; end if;
  for step in reverse ${countLevels} .. 1 loop
    if cardinality(keys) = 1 then
      select parts into _parts from ${counts} where key = keys[1] and level = step and node = at;
    else
      select array_agg(total order by part) into _parts from (
        select part, sum(amount)::integer as total from ${counts}, unnest(parts) with ordinality as each (amount, part)
        where key = any (keys) and level = step and node = at group by part
      ) as summed;
    end if;
    _parts := coalesce(_parts, array_fill(0, array[${partsPerRow}]));
    if has_deltas then
      for _row in
        select ((block >> (${partBits} * (step - 1))) & ${partsPerRow - 1})::integer + 1 as part,
          sum(records)::integer as records
        from ${deltas}
        where key = any (keys)
          and block >= at << (${partBits} * step)
          and block < (at + 1) << (${partBits} * step)
        group by 1
      loop
        _parts[_row.part] := _parts[_row.part] + _row.records;
      end loop;
    end if;
    at := at << ${partBits};
    foreach number in array _parts loop
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
