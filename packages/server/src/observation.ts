/** Opens everything that observes finished requests: access log, usage counts, metrics and health. */
import type { Service } from './define/definition.ts'
import { accessLine, type Observer } from './http/access-entry.ts'
import { startMonitoring } from './monitoring.ts'
import { AccessLogFile } from './observe/access-log-file.ts'
import type { Report } from './observe/fault-report.ts'
import { Rollup, type RollupOptions } from './observe/usage/rollup.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store/store.ts'

export type Observation = ReturnType<typeof openObservation>

export function openObservation(
  service: Service,
  settings: Settings,
  { store, prefix, report }: { readonly store: Store; readonly prefix: string; readonly report: Report },
) {
  const log = openLog(settings, report)
  const rollup = openRollup(settings, { store: store.usage, operations: service.operations, prefix, report })
  const logPath = settings.accessLog === '-' ? undefined : settings.accessLog
  const monitoring = startMonitoring({ service, store, log, logPath })
  rollup?.measure(monitoring.registry)
  const lineOf = accessLine(settings.accessLogFormat ?? 'combined')
  const observe: Observer = (entry, exchange) => {
    log?.write(lineOf(entry, exchange))
    if (!exchange?.isBuiltIn) rollup?.observe(entry, exchange?.meter.operation)
    monitoring.meter.observe(entry, exchange)
    exchange?.trace?.end(entry, exchange.requestId)
  }
  return { ...monitoring, log, rollup, observe }
}

function openLog({ accessLog: path, accessLogRotation }: Settings, report: Report): AccessLogFile | undefined {
  if (path === undefined) return undefined
  const onFault = (error: Error) =>
    report(`The access log ${path} cannot be written. The service continues without it.`, error)
  return new AccessLogFile(path, { onFault }, accessLogRotation)
}

function openRollup(
  { usage = true, usageKeepDays: keep = 400, auth }: Settings,
  options: Omit<RollupOptions, 'keep' | 'requiresToken'>,
): Rollup | undefined {
  return usage ? new Rollup({ ...options, keep, requiresToken: auth !== undefined }) : undefined
}
