/** The bodies of deliveries: CloudEvents 1.0 in structured mode. */
import { randomUUID } from 'node:crypto'
import type { Entry } from '../pipeline/consume/consumer.ts'
import { signature } from './secret.ts'

export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly subject?: string
  readonly time: string
  readonly data: object
}

/** The event of a change. */
export function changeEvent(entry: Entry): WebhookEvent {
  return { id: `${entry.id}`, type: eventType(entry), subject: entry.record, time: entry.time, data: entry }
}

/** The type of a change: `user.created`. */
function eventType({ noun, kind }: Entry): string {
  return `${noun}.${kind.toLowerCase()}`
}

const testType = 'webhook.test'

/** An event that a user sends to try a webhook. */
export function testEvent(webhook: number): WebhookEvent {
  return { id: `test-${randomUUID()}`, type: testType, time: new Date().toISOString(), data: { webhook } }
}

/** The headers and the body of an event for a webhook. The ID of the message is the same for all attempts. */
export function signedMessage(
  { data, ...event }: WebhookEvent,
  {
    webhook,
    source,
    secrets,
  }: { readonly webhook: number; readonly source: string; readonly secrets: readonly string[] },
) {
  const attributes = { specversion: '1.0', source, datacontenttype: 'application/json' }
  const body = JSON.stringify({ ...attributes, ...event, data })
  const id = `${webhook}-${event.id}`
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    body,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'nomen-webhook',
      'webhook-id': id,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signature({ id, timestamp, body }, secrets),
    },
  }
}
