/** The definitions that webhooks add to a service: rules, managed fields, handlers and visibility. */
import { change, hasHistory, webhook, webhooks } from '@nomen/core'
import { assign } from '../define/assign.ts'
import type { Caller } from '../define/caller/caller.ts'
import { tenantOf } from '../define/caller/tenant.ts'
import { compute } from '../define/compute.ts'
import type { Service } from '../define/definition.ts'
import { handle } from '../define/handle.ts'
import { type Rule, rule } from '../define/rule.ts'
import type { Visibility } from '../define/visibility.ts'
import { quoted } from '../foundation/quoted.ts'
import { entryFieldsOf } from '../pipeline/history/entries.ts'
import { namesIn } from './entry-reader.ts'
import { rightsOf } from './rights.ts'
import { newSecret } from './secret.ts'
import { targetError } from './target.ts'
import type { Webhooks } from './webhooks.ts'

/** The filter `changedField` has the same limit. */
const maxFields = 20

/** Kinds of entries that are only in lists with filters by fields of the records. */
const relativeKinds = ['ENTERED', 'LEFT']

export interface WebhookDefinitionOptions {
  readonly engine: Webhooks
  readonly allowsPrivate: boolean
  /** The maximum number of webhooks; in a service with tenants, of each tenant. */
  readonly limit: number
  /** Called after a webhook was changed. */
  readonly refresh: () => void
}

/** The service with the definitions of webhooks. */
export function withWebhookDefinitions(service: Service, options: WebhookDefinitionOptions): Service {
  const { rules = [], assignments = [], computed = [], handlers = [], visibility = [] } = service
  return {
    ...service,
    rules: [...rules, ...rulesOf(service, options)],
    assignments: [...assignments, managedFields(service)],
    computed: [...computed, compute(webhook, 'secret', [], () => null)],
    handlers: [...handlers, ...handlersOf(options)],
    visibility: [...visibility, ...visibilityOf(service)],
  }
}

function managedFields({ tenant }: Service) {
  const fields = ['user', 'rights', 'tenant', 'signingSecret', 'reason'] as const
  return assign(webhook, fields, (next, previous, { caller }) => ({
    user: caller.user ?? null,
    rights: rightsOf(caller),
    tenant: tenant ? tenantOf(tenant, caller) : null,
    signingSecret: previous?.signingSecret ?? newSecret(),
    reason: previous && previous.status === next.status ? previous.reason : null,
  }))
}

function rulesOf(
  { model, operations, tenant }: Service,
  { allowsPrivate, limit }: WebhookDefinitionOptions,
): readonly Rule[] {
  const recorded = [...model.nouns.values()].map(({ noun }) => noun).filter(hasHistory)
  const nouns = [...recorded, ...model.links.filter(hasHistory)].map(({ name }) => name as string)
  const kinds = (change.fields.kind.spec.choices ?? []).filter((kind) => !relativeKinds.includes(kind))
  const shownFields = entryFieldsOf(operations)
  const fields = [...new Set(recorded.flatMap(({ name }) => [...(shownFields.get(name)?.keys() ?? [])]))]
  return [
    rule(webhook, ['url'], ({ url }) => {
      const detail = targetError(url, allowsPrivate)
      return detail === undefined ? undefined : { field: 'url', detail }
    }),
    rule(webhook, ['url'], async (_, previous, { caller, read }) => {
      if (previous) return undefined
      const all = read(webhook)
      const webhookCount = await (tenant ? all.count({ tenant: tenantOf(tenant, caller) }) : all.count())
      if (webhookCount < limit) return undefined
      const detail = `There are already ${webhookCount} webhooks, and the limit is ${limit}.`
      return { detail, hint: 'Delete a webhook first, or change an existing one.' }
    }),
    rule(webhook, ['nouns'], (next) => unknownName('nouns', next.nouns, nouns)),
    rule(webhook, ['kinds'], (next) => unknownName('kinds', next.kinds, kinds)),
    rule(webhook, ['fields'], (next) => {
      if (namesIn(next.fields).length > maxFields)
        return { field: 'fields', detail: `fields has more than ${maxFields} names.` }
      return unknownName('fields', next.fields, fields)
    }),
    rule(webhook, ['status'], ({ status }, previous) =>
      status === 'ACTIVE' || status === 'PAUSED' || status === previous?.status
        ? undefined
        : { field: 'status', detail: `Only the service sets ${status}. Set ACTIVE or PAUSED.` },
    ),
  ]
}

function unknownName<Field extends string>(field: Field, text: string | null, allowedNames: readonly string[]) {
  const unknown = namesIn(text).find((name) => !allowedNames.includes(name))
  if (unknown === undefined) return undefined
  return {
    field,
    detail: `${quoted(unknown)} is not a valid name. Allowed names, separated by commas: ${allowedNames.join(', ')}.`,
  }
}

function handlersOf({ engine, refresh }: WebhookDefinitionOptions) {
  const { test, redelivery, replay, rotation } = webhooks.options.operations
  return [
    handle(webhook, test, async ({ record }) => {
      const attempt = await engine.test(record)
      refresh()
      return attempt
    }),
    handle(webhook, redelivery, async ({ record, body }) => {
      const attempt = await engine.redeliver(record, body.change)
      refresh()
      return attempt
    }),
    handle(webhook, replay, async ({ record, body }) => {
      await engine.replay(record, body.since)
      refresh()
    }),
    handle(webhook, rotation, async ({ record, caller }) => {
      const secret = await engine.rotate(record, caller)
      refresh()
      return { secret }
    }),
  ]
}

/** Callers see the webhooks of their own tenant. */
function visibilityOf({ tenant }: Service): readonly Visibility[] {
  if (!tenant) return []
  return [{ noun: webhook, filter: (caller: Caller) => ({ tenant: tenantOf(tenant, caller) }) }]
}
