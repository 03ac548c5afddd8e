/** Starts the webhooks of a service. */
import { change, type Operation, scopeOf } from '@nomen/core'
import type { FindRecord } from '../auth/assumed-caller.ts'
import type { Service } from '../define/definition.ts'
import type { Report } from '../observe/fault-report.ts'
import type { MetricRegistry } from '../observe/metrics/registry.ts'
import { Consumers } from '../pipeline/consume/consumers.ts'
import type { Followers } from '../pipeline/follow/followers.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { Store } from '../store/store.ts'
import { webhookPipelines } from './pipelines.ts'
import { withWebhookParts } from './service-parts.ts'
import { Webhooks } from './webhooks.ts'

const dayMs = 24 * 60 * 60 * 1000
const defaultPauseDays = 3

export interface RunningWebhooks {
  /** The service with the parts that implement webhooks. */
  readonly service: Service
  readonly withWebhooks: (operation: Operation, pipeline: Pipeline) => Pipeline
  stop(): Promise<void>
}

/** Settings of the service. */
interface WebhookSettings {
  readonly auth?: object
  readonly publicUrl?: string
  readonly webhookPrivateTargets?: boolean
  readonly webhookPauseDays?: number
}

interface WebhookDependencies {
  readonly store: Store
  readonly followers: Followers
  readonly findRecord: FindRecord | undefined
  readonly registry: MetricRegistry
  readonly report: Report
}

export function startWebhooks(
  service: Service,
  {
    auth,
    publicUrl,
    webhookPrivateTargets: allowsPrivate = false,
    webhookPauseDays = defaultPauseDays,
  }: WebhookSettings,
  { store, followers, findRecord, registry, report }: WebhookDependencies,
): RunningWebhooks {
  const engine = new Webhooks(service, store, followers, {
    allowsPrivate,
    pauseAfterMs: webhookPauseDays * dayMs,
    source: publicUrl ?? `/${service.name}`,
    isGuarded: auth !== undefined,
    findRecord,
    report,
  })
  const { newEntries } = followers
  const consumers = new Consumers({ store: store.consumers, newEntries, list: () => engine.consumers(), report })
  const refresh = () => void consumers.refresh()
  measure(registry, engine, consumers)
  return {
    service: withWebhookParts(service, { engine, allowsPrivate, refresh }),
    withWebhooks: webhookPipelines(engine, changeScope(service), refresh),
    stop: async () => {
      await consumers.stop()
      engine.stop()
    },
  }
}

/** The scope of the list of all changes. */
function changeScope({ operations }: Service): string {
  const list = operations.find(
    ({ kind, shape, levels }) => kind === 'list' && shape.noun === change && levels.length === 1,
  )
  return list ? scopeOf(list) : `${change.name}:read`
}

function measure(registry: MetricRegistry, engine: Webhooks, consumers: Consumers): void {
  registry.add('nomen_webhook_deliveries_total', 'Requests to webhooks, by outcome.', 'counter', () =>
    Object.entries(engine.numbers).map(([outcome, value]) => ({ labels: { outcome: outcome.toLowerCase() }, value })),
  )
  registry.addValue('nomen_webhooks', 'Active webhooks that this process delivers to.', 'gauge', () => consumers.number)
  registry.addValue(
    'nomen_webhooks_failing',
    'Active webhooks of this process whose last delivery failed.',
    'gauge',
    () => consumers.failing,
  )
}
