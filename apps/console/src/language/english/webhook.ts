/** Webhooks: deliveries, tests, and secrets that are shown once. */
import type { Format } from '../format.ts'

export function webhookMessages({ number }: Format) {
  return {
    attempt: 'Attempt',
    copied: 'Copied',
    copySecret: 'Copy secret',
    delivered: (status: number | undefined, milliseconds: number) =>
      `Delivered: ${[status, `${number(milliseconds)} ms`].filter((part) => part !== undefined).join(', ')}.`,
    duration: 'Duration',
    event: 'Event',
    isDelivered: 'Delivered',
    isFailed: 'Failed',
    noDeliveries: 'No deliveries yet. Send a test event to try the URL.',
    noResponse: 'No response.',
    notDelivered: (error: string) => `Not delivered: ${error}`,
    outcome: 'Outcome',
    paused: 'This webhook is paused',
    pausedNote: 'No changes are sent. When it is resumed, it sends the changes that were made in between.',
    response: 'Response',
    resume: 'Resume',
    resumed: 'Webhook resumed.',
    secretNote: 'Copy the secret now. The service does not show it again.',
    secretTitle: (name: string) => `Secret of ${name}`,
    sendAgain: 'Send again',
    sendAgainLabel: (change: number) => `Send again: change ${change}`,
    sendTest: 'Send test',
    stopped: 'The service has stopped this webhook',
    time: 'Time',
  }
}
