/** What is told of a PostgreSQL database: its size, and the pool of connections to it. */
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import { sql } from '../sql/sql.ts'
import type { PostgresDatabase } from './connect/database.ts'
import { lines } from './connect/pool-use.ts'
import { compile } from './statement.ts'

const size = compile<undefined>(sql`select pg_database_size(current_database())`)

/** How often the size is asked for, in milliseconds: the server looks at every file for it. */
const every = 60_000

export function measurePostgres(registry: MetricRegistry, database: PostgresDatabase): void {
  const { pool } = database
  registry.add('nomen_pool_connections', 'Connections to the database, in all and unused.', 'gauge', () => {
    const { total, idle, limit } = pool.figures
    return [
      { labels: { state: 'total' }, value: total },
      { labels: { state: 'idle' }, value: idle },
      { labels: { state: 'limit' }, value: limit },
    ]
  })
  registry.addValue('nomen_pool_waiting', 'Requests that wait for a connection.', 'gauge', () => pool.figures.waiting)
  registry.add('nomen_pool_wait_seconds', 'How long the one has waited that waits longest, by use.', 'gauge', () =>
    lines.map((line) => ({ labels: { use: line }, value: pool.wait(line) / 1000 })),
  )
  let known: Promise<number> | undefined
  let askedAt = 0
  const databaseSize = async () => Number((await database.readShort(size, undefined))[0]?.[0])
  registry.add('nomen_store_size_bytes', 'Size of the database.', 'gauge', async () => {
    if (!known || performance.now() - askedAt > every) {
      askedAt = performance.now()
      known = databaseSize()
      known.catch(() => {
        known = undefined
      })
    }
    return [{ value: await known }]
  })
}
