// A PostgreSQL server before version 14 is rejected, by a service and by migrations, before anything is changed.
import { directory } from '@nomen/directory'
import { open, service } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { installPostgres } from '../../scripts/postgres-package.ts'

it('PostgreSQL 13 is rejected with its version, and stays empty', async () => {
  vi.stubEnv('NOMEN_TEST_POSTGRES_PACKAGE', installPostgres('13.23.0-beta.16'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = await startPostgres()
  onTestFinished(server.remove)
  const database = server.url()
  const message = `The database "${database}" cannot be opened: PostgreSQL 13.23 is not supported.\n  Upgrade the server to PostgreSQL 14 or later.`
  const declared = service({ name: 'directory', apis: [directory] })
  await expect(open(declared, { database })).rejects.toThrow(message)
  for (const mode of ['plan', 'apply', 'expand'] as const)
    await expect(migrateDatabase(database, declared, mode)).rejects.toThrow(message)
  const client = new pg.Client(database)
  await client.connect()
  onTestFinished(() => client.end())
  expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0)
})
