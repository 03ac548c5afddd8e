/** Stores the schema snapshot in a PostgreSQL database. */
import type { ClientBase } from 'pg'
import { MigrationError } from '../../migrate/error.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import { foreignTablesError, readSnapshot, snapshotFormat, writeSnapshot } from '../../migrate/schema/snapshot.ts'
import { stringLiteral } from '../../sql/sql.ts'

/** Tables of extensions do not count. */
const schemaQuery = `
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
 * The schema of the last migration; undefined if the database is empty. Rejects a database with foreign tables, unless
 * they are to be adopted.
 */
export async function readSchema(client: ClientBase, isAdopting = false): Promise<Schema | undefined> {
  const { schema, encoding, tables } = (await client.query(schemaQuery)).rows[0]
  if (schema === null) {
    throw new MigrationError('The connection has no current schema: no schema of its search_path exists.', [
      'Create the schema, or use an existing one.',
    ])
  }
  if (encoding !== 'UTF8') {
    throw new MigrationError(`The database has the encoding ${encoding}, which cannot store all Unicode characters.`, [
      "Create it with: create database … encoding 'UTF8' template template0",
    ])
  }
  if (tables.length === 0) return undefined
  const snapshot = tables.includes('_schema') ? readSnapshot(await snapshotRow(client, schema)) : undefined
  if (snapshot || isAdopting) return snapshot
  throw foreignTablesError(`The schema "${schema}"`, tables, 'snapshot', [
    'Nothing was changed. Use an empty database or schema for the service.',
    'To serve existing tables, compare them with the declarations first: nomen migrate --adopt --plan',
  ])
}

async function snapshotRow(client: ClientBase, schema: string): Promise<unknown> {
  // The row as JSON, so that no missing column fails if another program has a table of this name.
  const { rows } = await client.query(`select to_json(s) as row from ${client.escapeIdentifier(schema)}."_schema" s`)
  return rows[0]?.row
}

/** The statement that replaces the snapshot. */
export function recordSchema(schema: Schema): string {
  return `insert into "_schema" ("only", "format", "snapshot", "applied")
values (1, ${snapshotFormat}, ${stringLiteral(writeSnapshot(schema))}, now())
on conflict ("only") do update
set "format" = excluded."format", "snapshot" = excluded."snapshot", "applied" = excluded."applied"`
}
