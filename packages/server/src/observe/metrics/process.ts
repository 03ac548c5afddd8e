/** What the process itself needs, by the names that Prometheus uses for any process. */
import { readdir } from 'node:fs/promises'
import type { MetricRegistry } from './registry.ts'

export function addProcessMetrics(registry: MetricRegistry): void {
  registry.addValue('process_cpu_seconds_total', 'Processor time, of the user and of the system.', 'counter', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  registry.addValue('process_resident_memory_bytes', 'Memory that is in use.', 'gauge', () => process.memoryUsage.rss())
  registry.addValue('process_start_time_seconds', 'When the process started, since 1970.', 'gauge', () =>
    Math.round(performance.timeOrigin / 1000),
  )
  registry.add('nodejs_heap_size_bytes', 'Memory of the heap, used and in all.', 'gauge', () => {
    const { heapUsed, heapTotal } = process.memoryUsage()
    return [
      { labels: { state: 'used' }, value: heapUsed },
      { labels: { state: 'total' }, value: heapTotal },
    ]
  })
  registry.add('nodejs_version_info', 'The version of Node.', 'gauge', () => [
    { labels: { version: process.version }, value: 1 },
  ])
  // Elsewhere nobody tells.
  if (process.platform === 'linux')
    registry.add('process_open_fds', 'Open files and connections.', 'gauge', async () => [
      { value: (await readdir('/proc/self/fd')).length },
    ])
}
