/** What is told of a SQLite file: its size, and how writes come to share commits. */
import type { MetricRegistry, Sample } from '../../observe/metrics/registry.ts'

export interface SqliteFigures {
  /** In bytes. */
  readonly size: number
  /** How many writes wait for the next commit. */
  readonly waiting: number
  readonly commitWrites: Iterable<Sample>
  readonly commitTimes: Iterable<Sample>
}

export function measureSqlite(registry: MetricRegistry, read: () => SqliteFigures): void {
  const size = 'Size of the database, without its latest commits.'
  registry.addValue('nomen_store_size_bytes', size, 'gauge', () => read().size)
  const waiting = 'Writes that wait for the next commit.'
  registry.addValue('nomen_store_write_queue_length', waiting, 'gauge', () => read().waiting)
  const writes = 'Writes that shared a commit.'
  registry.add('nomen_store_commit_writes', writes, 'histogram', () => read().commitWrites)
  const times = 'Time that commits took, with their writes.'
  registry.add('nomen_store_commit_duration_seconds', times, 'histogram', () => read().commitTimes)
}
