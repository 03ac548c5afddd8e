/** Metrics of a PostgreSQL database: its size, and the connection pool. */
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import { sql } from '../sql/sql.ts'
import type { PostgresDatabase } from './connect/database.ts'
import { queues } from './connect/pool-use.ts'
import { compile } from './statement.ts'

const sizeStatement = compile<undefined>(sql`select pg_database_size(current_database())`)

/** How often the size is queried, because the server checks every file for it. */
const sizeIntervalMs = 60_000

export function measurePostgres(registry: MetricRegistry, database: PostgresDatabase): void {
  const { pool } = database
  registry.add('nomen_pool_connections', 'Connections to the database: open, idle and allowed.', 'gauge', () => {
    const { total, idle, limit } = pool.figures
    return [
      { labels: { state: 'total' }, value: total },
      { labels: { state: 'idle' }, value: idle },
      { labels: { state: 'limit' }, value: limit },
    ]
  })
  registry.addValue('nomen_database_read_only', '1 if the database accepts only reads, otherwise 0.', 'gauge', () =>
    pool.isReadOnly ? 1 : 0,
  )
  registry.addValue(
    'nomen_database_failovers_total',
    'How often another server became the primary.',
    'counter',
    () => database.failovers,
  )
  registry.add(
    'nomen_database_retries_total',
    'Statements and writes that were tried again, by reason.',
    'counter',
    () => [...database.retries].map(([reason, value]) => ({ labels: { reason }, value })),
  )
  registry.addValue('nomen_pool_waiting', 'Requests that wait for a connection.', 'gauge', () => pool.figures.waiting)
  registry.add(
    'nomen_pool_wait_seconds',
    'Age of the oldest request that waits for a connection, by use.',
    'gauge',
    () => queues.map((queue) => ({ labels: { use: queue }, value: pool.oldestWaitMs(queue) / 1000 })),
  )
  const readSize = cachedSize(database)
  registry.add('nomen_store_size_bytes', 'Size of the database.', 'gauge', async () => [{ value: await readSize() }])
}

function cachedSize(database: PostgresDatabase): () => Promise<number> {
  let size: Promise<number> | undefined
  let queriedAt = 0
  const querySize = async () => Number((await database.readShort(sizeStatement, undefined))[0]?.[0])
  return () => {
    if (!size || performance.now() - queriedAt > sizeIntervalMs) {
      queriedAt = performance.now()
      size = querySize()
      size.catch(() => {
        size = undefined
      })
    }
    return size
  }
}
