/** What is told of a SQLite file: its size, and how writes come to share commits. */
import type { DatabaseSync } from 'node:sqlite'
import type { MetricRegistry } from '../../metrics/registry.ts'
import type { WriteQueue } from './write-queue.ts'

/** What is measured; another one after a file was opened anew. */
export interface Measured {
  readonly database: DatabaseSync
  readonly queue: WriteQueue
}

export function measureSqlite(registry: MetricRegistry, measured: () => Measured): void {
  registry.addValue('nomen_store_size_bytes', 'Size of the database, without its latest commits.', 'gauge', () => {
    const size = 'select page_count * page_size as size from pragma_page_count, pragma_page_size'
    return Number(measured().database.prepare(size).get()?.size)
  })
  registry.addValue(
    'nomen_store_write_queue_length',
    'Writes that wait for the next commit.',
    'gauge',
    () => measured().queue.length,
  )
  registry.add('nomen_store_commit_writes', 'Writes that shared a commit.', 'histogram', () =>
    measured().queue.batches.samples(),
  )
  registry.add('nomen_store_commit_duration_seconds', 'Time that commits took, with their writes.', 'histogram', () =>
    measured().queue.times.samples(),
  )
}
