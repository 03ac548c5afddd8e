/** Starts parts of a service whose modules are loaded only if the service needs them, so that other services start faster. */
import type { Authentication } from './auth/authentication.ts'
import type { Service } from './define/definition.ts'
import type { Deliveries } from './deliveries.ts'
import type { Report } from './observe/fault-report.ts'
import type { RequestTracer } from './observe/trace/span.ts'
import type { PipelineDependencies } from './pipeline/pipeline.ts'
import type { StartTrace } from './pipeline/request-trace.ts'
import type { Settings } from './settings.ts'
import type { ShipWorker } from './ship/worker.ts'
import { isPostgresUrl } from './store/connection/postgres-url.ts'

export async function openAuthentication(
  ...options: Parameters<typeof import('./auth/authentication.ts').createAuthentication>
): Promise<Authentication> {
  const { createAuthentication } = await import('./auth/authentication.ts')
  return createAuthentication(...options)
}

export async function openDeliveries(
  ...options: Parameters<typeof import('./deliveries.ts').startDeliveries>
): Promise<Deliveries> {
  const { startDeliveries } = await import('./deliveries.ts')
  return startDeliveries(...options)
}

/** Undefined if the service has no handlers. */
export async function loadCustomPipelines(service: Service): Promise<PipelineDependencies['customPipeline']> {
  if (!service.handlers?.length) return undefined
  const { customPipelines } = await import('./pipeline/custom/pipeline.ts')
  return customPipelines(service)
}

export async function startShipping(
  service: Service,
  { accessLog, ship }: Settings,
  prefix: string,
  report: Report,
): Promise<ShipWorker | undefined> {
  if (!ship) return undefined
  const { shipService } = await import('./ship/service.ts')
  return shipService({ service, log: accessLog, prefix }, ship, (notice) => report(notice, undefined))
}

export async function traceStarter(
  { hasServerTiming = false, database }: Settings,
  tracer: RequestTracer | undefined,
): Promise<StartTrace | undefined> {
  if (!tracer && !hasServerTiming) return undefined
  const { traceRequests } = await import('./pipeline/request-trace.ts')
  return traceRequests(tracer, hasServerTiming, isPostgresUrl(database) ? 'postgresql' : 'sqlite')
}
