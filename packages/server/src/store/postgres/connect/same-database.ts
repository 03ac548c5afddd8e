/** Checks that the URL of a pooler and the direct URL lead to the same database and schema. */
import { sql } from '../../sql/sql.ts'
import { compile } from '../statement.ts'
import type { PostgresHosts } from './hosts.ts'
import { PooledConnection } from './pooled-connection.ts'
import { OtherDatabase } from './start-error.ts'

const names = compile<undefined>(sql`select current_database(), current_schema()`)

/** Throws a DatabaseError for the URL that cannot be used. */
export async function requireSameDatabase(hosts: PostgresHosts, directHosts: PostgresHosts): Promise<void> {
  const [pooled, direct] = [await databaseAt(hosts), await databaseAt(directHosts)]
  if (pooled === direct) return
  throw directHosts.startError(new OtherDatabase())
}

async function databaseAt(hosts: PostgresHosts): Promise<string> {
  try {
    const connection = new PooledConnection(await hosts.open(), () => {})
    try {
      const [row] = await connection.run(names, undefined)
      return JSON.stringify([connection.role.system, row])
    } finally {
      await connection.close()
    }
  } catch (error) {
    throw hosts.startError(error)
  }
}
