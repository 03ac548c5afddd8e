/** Metrics of the process, with the standard names of Prometheus. */
import { readdir } from 'node:fs/promises'
import type { MetricRegistry } from './registry.ts'

export function addProcessMetrics(registry: MetricRegistry): void {
  registry.addValue('process_cpu_seconds_total', 'User and system CPU time, in seconds.', 'counter', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  registry.addValue('process_resident_memory_bytes', 'Resident memory.', 'gauge', () => process.memoryUsage.rss())
  registry.addValue('process_start_time_seconds', 'Start time of the process, in seconds since 1970.', 'gauge', () =>
    Math.round(performance.timeOrigin / 1000),
  )
  registry.add('nodejs_heap_size_bytes', 'Size of the heap, used and total.', 'gauge', () => {
    const { heapUsed, heapTotal } = process.memoryUsage()
    return [
      { labels: { state: 'used' }, value: heapUsed },
      { labels: { state: 'total' }, value: heapTotal },
    ]
  })
  registry.add('nodejs_version_info', 'The version of Node.js.', 'gauge', () => [
    { labels: { version: process.version }, value: 1 },
  ])
  // Only Linux has /proc/self/fd.
  if (process.platform === 'linux')
    registry.add('process_open_fds', 'Open file descriptors.', 'gauge', async () => [
      { value: (await readdir('/proc/self/fd')).length },
    ])
}
