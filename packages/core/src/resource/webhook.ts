/** The resource of webhooks. The service implements its operations. */
import { integer, text, timestamp } from '../field/kinds.ts'
import { delivery, webhook } from '../noun/webhook.ts'
import { operation } from './operation.ts'
import { resource } from './resource.ts'

const { httpStatus, durationMs, response, error, outcome } = delivery.fields
const attemptResult = { outcome, httpStatus, durationMs, response, error }

/** Sends an event to the URL of a webhook, so that its owner can try it. */
const webhookTest = operation({
  method: 'POST',
  on: 'record',
  response: attemptResult,
  summary: 'Send a test event',
  description:
    'Sends an event of the type `webhook.test`. If it is delivered, a webhook that the service has stopped is resumed.',
})

/** Sends one change again. */
const webhookRedelivery = operation({
  method: 'POST',
  on: 'record',
  body: { change: integer().description('The ID of the change.').example(42) },
  response: attemptResult,
  problems: ['rule-broken'],
  summary: 'Send a change again',
  description: 'Sends one change again, now. If it is delivered, a webhook that the service has stopped is resumed.',
})

/** Sends all changes since a time again. */
const webhookReplay = operation({
  method: 'POST',
  on: 'record',
  body: { since: timestamp().description('Changes from this time on are sent again.') },
  summary: 'Send all changes since a time again',
  description: 'Sends all changes since this time again, the changes of each record in their order.',
})

/** Creates a new secret. */
const webhookRotation = operation({
  method: 'POST',
  on: 'record',
  response: { secret: text().description('The new secret. It is not shown again.') },
  summary: 'Create a new secret',
  description: 'Creates a new secret. Deliveries of the next 24 hours are signed with the old one, too.',
})

/**
 * The resource of webhooks: `/webhook` with its deliveries. Add it to the root of an API whose service has a history.
 *
 * @example
 * ```ts
 * const user = noun('user', { id: identity(), email: email() }, { history: true })
 * const directory = api('directory', {
 *   versioning: 'per-noun',
 *   writes: 'nested',
 *   resources: [resource(user, { children: [resource(change)] }), resource(change), webhooks],
 * })
 * ```
 */
export const webhooks = resource(webhook, {
  complete: [
    'id',
    'url',
    'description',
    'nouns',
    'kinds',
    'fields',
    'status',
    'reason',
    'user',
    'created',
    'lastUpdated',
    'secret',
  ],
  list: ['id', 'url', 'description', 'nouns', 'kinds', 'fields', 'status', 'reason', 'user', 'created', 'lastUpdated'],
  operations: {
    test: webhookTest,
    redelivery: webhookRedelivery,
    replay: webhookReplay,
    rotation: webhookRotation,
  },
  children: [
    resource(delivery, {
      complete: [
        'id',
        'time',
        'change',
        'event',
        'record',
        'attempt',
        'outcome',
        'httpStatus',
        'durationMs',
        'response',
        'error',
      ],
      offers: ['list', 'read'],
    }),
  ],
})
