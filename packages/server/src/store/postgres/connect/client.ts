/** Connections for commands and starts, without a timeout, outside of the pool. */
import type pg from 'pg'
import type { PostgresHosts } from './hosts.ts'

/** Opens a connection. Throws a DatabaseError without the password if the server rejects it. */
export async function openClient(hosts: PostgresHosts): Promise<pg.Client> {
  try {
    return await hosts.openWithoutTimeout()
  } catch (error) {
    throw hosts.startError(error)
  }
}

/** Runs work on a connection that is closed afterwards. */
export async function withClient<Result>(
  hosts: PostgresHosts,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(hosts)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
