/** The parts of a service, whichever door it is served by: store and logs, who is let in, who is watched. */
import { type Operation, writeLine } from '@nomen/core'
import type { FindRecord } from './auth/assumed-caller.ts'
import { CallerRecords } from './auth/caller-records.ts'
import type { Guard } from './auth/guard.ts'
import { challenger } from './auth/token-problem.ts'
import { loadSample } from './bulk/sample.ts'
import type { Service } from './define/definition.ts'
import type { Observer } from './http/access-entry.ts'
import { type ClientAddress, clientAddress, trustedPeer } from './http/admit/client-address.ts'
import { type Cors, corsFor } from './http/admit/cors.ts'
import { countedAddress } from './http/admit/counted-address.ts'
import { type Admit, allowAll, assumedGate, bearerAuth, type Check } from './http/admit/gate.ts'
import { withRateLimit } from './http/admit/limited-gate.ts'
import { LoadShedder } from './http/admit/load-shedder.ts'
import { ownLimiter, SharedLimiter } from './http/admit/rate-limiter.ts'
import type { Exchange } from './http/exchange.ts'
import { InFlightRequests } from './http/node/in-flight.ts'
import { UnreadResponses } from './http/node/unread-responses.ts'
import { usageAnswerer } from './http/page/usage-answer.ts'
import { type Respond, responder } from './http/response.ts'
import type { Answer } from './message/answer.ts'
import { startMonitoring } from './monitoring.ts'
import { AccessLogFile } from './observe/access-log-file.ts'
import { type ApplicationLog, applicationLog } from './observe/application-log.ts'
import { type FaultListener, faultReport, listened, type Report } from './observe/fault-report.ts'
import type { Health } from './observe/health/health.ts'
import type { HttpMeter } from './observe/metrics/http.ts'
import type { MetricFamily, MetricRegistry } from './observe/metrics/registry.ts'
import { overloadReport } from './observe/overload-report.ts'
import type { RequestTracer } from './observe/trace/span.ts'
import { openTracer } from './observe/trace/tracer.ts'
import { Rollup, type RollupOptions } from './observe/usage/rollup.ts'
import { Hooks } from './pipeline/hook/hooks.ts'
import { type Pipeline, type PipelineParts, pipelinesOf } from './pipeline/pipeline.ts'
import type { RequestWatcher } from './pipeline/request-trace.ts'
import type { Settings } from './settings.ts'
import { addShipMetrics } from './ship/metrics.ts'
import type { ShipWorker } from './ship/worker.ts'
import { modelOf } from './store/model.ts'
import { openStore } from './store/open/store.ts'
import { isPostgresAddress } from './store/postgres-address.ts'
import type { RateLimitStore } from './store/store.ts'

export interface Parts {
  /** Lets in whom the settings say, after these checks. */
  readonly gate: (checks: readonly Check[]) => Admit
  /** The same for callers that code of this process names. */
  readonly assumedGate: (checks: readonly Check[]) => Admit
  readonly findRecord: FindRecord | undefined
  readonly pipelines: ReadonlyMap<Operation, Pipeline>
  readonly inFlight: InFlightRequests
  readonly observe: Observer
  readonly clientOf: ClientAddress
  readonly loadShedder: LoadShedder
  readonly cors: Cors | undefined
  readonly respond: Respond
  readonly bodyLimit: number
  readonly onFault: FaultListener
  readonly meter: HttpMeter
  readonly watcher: RequestWatcher | undefined
  readonly health: Health
  readonly registry: MetricRegistry
  readonly metrics: () => Promise<readonly MetricFamily[]>
  /** Absent where usage is not counted. */
  readonly answerUsage: ((query: string) => Promise<Answer>) | undefined
  readonly ship: ShipWorker | undefined
  readonly close: () => Promise<void>
}

export async function openParts(service: Service, settings: Settings, prefix: string): Promise<Parts> {
  const events = settings.log ?? applicationLog()
  const logged: Report = (message, error, about) => events.error(message, { ...about, error })
  const onOwnFault = settings.onFault && listened(settings.onFault, logged)
  const report = onOwnFault ?? logged
  const model = modelOf(service.operations)
  const store = await openStore(settings.database, model, {
    databaseRead: settings.databaseRead,
    maxListBytes: settings.listLimit,
    onMigration: settings.onMigration,
    onReplica: onOwnFault ?? ((message) => events.warn(message)),
  })
  try {
    if (service.sample) await loadSample(store, service.sample, model)
    const log = openLog(settings, report)
    const rollup = openRollup(settings, { store: store.usage, operations: service.operations, prefix, report })
    const logPath = settings.accessLog === '-' ? undefined : settings.accessLog
    const { registry, meter, health, close } = startMonitoring({ service, store, log, logPath })
    const observe: Observer = (entry, exchange) => {
      log?.write(writeLine(entry))
      if (!exchange?.isPage) rollup?.observe(entry, exchange?.meter.operation)
      meter.observe(entry, exchange)
      exchange?.trace?.end(entry)
    }
    const inFlight = new InFlightRequests(observe, new UnreadResponses(trustedPeer(settings.trustProxy)))
    const underWay = () => inFlight.count
    registry.addValue('nomen_http_requests_under_way', 'Requests that are not answered yet.', 'gauge', underWay)
    const tracer = await openTracer()
    const records = service.callers && new CallerRecords(store, service.callers)
    const guarded = settings.auth && (await openGuard(service, settings.auth, records, report))
    const cors = settings.corsOrigins && corsFor(settings.corsOrigins)
    const onFault = faultReport(report)
    const hooks = service.after?.length ? new Hooks(service.after, report) : undefined
    const ship = await startShipping(service, settings, prefix, onOwnFault ?? ((message) => events.warn(message)))
    const customPipeline = service.handlers?.length ? await openHandlers(service) : undefined
    if (ship) addShipMetrics(registry, () => ship.figures())
    const limit = await rateGate(settings, { store, registry, events })
    return {
      pipelines: pipelinesOf(service, {
        model,
        store,
        hooks,
        forgetCallers: records && (() => records.forget()),
        customPipeline,
      }),
      gate: (checks) => limit(guarded ? bearerAuth({ ...guarded, checks, onFault }) : allowAll(checks)),
      assumedGate: (checks) => limit(assumedGate(checks, challenger(service.name))),
      findRecord: records && ((user) => records.find(user)),
      inFlight,
      observe,
      clientOf: clientAddress(settings.trustProxy),
      loadShedder: new LoadShedder(settings.waitLimit ?? 2000, store, registry, overloadReport(events)),
      cors,
      respond: responder({ cors, isSecure: settings.publicUrl?.startsWith('https:') === true, onFault }),
      bodyLimit: settings.bodyLimit ?? 1024 * 1024,
      onFault,
      meter,
      watcher: await openWatcher(settings, tracer),
      health,
      registry,
      metrics: settings.gatherMetrics ?? (() => registry.families()),
      answerUsage: rollup && usageAnswerer(service.operations, rollup, store.usage),
      ship,
      close: async () => {
        close()
        await inFlight.ended()
        await hooks?.ended()
        await tracer?.flush()
        await log?.close()
        await ship?.stop()
        await rollup?.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

interface RateParts {
  readonly store: RateLimitStore
  readonly registry: MetricRegistry
  readonly events: ApplicationLog
}

async function rateGate(
  { rateLimit, rateLimitStore }: Settings,
  { store, registry, events }: RateParts,
): Promise<(admit: Admit) => Admit> {
  if (!rateLimit) return (admit) => admit
  let refused = 0
  registry.addValue(
    'nomen_http_limited_requests_total',
    'Requests refused by the rate limit.',
    'counter',
    () => refused,
  )
  const bank = (await store.openBank?.(rateLimit)) ?? rateLimitStore
  const fault = 'Requests cannot be counted together with other processes. Each counts for itself.'
  const shared = bank && new SharedLimiter(bank, rateLimit, (error) => events.error(fault, { error }))
  const options = {
    limit: rateLimit,
    limiter: shared ? (key: string) => shared.take(key) : ownLimiter(rateLimit),
    addressOf: ({ client }: Exchange) => countedAddress(client.address),
    onRefusal: () => {
      refused++
    },
  }
  return (admit) => withRateLimit(admit, options)
}

function openRollup(
  { usage = true, usageKeep: keep = 400, auth }: Settings,
  options: Omit<RollupOptions, 'keep' | 'isGuarded'>,
): Rollup | undefined {
  return usage ? new Rollup({ ...options, keep, isGuarded: auth !== undefined }) : undefined
}

// What follows is loaded where it is needed only: a start is shorter without it.

async function openGuard(...given: Parameters<typeof import('./auth/guard.ts').guard>): Promise<Guard> {
  const { guard } = await import('./auth/guard.ts')
  return guard(...given)
}

async function openHandlers(service: Service): Promise<PipelineParts['customPipeline']> {
  const { customPipelines } = await import('./pipeline/custom/pipeline.ts')
  return customPipelines(service)
}

async function startShipping(
  service: Service,
  { accessLog, ship }: Settings,
  prefix: string,
  report: Report,
): Promise<ShipWorker | undefined> {
  if (!ship) return undefined
  const { shipService } = await import('./ship/service.ts')
  return shipService({ service, log: accessLog, prefix }, ship, (notice) => report(notice, undefined))
}

async function openWatcher(
  { hasServerTiming = false, database }: Settings,
  tracer: RequestTracer | undefined,
): Promise<RequestWatcher | undefined> {
  if (!tracer && !hasServerTiming) return undefined
  const { requestWatcher } = await import('./pipeline/request-trace.ts')
  return requestWatcher(tracer, hasServerTiming, isPostgresAddress(database) ? 'postgresql' : 'sqlite')
}

function openLog({ accessLog: path, accessLogRotation }: Settings, report: Report): AccessLogFile | undefined {
  if (path === undefined) return undefined
  const onFault = (error: Error) => report(`The access log ${path} cannot be written. The service goes on.`, error)
  return new AccessLogFile(path, { onFault }, accessLogRotation)
}
