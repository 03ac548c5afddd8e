/** Reads the catalog of a server, on a connection of its own. */
import { DatabaseError } from '../../database-error.ts'
import { readAddress } from '../../postgres-address.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { looking } from '../migrate/connection.ts'
import type { Catalog } from './catalog.ts'
import { readCatalog } from './read-catalog.ts'

export async function catalogAt(address: string, schema: string | undefined): Promise<Catalog> {
  const read = readAddress(address)
  const hosts = new PostgresHosts(read)
  const client = await hosts.openPatient().catch((error) => {
    throw hosts.startError(error)
  })
  try {
    return await looking(client, async () => {
      const path = schema === undefined ? undefined : client.escapeIdentifier(schema)
      if (path !== undefined) await client.query("select set_config('search_path', $1, true)", [path])
      const { rows } = await client.query('select current_schema() as schema')
      if (rows[0].schema !== null) return readCatalog(client)
      throw new DatabaseError(read.shown, `: there is no schema "${schema ?? 'public'}"`, 'Name one: ?schema=name')
    })
  } finally {
    await client.end()
  }
}
