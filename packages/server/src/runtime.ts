/** The runtime of a service, which all adapters share: store, logs, authentication, metrics and pipelines. */
import { hiddenReferences, type Operation } from '@nomen/core'
import type { FindRecord } from './auth/assumed-caller.ts'
import { CallerRecords } from './auth/caller-records.ts'
import { loadSample } from './bulk/sample.ts'
import type { Service } from './define/definition.ts'
import type { Deliveries } from './deliveries.ts'
import { throttledReport } from './foundation/throttled-report.ts'
import { type Gates, openGates } from './gates.ts'
import type { Observer } from './http/access-entry.ts'
import { type ClientAddress, clientAddress, trustedPeer } from './http/admit/client-address.ts'
import { type Cors, corsFor } from './http/admit/cors.ts'
import { countedAddress } from './http/admit/counted-address.ts'
import { LoadShedder } from './http/admit/load-shedder.ts'
import { InFlightRequests } from './http/node/in-flight.ts'
import { UnreadResponses } from './http/node/unread-responses.ts'
import { usagePage } from './http/page/usage.ts'
import { type Respond, responder } from './http/response.ts'
import type { Page } from './http/routes.ts'
import { type Observation, openObservation } from './observation.ts'
import type { ApplicationLog } from './observe/application-log.ts'
import { type FaultListener, faultReport } from './observe/fault-report.ts'
import type { Health } from './observe/health/health.ts'
import { watchSchema } from './observe/health/schema-watch.ts'
import type { HttpMeter } from './observe/metrics/http.ts'
import type { MetricFamily, MetricRegistry } from './observe/metrics/registry.ts'
import { openTracer } from './observe/trace/tracer.ts'
import { loadCustomPipelines, openDeliveries, startShipping, traceStarter } from './on-demand.ts'
import { Followers } from './pipeline/follow/followers.ts'
import { NewEntries } from './pipeline/follow/new-entries.ts'
import { hasEntries, hasWebhooks } from './pipeline/history/entries.ts'
import { Hooks } from './pipeline/hook/hooks.ts'
import { type Pipeline, pipelinesOf } from './pipeline/pipeline.ts'
import type { StartTrace } from './pipeline/request-trace.ts'
import { openReports, type Reports } from './reports.ts'
import type { Settings } from './settings.ts'
import { addShipMetrics } from './ship/metrics.ts'
import type { ShipWorker } from './ship/worker.ts'
import { openStore } from './store/open/store.ts'
import type { Store } from './store/store.ts'

export interface ServiceRuntime extends Gates {
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

/** Everything that must be closed; the properties are set as it is opened. */
interface Resources {
  readonly store: Store
  schemaWatch?: { stop(): void }
  observation?: Observation
  inFlight?: InFlightRequests
  followers?: Followers | undefined
  hooks?: Hooks | undefined
  tracer?: Awaited<ReturnType<typeof openTracer>>
  deliveries?: Deliveries | undefined
  ship?: ShipWorker | undefined
}

export async function openRuntime(service: Service, settings: Settings, prefix: string): Promise<ServiceRuntime> {
  const reports = openReports(settings)
  const resources: Resources = { store: await openServiceStore(service, settings, reports) }
  try {
    return await startService(service, settings, prefix, reports, resources)
  } catch (error) {
    await closeResources(resources)
    throw error
  }
}

function openServiceStore({ model }: Service, settings: Settings, { report, warn }: Reports): Promise<Store> {
  return openStore(settings.database, model, {
    databaseDirect: settings.databaseDirect,
    databaseRead: settings.databaseRead,
    maxListBytes: settings.listLimit,
    onMigration: settings.onMigration,
    onFault: report,
    pool: settings.databasePool,
    onServer: warn,
  })
}

async function startService(
  service: Service,
  settings: Settings,
  prefix: string,
  reports: Reports,
  resources: Resources,
): Promise<ServiceRuntime> {
  const { store } = resources
  const { log, logFault, report, warn } = reports
  warnOfHiddenReferences(service, log)
  if (service.sample) await loadSample(store, service.sample, service)
  if (settings.onSchemaChange) resources.schemaWatch = await watchSchema(store, settings.onSchemaChange)
  const observation = openObservation(service, settings, { store, prefix, report })
  resources.observation = observation
  const { rollup, observe, registry, meter, health } = observation
  const inFlight = openInFlight(settings, observe, registry)
  resources.inFlight = inFlight
  resources.tracer = await openTracer()
  const records = service.callers && new CallerRecords(store, service.callers, service.tenant)
  const findRecord: FindRecord | undefined = records && ((user, claims) => records.find(user, claims))
  const onFault = faultReport(report)
  const gates = await openGates(service, settings, { store, records, registry, health, report, logFault, onFault })
  const ship = await startShipping(service, settings, prefix, warn)
  resources.ship = ship
  if (ship) addShipMetrics(registry, () => ship.figures())
  const loadShedder = openLoadShedder(settings, store, registry, log)
  const followers = hasEntries(service.model) ? openFollowers(store, settings, loadShedder, registry) : undefined
  resources.followers = followers
  if (followers && hasDeliveries(service))
    resources.deliveries = await openDeliveries(service, settings, { store, followers, findRecord, registry, report })
  const { service: servedService, withWebhooks } = resources.deliveries ?? { service }
  resources.hooks = openHooks(service, reports)
  const cors = settings.corsOrigins && corsFor(settings.corsOrigins)
  return {
    ...gates,
    findRecord,
    pipelines: pipelinesOf(servedService, {
      model: service.model,
      store,
      followers,
      hooks: resources.hooks,
      invalidateCallers: records && (() => records.invalidate()),
      withWebhooks,
      customPipeline: await loadCustomPipelines(servedService),
    }),
    inFlight,
    observe,
    clientOf: clientAddress(settings.trustProxy),
    loadShedder,
    cors,
    respond: openResponder(settings, cors, onFault),
    bodyLimit: settings.bodyLimit ?? 1024 * 1024,
    onFault,
    meter,
    startTrace: await traceStarter(settings, resources.tracer),
    health,
    registry,
    metrics: settings.gatherMetrics ?? (() => registry.families()),
    usagePage: rollup && usagePage(service.operations, rollup, store.usage),
    ship,
    stopFollowing: () => followers?.newEntries.stop(),
    close: () => closeResources(resources),
  }
}

/** First stops what starts new work, then waits for work in progress, and closes what the work has used. */
async function closeResources(resources: Resources): Promise<void> {
  const { store, schemaWatch, observation, inFlight, followers, hooks, tracer, deliveries, ship } = resources
  observation?.close()
  schemaWatch?.stop()
  followers?.newEntries.stop()
  await inFlight?.whenIdle()
  await deliveries?.stop()
  await hooks?.whenIdle()
  await tracer?.flush()
  await observation?.log?.close()
  await ship?.stop()
  await observation?.rollup?.close()
  await store.close()
}

function warnOfHiddenReferences({ apis }: Service, log: ApplicationLog): void {
  for (const { resource, property, target } of hiddenReferences(apis))
    log.warn({}, `"${property}" of "${resource.noun.name}" refers to "${target}", which no resource shows.`)
}

function openInFlight(
  { trustProxy, problemTypeUrl }: Settings,
  observe: Observer,
  registry: MetricRegistry,
): InFlightRequests {
  const inFlight = new InFlightRequests(observe, new UnreadResponses(trustedPeer(trustProxy)), problemTypeUrl)
  registry.addValue('nomen_http_requests_under_way', 'Requests in flight.', 'gauge', () => inFlight.count)
  return inFlight
}

function openLoadShedder(
  { waitLimitMs = 2000 }: Settings,
  store: Store,
  registry: MetricRegistry,
  log: ApplicationLog,
): LoadShedder {
  const reportOverload = throttledReport<string>((waitingFor, number) =>
    log.warn({ waitingFor, number }, 'Requests are rejected because of overload.'),
  )
  return new LoadShedder(waitLimitMs, store, registry, reportOverload)
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

/** Whether the service delivers changes to webhooks or durable hooks. */
function hasDeliveries({ model, after = [] }: Service): boolean {
  return hasWebhooks(model) || after.some(({ durable }) => durable !== undefined)
}

/** The hooks that are not durable. */
function openHooks({ after = [] }: Service, { report }: Reports): Hooks | undefined {
  const hooks = after.filter(({ durable }) => durable === undefined)
  return hooks.length > 0 ? new Hooks(hooks, report) : undefined
}

function openResponder(
  { publicUrl, problemTypeUrl }: Settings,
  cors: Cors | undefined,
  onFault: FaultListener,
): Respond {
  return responder({ cors, isSecure: publicUrl?.startsWith('https:') === true, problemTypeUrl, onFault })
}
