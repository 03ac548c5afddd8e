/** Starts everything that delivers changes: webhooks and durable hooks. */
import { change, type Operation, scopeOf } from '@nomen/core'
import type { FindRecord } from './auth/assumed-caller.ts'
import { challenger } from './auth/token-problem.ts'
import type { Service } from './define/definition.ts'
import type { Report } from './observe/fault-report.ts'
import type { MetricRegistry } from './observe/metrics/registry.ts'
import type { Consumer } from './pipeline/consume/consumer.ts'
import { Consumers } from './pipeline/consume/consumers.ts'
import type { Followers } from './pipeline/follow/followers.ts'
import { hasWebhooks } from './pipeline/history/entries.ts'
import { durableHooks } from './pipeline/hook/durable-hooks.ts'
import type { Pipeline } from './pipeline/pipeline.ts'
import type { Settings } from './settings.ts'
import type { ConsumerStore } from './store/consumer.ts'
import type { Store } from './store/store.ts'
import { withWebhookDefinitions } from './webhook/definitions.ts'
import { webhookPipelines } from './webhook/pipelines.ts'
import { Webhooks } from './webhook/webhooks.ts'

const dayMs = 24 * 60 * 60 * 1000
const defaultStopDays = 3
const defaultWebhookLimit = 1000

export interface Deliveries {
  /** The service with the parts that implement webhooks. */
  readonly service: Service
  /** Undefined if the service has no webhooks. */
  readonly withWebhooks: ((operation: Operation, pipeline: Pipeline) => Pipeline) | undefined
  stop(): Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly followers: Followers
  readonly findRecord: FindRecord | undefined
  readonly registry: MetricRegistry
  readonly report: Report
}

export async function startDeliveries(
  service: Service,
  settings: Settings,
  dependencies: Dependencies,
): Promise<Deliveries> {
  const { store, followers, registry, report } = dependencies
  const { newEntries } = followers
  const webhooks = hasWebhooks(service.model) ? openWebhooks(service, settings, dependencies) : undefined
  const hooks = durableHooks(service, { store, newEntries, report })
  // A new hook gets all changes from now on. If the database does not respond, the hook starts later.
  await addNewConsumers(store.consumers, hooks).catch((error) =>
    report('The database did not store the start of new durable hooks. They start when it responds again.', error),
  )
  const list = async () => [...hooks, ...((await webhooks?.consumers()) ?? [])]
  const consumers = new Consumers({ store: store.consumers, newEntries, list, report })
  const refresh = () => void consumers.refresh()
  addDeliveryMetrics(registry, consumers, webhooks)
  const stop = async () => {
    await consumers.stop()
    webhooks?.stop()
  }
  if (!webhooks) return { service, withWebhooks: undefined, stop }
  const { webhookPrivateTargets: allowsPrivate = false, webhookLimit: limit = defaultWebhookLimit } = settings
  return {
    service: withWebhookDefinitions(service, { engine: webhooks, allowsPrivate, limit, refresh }),
    withWebhooks: webhookPipelines(webhooks, {
      scope: changeScope(service),
      challenge: challenger(service.name),
      refresh,
      report,
    }),
    stop,
  }
}

function openWebhooks(
  service: Service,
  { auth, publicUrl, webhookPrivateTargets = false, webhookStopDays = defaultStopDays }: Settings,
  { store, followers, findRecord, report }: Dependencies,
): Webhooks {
  return new Webhooks(service, store, followers, {
    allowsPrivate: webhookPrivateTargets,
    stopAfterMs: webhookStopDays * dayMs,
    source: publicUrl ?? `/${service.name}`,
    requiresAuthentication: auth !== undefined,
    findRecord,
    report,
  })
}

/** A hook that is stored already continues at its position. */
async function addNewConsumers(store: ConsumerStore, consumers: readonly Consumer[]): Promise<void> {
  if (consumers.length === 0) return
  const names = consumers.map(({ name }) => name)
  const states = await store.states(names, '')
  for (const { name, start } of consumers) if (!states.has(name)) await store.add(name, await start())
}

/** The scope of the list of all changes. */
function changeScope({ operations }: Service): string {
  const list = operations.find(
    ({ kind, shape, levels, changesOf }) =>
      kind === 'list' && shape.noun === change && levels.length === 1 && !changesOf,
  )
  return list ? scopeOf(list) : `${change.name}:read`
}

function addDeliveryMetrics(registry: MetricRegistry, consumers: Consumers, webhooks: Webhooks | undefined): void {
  registry.addValue(
    'nomen_consumers',
    'Active webhooks and durable hooks that this process delivers to.',
    'gauge',
    () => consumers.heldCount,
  )
  registry.addValue(
    'nomen_consumers_failing',
    'Active webhooks and durable hooks of this process whose last delivery failed.',
    'gauge',
    () => consumers.failingCount,
  )
  if (!webhooks) return
  registry.add('nomen_webhook_deliveries_total', 'Requests to webhooks, by outcome.', 'counter', () =>
    Object.entries(webhooks.attemptCounts).map(([outcome, value]) => ({
      labels: { outcome: outcome.toLowerCase() },
      value,
    })),
  )
}
