/** Webhooks in a service: their deliveries, and the operations that send events again. */
import type { Action } from './service/action.ts'
import type { Json } from './service/openapi.ts'
import type { Collection } from './service/service.ts'

/** The properties that distinguish the log of a webhook from another noun with this name. */
const deliveryProperties = ['event', 'attempt', 'outcome', 'httpStatus', 'durationMs']

/** Whether the records of a collection are deliveries of the webhook above it. */
export function isDeliveryLog({ noun, fields, parent }: Collection): boolean {
  return (
    noun === 'delivery' &&
    parent !== undefined &&
    deliveryProperties.every((name) => fields.some((field) => field.name === name))
  )
}

/** Whether the records of a collection are webhooks. */
export function isWebhook({ children }: Collection): boolean {
  return children.some(isDeliveryLog)
}

/** An operation of a webhook, by the last segment of its path: `test`, `redelivery`. */
export function webhookAction({ actions }: Collection, name: string): Action | undefined {
  return actions.record.find(({ operation }) => operation.path.endsWith(`/${name}`))
}

export interface Delivery {
  readonly id: unknown
  readonly time: string
  /** The ID of the change; undefined for a test. */
  readonly change: number | undefined
  readonly event: string
  /** The changed record, such as `user/7`. */
  readonly record: string | undefined
  readonly attempt: number
  readonly isDelivered: boolean
  readonly httpStatus: number | undefined
  readonly durationMs: number | undefined
  /** The first bytes of the response. */
  readonly response: string | undefined
  readonly error: string | undefined
}

/** A delivery of the log, or the outcome of an event that was sent just now. */
export function deliveryFrom(body: Json): Delivery {
  const textOf = (name: string) => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : undefined)
  const numberOf = (name: string) => (typeof body[name] === 'number' ? body[name] : undefined)
  return {
    id: body.id,
    time: textOf('time') ?? '',
    change: numberOf('change'),
    event: textOf('event') ?? '',
    record: textOf('record'),
    attempt: numberOf('attempt') ?? 1,
    isDelivered: body.outcome === 'DELIVERED',
    httpStatus: numberOf('httpStatus'),
    durationMs: numberOf('durationMs'),
    response: textOf('response'),
    error: textOf('error'),
  }
}

/** The secrets in a response: values that the service shows only once. */
export function secretsIn(body: Json): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(body).flatMap(([name, value]) =>
    /^(.*S|s)ecret$/.test(name) && typeof value === 'string' && value !== '' ? [{ name, value }] : [],
  )
}
