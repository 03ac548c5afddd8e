/** Metrics of an SQLite file: its size, and how writes share commits. */
import type { MetricRegistry, Sample } from '../../observe/metrics/registry.ts'

export interface SqliteFigures {
  /** In bytes. */
  readonly sizeBytes: number
  /** Writes that wait for the next commit. */
  readonly waitingWrites: number
  readonly commitWrites: Iterable<Sample>
  readonly commitSeconds: Iterable<Sample>
}

export function measureSqlite(registry: MetricRegistry, readFigures: () => SqliteFigures): void {
  const size = 'Size of the database file, without the WAL.'
  registry.addValue('nomen_store_size_bytes', size, 'gauge', () => readFigures().sizeBytes)
  const waiting = 'Writes that wait for the next commit.'
  registry.addValue('nomen_store_write_queue_length', waiting, 'gauge', () => readFigures().waitingWrites)
  const writes = 'Writes per commit.'
  registry.add('nomen_store_commit_writes', writes, 'histogram', () => readFigures().commitWrites)
  const times = 'Duration of commits, including their writes.'
  registry.add('nomen_store_commit_duration_seconds', times, 'histogram', () => readFigures().commitSeconds)
}
