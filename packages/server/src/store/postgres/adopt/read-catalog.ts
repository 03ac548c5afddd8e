/** Reads the catalog of a PostgreSQL database in one query. */
import type { ClientBase } from 'pg'
import type { Catalog } from './catalog.ts'

/** Reads the connection's current schema, or some of its tables, without those of extensions and Nomen's own. */
export async function readCatalog(client: ClientBase, tables?: readonly string[]): Promise<Catalog> {
  const { rows } = await client.query(catalogQuery, [tables ?? null])
  return rows[0].catalog as Catalog
}

const names = (keys: string, table: string) =>
  `(select coalesce(json_agg(a.attname order by k.at), '[]') from unnest(${keys}) with ordinality as k (number, at)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`

/** The base type of a column, with the constraints and default of its domains. */
const base = `with recursive base (oid, typmod, required, value) as (
    select a.atttypid, a.atttypmod, false, null::text collate "C"
    union all
    select t.typbasetype, case when t.typtypmod >= 0 then t.typtypmod else b.typmod end, b.required or t.typnotnull,
      coalesce(b.value, t.typdefault) collate "C"
    from base b join pg_type t on t.oid = b.oid and t.typtype = 'd')
  select b.* from base b join pg_type t on t.oid = b.oid and t.typtype <> 'd'`

const columns = `(select coalesce(json_agg(json_build_object(
    'name', a.attname,
    'type', ty.typname,
    'form', format_type(a.atttypid, a.atttypmod),
    'length', case when ty.typname = 'varchar' and base.typmod > 4 then base.typmod - 4 end,
    'precision', case
      when ty.typname = 'numeric' and base.typmod > 4 then ((base.typmod - 4) >> 16) & 65535
      when ty.typname in ('timestamp', 'timestamptz') and base.typmod >= 0 then base.typmod end,
    'scale', case when ty.typname = 'numeric' and base.typmod > 4 then (((base.typmod - 4) & 2047) # 1024) - 1024 end,
    'choices', case when ty.typtype = 'e' then
      (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = ty.oid) end,
    'isRequired', a.attnotnull or base.required,
    'default', case when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), base.value) end,
    'isGenerated', a.attgenerated <> '',
    'hasSequence',
      pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname) is not null
      and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%'),
    'hasDeterministicCollation', coalesce(co.collisdeterministic, true),
    'comment', col_description(c.oid, a.attnum)
  ) order by a.attnum), '[]')
  from pg_attribute a
    join lateral (${base}) base on true
    join pg_type ty on ty.oid = base.oid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation co on co.oid = a.attcollation
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`

/** Whether the expression of an index is a column in lower case. */
const isLowered = `pg_get_expr(i.indexprs, c.oid)
  in (format('lower(%I)', a.attname), format('lower((%I)::text)', a.attname))`

/** Unique indexes without a predicate, on columns or on one column in lower case. */
const keys = `(select coalesce(json_agg(json_build_object(
    'columns', case when i.indexprs is null then ${names('i.indkey::smallint[]', 'c.oid')} else
      (select json_agg(a.attname)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and ${isLowered}) end,
    'isPrimary', i.indisprimary,
    'isLowered', i.indexprs is not null
  ) order by i.indisprimary desc, i.indexrelid), '[]')
  from pg_index i
  where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null
    and not coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false) and i.indnkeyatts = i.indnatts
    and (i.indexprs is null or exists (
      select from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and i.indnatts = 1 and ${isLowered}
    )))`

const references = `(select coalesce(json_agg(json_build_object(
    'columns', ${names('f.conkey', 'c.oid')},
    'target', t.relname,
    'isInSchema', t.relnamespace = c.relnamespace,
    'targetColumns', ${names('f.confkey', 't.oid')},
    'onDelete', case f.confdeltype
      when 'c' then 'cascade'
      when 'n' then 'clear'
      when 'd' then 'default'
      else 'restrict' end
  ) order by f.conname), '[]')
  from pg_constraint f join pg_class t on t.oid = f.confrelid
  where f.conrelid = c.oid and f.contype = 'f' and f.convalidated)`

/** The checks of the table, and for each column those of its domains. */
const checks = `(select coalesce(json_agg(json_build_object(
    'name', checks.name, 'columns', checks.columns, 'condition', checks.condition
  ) order by checks.name), '[]')
  from (
    select k.conname as name, ${names('k.conkey', 'c.oid')} as columns, pg_get_expr(k.conbin, k.conrelid) as condition
    from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
    union all
    select k.conname, json_build_array(a.attname), pg_get_expr(k.conbin, 0)
    from pg_attribute a
      join lateral (with recursive domain (oid, base) as (
        select t.oid, t.typbasetype from pg_type t where t.oid = a.atttypid and t.typtype = 'd'
        union all
        select t.oid, t.typbasetype from domain o join pg_type t on t.oid = o.base and t.typtype = 'd')
      select oid from domain) domain on true
      join pg_constraint k on k.contypid = domain.oid and k.contype = 'c'
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) checks)`

const catalogQuery = `select json_build_object('schema', n.nspname, 'tables', (
  select coalesce(json_agg(json_build_object(
    'name', c.relname,
    'kind', case
      when c.relkind = 'v' then 'view'
      when c.relkind = 'm' then 'materialized view'
      when c.relkind = 'f' then 'foreign table'
      when c.relkind = 'p' then 'partitioned table'
      when exists (select from pg_inherits h where c.oid in (h.inhrelid, h.inhparent)) then 'inherited table'
      else 'table' end,
    'comment', obj_description(c.oid, 'pg_class'),
    'hasRowSecurity', c.relrowsecurity,
    'columns', ${columns},
    'keys', ${keys},
    'references', ${references},
    'checks', ${checks}
  ) order by c.relname), '[]')
  from pg_class c
  where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname not like '\\_%'
    and not c.relispartition and ($1::text[] is null or c.relname = any($1))
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
)) as catalog
from pg_namespace n where n.nspname = current_schema()`
