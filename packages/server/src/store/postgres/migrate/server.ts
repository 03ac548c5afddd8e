/** Migrates a database on a separate connection. */

import { readPostgresUrl } from '../../connection/postgres-url.ts'
import type { MigrationReport } from '../../migrate/report.ts'
import type { Model } from '../../model.ts'
import { consumerTable, timelineTable, transactionTable, usageTables } from '../../sql/own-tables/table.ts'
import { rateTable } from '../buckets.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { createMissing } from '../own-tables.ts'
import { type MigrationMode, migrate } from './migrate.ts'

/** An expansion also creates the tables that a service creates when it needs them: its user may not be allowed to. */
export async function migrateAt(url: string, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  const hosts = new PostgresHosts(readPostgresUrl(url))
  const report = await migrateServer(hosts, model, mode)
  if (mode === 'start') {
    const client = await hosts.openWithoutTimeout()
    try {
      const tables = [...usageTables, consumerTable, timelineTable, transactionTable]
      await createMissing((script) => client.query(script), tables, rateTable)
    } finally {
      await client.end()
    }
  }
  return report
}

/** Throws a DatabaseError without the password if the server refuses the connection. */
export async function migrateServer(hosts: PostgresHosts, model: Model, mode: MigrationMode): Promise<MigrationReport> {
  const client = await hosts.openWithoutTimeout().catch((error) => {
    throw hosts.startError(error)
  })
  try {
    return await migrate(client, model, mode)
  } finally {
    await client.end()
  }
}
