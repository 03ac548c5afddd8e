/** Reads and writes webhooks and the log of their deliveries, with all stored fields. */
import {
  type AnyApi,
  type AnyNoun,
  change,
  delivery,
  type Operation,
  type OperationKind,
  operations,
  type RecordOf,
  resource,
  webhook,
} from '@nomen/core'
import { timestamp } from '../foundation/timestamp.ts'
import type { ConsumerProgress } from '../store/consumer.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Check, Condition, ListPlan, Order, Values } from '../store/plan.ts'
import type { RecordStore } from '../store/store.ts'
import type { AttemptResult } from './send.ts'

export type WebhookRecord = RecordOf<typeof webhook>

/** How long deliveries are logged. */
const logRetentionMs = 30 * 24 * 60 * 60 * 1000

const pageSize = 500

/** Operations that no api offers. */
const internalOperations = operations({
  // No api of a service can have this name.
  name: 'webhooks of the service',
  options: {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      resource(webhook, { complete: storedFields(webhook) }),
      resource(delivery),
      // The values of many changes could exceed the size limit of a list.
      resource(change, { list: ['id', 'time'] }),
    ],
  },
} as AnyApi)

function storedFields(noun: AnyNoun): never[] {
  return Object.keys(noun.fields) as never[]
}

function operationOf(noun: AnyNoun, kind: OperationKind): Operation {
  return internalOperations.find((operation) => operation.kind === kind && operation.shape.noun === noun) as Operation
}

const [list, read, update] = [
  operationOf(webhook, 'list'),
  operationOf(webhook, 'read'),
  operationOf(webhook, 'update'),
]
const [listDeliveries, createDelivery, deleteDelivery] = [
  operationOf(delivery, 'list'),
  operationOf(delivery, 'create'),
  operationOf(delivery, 'delete'),
]

const listChanges = operationOf(change, 'list')

/** Changes of about the same time may have IDs in another order. */
const concurrentChanges = 100

export class WebhookRecords {
  readonly #store: RecordStore

  constructor(store: RecordStore) {
    this.#store = store
  }

  async active(): Promise<readonly WebhookRecord[]> {
    const conditions: Condition[] = [{ kind: 'equal', fields: ['status'], values: ['ACTIVE'] }]
    const records: WebhookRecord[] = []
    for (let pageNumber = 1; ; pageNumber++) {
      const page = await this.#list(list, conditions, { pageNumber, pageSize })
      records.push(...(page as WebhookRecord[]))
      if (page.length < pageSize) return records
    }
  }

  async read(id: number): Promise<WebhookRecord | undefined> {
    const outcome = await this.#store.run({ kind: 'read', operation: read, ancestors: [], key: id, ...this.#reader() })
    return outcome.kind === 'record' ? (JSON.parse(outcome.json) as WebhookRecord) : undefined
  }

  /** Changes fields, unless the webhook has been deleted. */
  update(id: number, values: Values): Promise<void> {
    return this.#change(id, values, undefined)
  }

  /** Changes the status, unless a user has changed the URL or the status since the webhook was read. */
  setStatus({ id, url, status }: WebhookRecord, values: Pick<WebhookRecord, 'status' | 'reason'>): Promise<void> {
    return this.#change(id, values, (_, previous) =>
      previous?.url === url && previous.status === status ? undefined : { detail: 'The webhook was changed.' },
    )
  }

  async #change(id: number, values: Values, check: Check | undefined): Promise<void> {
    const now = timestamp()
    await this.#store.run({
      kind: 'change',
      operation: update,
      ancestors: [],
      key: id,
      now,
      values,
      meetsPreconditions: undefined,
      check,
    })
  }

  /** Adds an attempt to the log. */
  async log(
    values: Omit<RecordOf<typeof delivery>, 'id' | 'time' | keyof AttemptResult>,
    attempt: AttemptResult,
  ): Promise<void> {
    const now = timestamp()
    await this.#store.run({
      kind: 'create',
      operation: createDelivery,
      ancestors: [],
      now,
      values: { ...values, ...attempt, time: now },
      check: undefined,
    })
  }

  /** The changes after its position that a webhook has delivered, since the last replay. */
  async deliveredIdsAfter(webhook: number, { position, replayedAt }: ConsumerProgress): Promise<readonly number[]> {
    const conditions: Condition[] = [
      { kind: 'equal', fields: ['webhook'], values: [webhook] },
      { kind: 'equal', fields: ['outcome'], values: ['DELIVERED'] },
      { kind: 'range', fields: ['change'], from: position + 1 },
      // Events that users send do not count: earlier changes of the record may not have been delivered.
      { kind: 'equal', fields: ['replay'], values: [replayedAt] },
    ]
    const deliveries = await this.#list(listDeliveries, conditions, { pageNumber: 1, pageSize })
    return deliveries.map(({ change }) => Number(change))
  }

  /** The ID of the first change since a time. */
  async firstChangeSince(time: string): Promise<number | undefined> {
    const conditions: Condition[] = [{ kind: 'range', fields: ['time'], from: time }]
    const page = { pageNumber: 1, pageSize: concurrentChanges }
    const changes = await this.#list(listChanges, conditions, page, [{ field: 'time', isDescending: false }])
    return changes.length === 0 ? undefined : Math.min(...changes.map(({ id }) => Number(id)))
  }

  /** Deletes some old entries of the log. Returns whether there may be more. */
  async deleteOld(): Promise<boolean> {
    const to = new Date(Date.now() - logRetentionMs).toISOString()
    const conditions: Condition[] = [{ kind: 'range', fields: ['time'], to }]
    const oldEntries = await this.#list(listDeliveries, conditions, { pageNumber: 1, pageSize })
    for (const { id } of oldEntries)
      await this.#store.run({
        kind: 'delete',
        operation: deleteDelivery,
        ancestors: [],
        key: id as number,
        now: timestamp(),
        meetsPreconditions: undefined,
      })
    return oldEntries.length === pageSize
  }

  async #list(
    operation: Operation,
    conditions: readonly Condition[],
    page: NonNullable<ListPlan['page']>,
    order: readonly Order[] = [],
  ) {
    const outcome: Outcome = await this.#store.run({
      kind: 'list',
      operation,
      ancestors: [],
      conditions,
      include: [],
      order,
      page,
      ...this.#reader(),
    })
    return outcome.kind === 'list' ? (JSON.parse(outcome.json) as readonly Values[]) : []
  }

  /** A replica may not have the latest change of a webhook. */
  #reader() {
    return this.#store.hasReplicas ? { reader: { name: 'webhooks', isCurrent: true as const } } : {}
  }
}
