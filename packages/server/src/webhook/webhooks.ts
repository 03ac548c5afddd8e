/** Webhooks: sends the changes of records to the URLs that subscribe to them. */
import { ProblemError, problem } from '@nomen/core'
import type { FindRecord } from '../auth/assumed-caller.ts'
import type { Caller } from '../define/caller/caller.ts'
import type { Service } from '../define/definition.ts'
import type { Consumer, DeliveryAttempt, Entry } from '../pipeline/consume/consumer.ts'
import type { Followers } from '../pipeline/follow/followers.ts'
import { startId } from '../pipeline/follow/long-poll.ts'
import type { ConsumerProgress } from '../store/consumer.ts'
import type { Store } from '../store/store.ts'
import { entryReader, type ReadEntries } from './entry-reader.ts'
import { changeEvent, signedMessage, testEvent, type WebhookEvent } from './event.ts'
import { type WebhookRecord, WebhookRecords } from './records.ts'
import { callerOf, rightsOf } from './rights.ts'
import { newSecret } from './secret.ts'
import { type AttemptResult, createSender, type Send } from './send.ts'

/** How long the old secret is valid after a rotation. */
const oldSecretLifetimeMs = 24 * 60 * 60 * 1000

/** How often old entries of the delivery log are deleted. */
const sweepEveryMs = 10 * 60 * 1000

export interface WebhookOptions {
  /** Whether targets may be private addresses, and use HTTP. */
  readonly allowsPrivate: boolean
  /** A webhook is stopped when its deliveries have failed for this time. */
  readonly stopAfterMs: number
  /** The `source` of events. */
  readonly source: string
  readonly requiresAuthentication: boolean
  readonly findRecord: FindRecord | undefined
  readonly report: (message: string, error: unknown) => void
}

export class Webhooks {
  readonly #store: Store
  readonly #followers: Followers
  readonly #options: WebhookOptions
  readonly #records: WebhookRecords
  readonly #readEntries: ReadEntries
  readonly #sender: ReturnType<typeof createSender>
  readonly #cleanupTimer: NodeJS.Timeout
  readonly #attemptCounts = { DELIVERED: 0, FAILED: 0 }
  #isStopped = false

  constructor(service: Service, store: Store, followers: Followers, options: WebhookOptions) {
    this.#store = store
    this.#followers = followers
    this.#options = options
    this.#records = new WebhookRecords(store)
    this.#readEntries = entryReader(service, store, followers)
    this.#sender = createSender(options.allowsPrivate)
    const report = (error: unknown) =>
      this.#isStopped || options.report('Old entries of the delivery log could not be deleted.', error)
    this.#cleanupTimer = setInterval(() => void this.#deleteOldDeliveries().catch(report), sweepEveryMs).unref()
  }

  /** The numbers of attempts of this process, by outcome. */
  get attemptCounts(): Readonly<Record<AttemptResult['outcome'], number>> {
    return this.#attemptCounts
  }

  /** The active webhooks. */
  async consumers(): Promise<readonly Consumer[]> {
    return (await this.#records.active()).map((webhook) => this.#consumerOf(webhook))
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#cleanupTimer)
    this.#sender.close()
  }

  /** The position after all changes made so far, for a webhook that is about to be created. */
  async position(): Promise<number> {
    return startId('latest', this.#followers.newEntries)
  }

  /** Begins to deliver the changes after a position. Returns the secret of the new webhook. */
  async begin(id: number, position: number): Promise<string | undefined> {
    await this.#store.consumers.add(consumerName(id), position)
    return (await this.#records.read(id))?.signingSecret ?? undefined
  }

  /** Tries again at once, after the webhook was changed. */
  async retry(id: number): Promise<void> {
    await this.#store.consumers.retry(consumerName(id))
  }

  async remove(id: number): Promise<void> {
    await this.#store.consumers.remove(consumerName(id))
  }

  async test(webhook: WebhookRecord): Promise<AttemptResult> {
    return this.#sendNow(webhook, testEvent(webhook.id), { change: null, record: null })
  }

  async redeliver(webhook: WebhookRecord, changeId: number): Promise<AttemptResult> {
    const caller = await this.#callerOf(webhook)
    if ('reason' in caller) throw refusalProblem(caller.reason)
    const { entries } = await this.#readEntries(caller, webhook, changeId - 1)
    const entry = entries.find((candidate) => candidate.id === changeId)
    if (!entry) throw refusalProblem(`Change ${changeId} is not one of the changes that this webhook delivers.`)
    return this.#sendNow(webhook, changeEvent(entry), { change: changeId, record: entry.record })
  }

  /** Delivers all changes since a time again. */
  async replay({ id }: WebhookRecord, since: string): Promise<void> {
    await this.#store.consumers.replay(consumerName(id), await this.#positionAt(since))
  }

  /** Creates a secret, and keeps the old one for a time. The webhook then has the rights of the caller. */
  async rotate({ id, signingSecret }: WebhookRecord, caller: Caller): Promise<string> {
    const secret = newSecret()
    const expires = new Date(Date.now() + oldSecretLifetimeMs).toISOString()
    await this.#records.update(id, {
      signingSecret: secret,
      oldSecret: signingSecret,
      oldSecretExpires: signingSecret === null ? null : expires,
      user: caller.user ?? null,
      rights: rightsOf(caller),
    })
    return secret
  }

  #consumerOf(webhook: WebhookRecord): Consumer {
    const { id } = webhook
    let isReportedFailed = false
    return {
      name: consumerName(id),
      version: JSON.stringify(webhook),
      start: () => this.#positionAt(webhook.created),
      read: async (afterId) => {
        const caller = await this.#callerOf(webhook)
        if (!('reason' in caller)) return this.#readEntries(caller, webhook, afterId)
        if (!isReportedFailed) await this.#records.setStatus(webhook, { status: 'FAILED', reason: caller.reason })
        isReportedFailed = true
        return { entries: [], next: afterId }
      },
      deliver: (entry, attempt) => this.#deliver(webhook, entry, attempt),
      deliveredIdsAfter: (progress) => this.#records.deliveredIdsAfter(id, progress),
      onFailure: (progress) => this.#stopIfFailing(webhook, progress),
    }
  }

  async #deliver(webhook: WebhookRecord, entry: Entry, { attempt, replayedAt }: DeliveryAttempt): Promise<boolean> {
    const about = { change: entry.id, record: entry.record, attempt, replay: replayedAt }
    const result = await this.#send(webhook, changeEvent(entry), about)
    if (result.httpStatus === 410) {
      const reason = `${webhook.url} responded with the status 410.`
      await this.#records.setStatus(webhook, { status: 'GONE', reason })
    }
    return result.outcome === 'DELIVERED'
  }

  async #stopIfFailing(webhook: WebhookRecord, { failingSince }: ConsumerProgress): Promise<void> {
    if (Date.now() - failingSince < this.#options.stopAfterMs) return
    const since = new Date(failingSince).toISOString()
    await this.#records.setStatus(webhook, { status: 'FAILED', reason: `Deliveries have failed since ${since}.` })
  }

  /** Sends an event at the request of a user. A success resumes a webhook that the service has stopped. */
  async #sendNow(webhook: WebhookRecord, event: WebhookEvent, about: DeliverySubject): Promise<AttemptResult> {
    const result = await this.#send(webhook, event, { ...about, attempt: 1, replay: null })
    const { id, status } = webhook
    if (result.outcome === 'DELIVERED') {
      if (status === 'FAILED' || status === 'GONE')
        await this.#records.setStatus(webhook, { status: 'ACTIVE', reason: null })
      await this.retry(id)
    }
    return result
  }

  async #send(webhook: WebhookRecord, event: WebhookEvent, about: LoggedDelivery): Promise<AttemptResult> {
    const secrets = secretsOf(webhook)
    const { source } = this.#options
    const send: Send =
      secrets.length > 0
        ? this.#sender.send
        : async () => ({ ...missingSecretResult, response: null, httpStatus: null })
    const result = await send({ url: webhook.url, ...signedMessage(event, { webhook: webhook.id, source, secrets }) })
    this.#attemptCounts[result.outcome]++
    await this.#records.log({ webhook: webhook.id, event: event.type, ...about }, result)
    return result
  }

  #callerOf(webhook: WebhookRecord): Promise<Caller | { readonly reason: string }> {
    return callerOf(webhook, this.#options)
  }

  /** The last position before a time. */
  async #positionAt(time: string): Promise<number> {
    const first = await this.#records.firstChangeSince(time)
    return first === undefined ? this.position() : first - 1
  }

  async #deleteOldDeliveries(): Promise<void> {
    while (!this.#isStopped && (await this.#records.deleteOld()));
  }
}

/** The change of an event, for the log. */
interface DeliverySubject {
  readonly change: number | null
  readonly record: string | null
}

interface LoggedDelivery extends DeliverySubject {
  readonly attempt: number
  /** When the changes were last replayed, in milliseconds since 1970, 0 if never; null for an event that a user sends. */
  readonly replay: number | null
}

const missingSecretResult = {
  outcome: 'FAILED',
  durationMs: 0,
  error: 'The webhook has no secret. Create one with POST /webhook/{id}/rotation.',
} as const

function consumerName(id: number): string {
  return `webhook/${id}`
}

function secretsOf({ signingSecret, oldSecret, oldSecretExpires }: WebhookRecord): readonly string[] {
  const isOldValid = oldSecretExpires !== null && Date.parse(oldSecretExpires) > Date.now()
  return [signingSecret, isOldValid ? oldSecret : null].filter((secret) => secret !== null)
}

function refusalProblem(detail: string): ProblemError {
  return new ProblemError(problem('rule-broken', { detail }))
}
