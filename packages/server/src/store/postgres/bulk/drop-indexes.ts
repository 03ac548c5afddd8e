/** Drops the indexes and tallies of an almost empty table before a load, which builds them when all rows are loaded. */
import type { ClientBase } from 'pg'
import { missingChanges } from '../../migrate/expand/expansion.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { nounOf, type Schema } from '../../migrate/schema/schema.ts'
import { withoutTableIndexes } from '../../migrate/schema/without-indexes.ts'
import type { Model } from '../../model.ts'
import { inTransaction } from '../migrate/connection.ts'
import { runStatement } from '../migrate/derive.ts'
import { migrate } from '../migrate/migrate.ts'
import { readSchema, recordSchema } from '../migrate/snapshot.ts'
import { alterNoun } from '../migrate/sql/alter.ts'
import { identifier } from '../name.ts'

/** Up to this number of existing records, building the indexes again costs less than it saves. */
const maxRecords = 1000

/**
 * Returns whether the table now lacks its indexes and tallies. It keeps them if it has many records, or if another client is
 * connected to the database. The stored schema lacks them too: every start of a service, and every load of another noun, adds
 * what is missing. So no service has a table without them, and a load that was killed needs no repair.
 */
export async function dropIndexes(client: ClientBase, model: Model, table: string): Promise<boolean> {
  const declared = schemaOf(model)
  const before = await readSchema(client)
  const isDropped = before?.nouns.some(({ name }) => name === table) && dropStatements(before, table).length === 0
  // An earlier load was stopped.
  if (isDropped && missingChanges(before, withoutTableIndexes(declared, table), true).length === 0) return true
  await migrate(client, model, 'start')
  if (!(await isExclusive(client, table))) return false
  return inTransaction(client, 'begin isolation level read committed', async () => {
    // A service that starts reads this table first: either it is connected already, or it waits here.
    await client.query('lock table "_schema" in access exclusive mode')
    if (!(await isExclusive(client, table))) return false
    const schema = (await readSchema(client)) as Schema
    const statements = dropStatements(schema, table)
    for (const statement of statements) await runStatement(client, statement)
    await client.query(recordSchema(withoutTableIndexes(schema, table)))
    return statements.length > 0
  })
}

function dropStatements(schema: Schema, table: string) {
  return alterNoun(nounOf(schema, table), nounOf(withoutTableIndexes(schema, table), table))
}

/** Whether this user owns the table, which has few records, and no other client is connected. */
async function isExclusive(client: ClientBase, table: string): Promise<boolean> {
  const name = identifier(table)
  // The type of a session is null if it belongs to another user.
  const { rows } = await client.query(
    `select pg_has_role(relowner, 'usage') and not exists (select from ${name} offset ${maxRecords}) and not exists (
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and coalesce(backend_type, 'client backend') = 'client backend'
      ) as "isExclusive" from pg_class where oid = to_regclass($1)`,
    [name],
  )
  return rows[0].isExclusive
}
