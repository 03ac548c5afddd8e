/** Secrets and signatures of deliveries, as the Standard Webhooks specification defines them. */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export function newSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

export interface SignedMessage {
  readonly id: string
  /** In seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The value of the `webhook-signature` header: one signature for each secret. */
export function signature({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
