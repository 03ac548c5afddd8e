/** Reads the catalog of a server on a separate connection. */

import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { DatabaseError } from '../../fault/database-error.ts'
import { withClient } from '../connect/client.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { inSnapshot } from '../migrate/connection.ts'
import type { Catalog } from './catalog.ts'
import { readCatalog } from './read-catalog.ts'

export async function catalogAt(url: string, schema: string | undefined): Promise<Catalog> {
  const parsed = readPostgresUrl(url)
  return withClient(new PostgresHosts(parsed), (client) =>
    inSnapshot(client, async () => {
      const path = schema === undefined ? undefined : client.escapeIdentifier(schema)
      if (path !== undefined) await client.query("select set_config('search_path', $1, true)", [path])
      const { rows } = await client.query('select current_schema() as schema')
      if (rows[0].schema !== null) return readCatalog(client)
      throw new DatabaseError(
        parsed.redactedUrl,
        `: the schema "${schema ?? 'public'}" does not exist`,
        'Add the name of a schema to the URL: ?schema=name',
      )
    }),
  )
}
