/** Where a PostgreSQL database keeps the snapshot of its schema. */
import type { ClientBase } from 'pg'
import { MigrationError } from '../../migrate/error.ts'
import type { Schema } from '../../migrate/schema.ts'
import { foreignTables, readSnapshot, snapshotFormat, writeSnapshot } from '../../migrate/snapshot.ts'
import { textLiteral } from '../../sql/sql.ts'

/** What an extension has made is nobody's data. */
const surroundings = `
  select current_schema() as schema, current_setting('server_encoding') as encoding, array(
    select relname::text from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )
    order by relname
  ) as tables`

/**
 * The schema that the database was last brought to; undefined where it is empty. Refuses a foreign database, unless its
 * tables are to be adopted.
 */
export async function readSchema(client: ClientBase, isAdopting = false): Promise<Schema | undefined> {
  const { schema, encoding, tables } = (await client.query(surroundings)).rows[0]
  if (schema === null) {
    throw new MigrationError('The connection has no schema to work in: none of its search_path is there.', [
      'Create the schema, or name one that is there.',
    ])
  }
  if (encoding !== 'UTF8') {
    throw new MigrationError(`The database is kept in the encoding ${encoding}, which cannot hold every text.`, [
      "Create it with: create database … encoding 'UTF8' template template0",
    ])
  }
  if (tables.length === 0) return undefined
  const known = tables.includes('_schema') ? readSnapshot(await snapshotRow(client, schema)) : undefined
  if (known || isAdopting) return known
  throw foreignTables(`The schema "${schema}"`, tables, 'snapshot', [
    'Nothing was changed. Give the service a database, or a schema, of its own that is empty.',
    'To serve the tables that are there, compare them with the declarations first: nomen migrate --adopt --plan',
  ])
}

async function snapshotRow(client: ClientBase, schema: string): Promise<unknown> {
  // The row as JSON, so that a table of another program under this name has no column that is missed.
  const { rows } = await client.query(`select to_json(s) as row from ${client.escapeIdentifier(schema)}."_schema" s`)
  return rows[0]?.row
}

/** The statement that replaces the snapshot. */
export function recordSchema(schema: Schema): string {
  return `insert into "_schema" ("only", "format", "snapshot", "applied")
values (1, ${snapshotFormat}, ${textLiteral(writeSnapshot(schema))}, now())
on conflict ("only") do update
set "format" = excluded."format", "snapshot" = excluded."snapshot", "applied" = excluded."applied"`
}
