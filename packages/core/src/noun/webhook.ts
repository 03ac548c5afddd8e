/** The nouns of webhooks: subscriptions to changes, and the log of their deliveries. */
import { choice, identity, integer, reference, text, timestamp, url } from '../field/kinds.ts'
import { createdAt, updatedAt } from '../field/managed-kinds.ts'
import { noun } from './noun.ts'

const maxNamesLength = 2000

/**
 * The noun of webhooks: URLs to which the service sends changes of records. Add it to an API with the resource `webhooks`.
 *
 * @example
 * ```ts
 * visible(webhook, ({ user = null }) => ({ user })) // Users see their own webhooks only.
 * ```
 */
export const webhook = noun(
  'webhook',
  {
    id: identity(),
    url: url({ maxLength: 2000 })
      .description('The URL that changes are sent to.')
      .example('https://hooks.example.com/directory'),
    description: text({ maxLength: 500 })
      .default('')
      .description('The purpose, for other users.')
      .example('Mailing list'),
    nouns: text({ maxLength: maxNamesLength })
      .nullable()
      .description('The names of the nouns and links whose changes are sent, separated by commas (default: all).')
      .example('user'),
    kinds: text({ maxLength: maxNamesLength })
      .nullable()
      .description('The kinds of changes that are sent, separated by commas (default: all).')
      .example('CREATED,DELETED'),
    fields: text({ maxLength: maxNamesLength })
      .nullable()
      .description('Only changes of these fields are sent, separated by commas (default: all).')
      .example(null),
    status: choice('ACTIVE', 'PAUSED', 'FAILED', 'GONE')
      .default('ACTIVE')
      .unindexed()
      .description(
        'Whether changes are sent. To pause or resume it, set PAUSED or ACTIVE: the changes in between are sent then.',
        {
          ACTIVE: 'Changes are sent.',
          PAUSED: 'A user has paused it.',
          FAILED: 'The service has stopped it; `reason` says why.',
          GONE: 'The service has stopped it, because the URL responded with 410.',
        },
      ),
    reason: text().nullable().managed().description('Why the service has stopped it.').example(null),
    user: text()
      .nullable()
      .managed()
      .description('The user who last changed it. It sends what this user may see.')
      .example('ada'),
    created: createdAt(),
    lastUpdated: updatedAt(),
    // No operation shows these fields.
    signingSecret: text().nullable().managed(),
    oldSecret: text().nullable().managed(),
    oldSecretExpires: timestamp().nullable().managed(),
    rights: text().nullable().managed(),
    tenant: text().nullable().managed(),
  },
  {
    label: 'url',
    description: 'A subscription to changes, which are sent to a URL.',
    computed: {
      secret: text()
        .nullable()
        .description('The secret that signs deliveries, in the response to the create request only; null otherwise.')
        .example(null),
    },
  },
)

/**
 * The noun of deliveries: the log of a webhook, with one record for each request that was sent to its URL.
 *
 * @example
 * ```ts
 * Object.keys(delivery.fields) // 'id', 'webhook', 'time', 'change', 'event', …
 * ```
 */
export const delivery = noun(
  'delivery',
  {
    id: identity(),
    webhook: reference(() => webhook),
    time: timestamp().indexed().description('When the response arrived, or the request failed.'),
    change: integer().nullable().description('The ID of the change; null for a test.').example(42),
    event: text().description('The noun and the kind of the change, or `webhook.test`.').example('user.created'),
    record: text().nullable().description('The noun and the ID of the changed record.').example('user/7'),
    attempt: integer().description('1 for the first attempt, 2 for the first retry.').example(1),
    outcome: choice('DELIVERED', 'FAILED').unindexed(),
    httpStatus: integer().nullable().description('The status of the response.').example(204),
    durationMs: integer().description('The time until the response, in milliseconds.').example(35),
    response: text().nullable().description('The beginning of the response body.').example(''),
    error: text().nullable().description('Why the request failed.').example(null),
    // No operation shows this field: when the changes were last replayed, in milliseconds since 1970.
    replay: integer().nullable(),
  },
  { description: 'A request that was sent to the URL of a webhook.', indexes: [['webhook', 'change']] },
)
