/** Migrates a database on a separate connection. */

import { readPostgresUrl } from '../../connection/postgres-url.ts'
import type { MigrationReport } from '../../migrate/report.ts'
import type { Model } from '../../model.ts'
import { withClient } from '../connect/client.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { oldVersionIn } from '../connect/server-version.ts'
import { OldServer } from '../connect/start-error.ts'
import { type MigrationMode, migrate } from './migrate.ts'

export function migrateAt(url: string, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  return migrateServer(new PostgresHosts(readPostgresUrl(url)), model, mode)
}

/** Throws a DatabaseError without the password if the server rejects the connection. */
export function migrateServer(hosts: PostgresHosts, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  return withClient(hosts, async (client) => {
    const oldVersion = oldVersionIn((await client.query('select version()')).rows[0].version)
    if (oldVersion !== undefined) throw hosts.startError(new OldServer(oldVersion))
    return migrate(client, model, mode)
  })
}
