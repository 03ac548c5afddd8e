/** Opens the parts of a service that all adapters share: store, logs, authentication, metrics and pipelines. */
import { hiddenReferences, type Operation } from '@nomen/core'
import type { FindRecord } from './auth/assumed-caller.ts'
import { CallerRecords } from './auth/caller-records.ts'
import type { Guard } from './auth/guard.ts'
import { challenger } from './auth/token-problem.ts'
import { loadSample } from './bulk/sample.ts'
import type { Service } from './define/definition.ts'
import type { Deliveries } from './deliveries.ts'
import { throttledReport } from './foundation/throttled-report.ts'
import { accessLine, type Observer } from './http/access-entry.ts'
import { type ClientAddress, clientAddress, trustedPeer } from './http/admit/client-address.ts'
import { type Cors, corsFor } from './http/admit/cors.ts'
import { countedAddress } from './http/admit/counted-address.ts'
import { type Admit, allowAll, assumedGate, bearerAuth, type Check } from './http/admit/gate.ts'
import { rateGate } from './http/admit/limited-gate.ts'
import { LoadShedder } from './http/admit/load-shedder.ts'
import { InFlightRequests } from './http/node/in-flight.ts'
import { UnreadResponses } from './http/node/unread-responses.ts'
import { usagePage } from './http/page/usage.ts'
import { type Respond, responder } from './http/response.ts'
import type { Page } from './http/routes.ts'
import { startMonitoring } from './monitoring.ts'
import { AccessLogFile } from './observe/access-log-file.ts'
import { applicationLog } from './observe/application-log.ts'
import { type FaultListener, faultReport, type Report, withFallback } from './observe/fault-report.ts'
import type { Health } from './observe/health/health.ts'
import { watchSchema } from './observe/health/schema-watch.ts'
import type { HttpMeter } from './observe/metrics/http.ts'
import type { MetricFamily, MetricRegistry } from './observe/metrics/registry.ts'
import type { RequestTracer } from './observe/trace/span.ts'
import { openTracer } from './observe/trace/tracer.ts'
import { Rollup, type RollupOptions } from './observe/usage/rollup.ts'
import { Followers } from './pipeline/follow/followers.ts'
import { NewEntries } from './pipeline/follow/new-entries.ts'
import { hasEntries, hasWebhooks } from './pipeline/history/entries.ts'
import { Hooks } from './pipeline/hook/hooks.ts'
import { type Pipeline, type PipelineDependencies, pipelinesOf } from './pipeline/pipeline.ts'
import type { StartTrace } from './pipeline/request-trace.ts'
import type { Settings } from './settings.ts'
import { addShipMetrics } from './ship/metrics.ts'
import type { ShipWorker } from './ship/worker.ts'
import { isPostgresUrl } from './store/connection/postgres-url.ts'
import { openStore } from './store/open/store.ts'
import type { Store } from './store/store.ts'

export interface Parts {
  /** Authenticates requests as the settings say, after these checks. */
  readonly gate: (checks: readonly Check[]) => Gate
  /** The same for callers that code of this process sets. */
  readonly assumedGate: (checks: readonly Check[]) => Gate
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
  readonly startTrace: StartTrace | undefined
  readonly health: Health
  readonly registry: MetricRegistry
  readonly metrics: () => Promise<readonly MetricFamily[]>
  /** Undefined if usage is not counted. */
  readonly usagePage: Page | undefined
  readonly ship: ShipWorker | undefined
  /** Ends streams and waiting polls. */
  readonly stopFollowing: () => void
  readonly close: () => Promise<void>
}

/** Lets a request in, and checks the caller of a stream again, without the rate limit. */
type Gate = Record<'admit' | 'readmit', Admit>

export async function openParts(service: Service, settings: Settings, prefix: string): Promise<Parts> {
  const { events, logFault, report, warn } = openReports(settings)
  const { model } = service
  const store = await openStore(settings.database, model, {
    databaseDirect: settings.databaseDirect,
    databaseRead: settings.databaseRead,
    maxListBytes: settings.listLimit,
    onMigration: settings.onMigration,
    onFault: report,
    pool: settings.databasePool,
    onServer: warn,
  })
  try {
    for (const { resource, property, target } of hiddenReferences(service.apis))
      events.warn({}, `"${property}" of "${resource.noun.name}" refers to "${target}", which no resource shows.`)
    if (service.sample) await loadSample(store, service.sample, service)
    const schemaWatch = settings.onSchemaChange && (await watchSchema(store, settings.onSchemaChange))
    const observation = openObservation(service, settings, { store, prefix, report })
    const { log, rollup, observe, registry, meter, health } = observation
    const inFlight = new InFlightRequests(
      observe,
      new UnreadResponses(trustedPeer(settings.trustProxy)),
      settings.problemTypeUrl,
    )
    registry.addValue('nomen_http_requests_under_way', 'Requests in flight.', 'gauge', () => inFlight.count)
    const tracer = await openTracer()
    const records = service.callers && new CallerRecords(store, service.callers, service.tenant)
    const guard = settings.auth && (await openGuard(service, settings.auth, records, report))
    if (guard) health.addPart('issuer', guard.unavailableReason)
    const cors = settings.corsOrigins && corsFor(settings.corsOrigins)
    const onFault = faultReport(report)
    const inMemoryHooks = service.after?.filter(({ durable }) => durable === undefined) ?? []
    const hooks = inMemoryHooks.length > 0 ? new Hooks(inMemoryHooks, report) : undefined
    const ship = await startShipping(service, settings, prefix, warn)
    if (ship) addShipMetrics(registry, () => ship.figures())
    const withRateLimit = rateGate(settings, store, registry, logFault)
    const gateOf = (readmit: Admit): Gate => ({ admit: withRateLimit(readmit), readmit })
    const reportOverload = throttledReport<string>((waitingFor, number) =>
      events.warn({ waitingFor, number }, 'Requests are rejected because of overload.'),
    )
    const loadShedder = new LoadShedder(settings.waitLimit ?? 2000, store, registry, reportOverload)
    const followers = hasEntries(model) ? openFollowers(store, settings, loadShedder, registry) : undefined
    const findRecord: FindRecord | undefined = records && ((user, claims) => records.find(user, claims))
    const deliveries =
      followers && hasDeliveries(service)
        ? await openDeliveries(service, settings, { store, followers, findRecord, registry, report })
        : undefined
    const servedService = deliveries?.service ?? service
    return {
      pipelines: pipelinesOf(servedService, {
        model,
        store,
        followers,
        hooks,
        forgetCallers: records && (() => records.forget()),
        withWebhooks: deliveries?.withWebhooks,
        customPipeline: servedService.handlers?.length ? await loadCustomPipelines(servedService) : undefined,
      }),
      gate: (checks) => gateOf(guard ? bearerAuth({ ...guard, checks, onFault }) : allowAll(checks)),
      assumedGate: (checks) => gateOf(assumedGate(checks, challenger(service.name))),
      findRecord,
      inFlight,
      observe,
      clientOf: clientAddress(settings.trustProxy),
      loadShedder,
      cors,
      respond: responder({
        cors,
        isSecure: settings.publicUrl?.startsWith('https:') === true,
        problemTypeUrl: settings.problemTypeUrl,
        onFault,
      }),
      bodyLimit: settings.bodyLimit ?? 1024 * 1024,
      onFault,
      meter,
      startTrace: await traceStarter(settings, tracer),
      health,
      registry,
      metrics: settings.gatherMetrics ?? (() => registry.families()),
      usagePage: rollup && usagePage(service.operations, rollup, store.usage),
      ship,
      stopFollowing: () => followers?.newEntries.stop(),
      close: async () => {
        observation.close()
        schemaWatch?.stop()
        followers?.newEntries.stop()
        await inFlight.whenIdle()
        await deliveries?.stop()
        await hooks?.whenIdle()
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

/** The application log, and the functions that report faults: to the log, or to the listener of the settings. */
function openReports({ log, onFault }: Settings) {
  const events = log ?? applicationLog()
  const logFault: Report = (message, error, context) => events.error({ ...context, err: error }, message)
  const ownReport = onFault && withFallback(onFault, logFault)
  const report: Report = ownReport ?? logFault
  const warn: Report = ownReport ?? ((message) => events.warn({}, message))
  return { events, logFault, report, warn }
}

/** Opens everything that observes finished requests: access log, usage counts, metrics and health. */
function openObservation(
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

function openFollowers(
  store: Store,
  { followerLimit: limit }: Settings,
  loadShedder: LoadShedder,
  registry: MetricRegistry,
): Followers {
  const isOverloaded = () => loadShedder.isOverloaded
  const followers = new Followers(new NewEntries(store), { countedAddress, isOverloaded, limit })
  const help = 'Open streams and waiting polls for changes.'
  registry.addValue('nomen_http_followers', help, 'gauge', () => followers.count)
  return followers
}

function openRollup(
  { usage = true, usageKeep: keep = 400, auth }: Settings,
  options: Omit<RollupOptions, 'keep' | 'isGuarded'>,
): Rollup | undefined {
  return usage ? new Rollup({ ...options, keep, isGuarded: auth !== undefined }) : undefined
}

/** Whether the service delivers changes to webhooks or durable hooks. */
function hasDeliveries({ model, after = [] }: Service): boolean {
  return hasWebhooks(model) || after.some(({ durable }) => durable !== undefined)
}

// The modules below are loaded only if they are needed, which makes the start faster.

async function openGuard(...options: Parameters<typeof import('./auth/guard.ts').guard>): Promise<Guard> {
  const { guard } = await import('./auth/guard.ts')
  return guard(...options)
}

async function openDeliveries(
  ...options: Parameters<typeof import('./deliveries.ts').startDeliveries>
): Promise<Deliveries> {
  const { startDeliveries } = await import('./deliveries.ts')
  return startDeliveries(...options)
}

async function loadCustomPipelines(service: Service): Promise<PipelineDependencies['customPipeline']> {
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

async function traceStarter(
  { hasServerTiming = false, database }: Settings,
  tracer: RequestTracer | undefined,
): Promise<StartTrace | undefined> {
  if (!tracer && !hasServerTiming) return undefined
  const { traceRequests } = await import('./pipeline/request-trace.ts')
  return traceRequests(tracer, hasServerTiming, isPostgresUrl(database) ? 'postgresql' : 'sqlite')
}

function openLog({ accessLog: path, accessLogRotation }: Settings, report: Report): AccessLogFile | undefined {
  if (path === undefined) return undefined
  const onFault = (error: Error) =>
    report(`The access log ${path} cannot be written. The service continues without it.`, error)
  return new AccessLogFile(path, { onFault }, accessLogRotation)
}
