/** Sets up the metrics and health checks of a service. */
import { dirname, resolve } from 'node:path'
import type { Service } from './define/definition.ts'
import type { AccessLogFile } from './observe/access-log-file.ts'
import { logHealth } from './observe/health/access-log.ts'
import { diskHealth, freeSpace } from './observe/health/disk.ts'
import { Health } from './observe/health/health.ts'
import { addLogMetrics } from './observe/metrics/access-log.ts'
import { EventLoopMetrics } from './observe/metrics/event-loop.ts'
import { HttpMeter } from './observe/metrics/http.ts'
import { addProcessMetrics } from './observe/metrics/process.ts'
import { MetricRegistry } from './observe/metrics/registry.ts'
import type { MonitoredStore } from './store/store.ts'

export interface MonitoringOptions {
  readonly service: Service
  readonly store: MonitoredStore
  readonly log: AccessLogFile | undefined
  /** The path of the access log, if it is a file. */
  readonly logPath: string | undefined
}

export interface Monitoring {
  readonly registry: MetricRegistry
  readonly meter: HttpMeter
  readonly health: Health
  close(): void
}

export function startMonitoring({ service, store, log, logPath }: MonitoringOptions): Monitoring {
  const registry = new MetricRegistry()
  const health = new Health()
  const meter = new HttpMeter(service.operations, registry)
  const eventLoop = new EventLoopMetrics(registry)
  registry.add('nomen_service_info', 'The name of the service.', 'gauge', () => [
    { labels: { service: service.name }, value: 1 },
  ])
  addProcessMetrics(registry)
  store.measure(registry)
  health.add('database', 'unavailable', async () => {
    const issue = await store.check()
    if (!issue) return { status: 'ok' }
    return { status: issue.isReadable ? 'degraded' : 'unavailable', detail: issue.detail }
  })
  const folders = [store.folder, logPath && dirname(logPath)].flatMap((folder) => (folder ? [resolve(folder)] : []))
  if (folders.length > 0) {
    registry.add(
      'nomen_disk_free_bytes',
      'Least free space of the disks that the service writes to.',
      'gauge',
      async () => [{ value: await freeSpace(folders) }],
    )
    health.add('disk', 'degraded', () => diskHealth(folders))
  }
  if (log) {
    addLogMetrics(registry, log)
    health.add('accessLog', 'degraded', () => logHealth(log))
  }
  return { registry, meter, health, close: () => eventLoop.close() }
}
