/** An ask: what one request wants, in types, once its text has been read. */
import type { CustomParameter, Value } from '@nomen/core'
import type { Condition, CreatePlan, Order, Values } from '../../store/plan.ts'
import type { Transaction } from '../../store/store.ts'
import type { EntityTags } from '../entity-tag.ts'
import type { RequestTrace } from '../request-trace.ts'

/** A request as it comes from the wire. */
export interface RawRequest {
  /** The address of the client. */
  readonly address: string
  readonly requestId: string
  /** The path as the client sent it, without the query. */
  readonly path: string
  /** The decoded identities of the path, in order. */
  readonly parameters: readonly string[]
  /** What follows the question mark. */
  readonly query: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: Uint8Array | undefined
  /** Whether it decides over a change: then no replica is read, which may be behind. */
  readonly isCurrent?: true
  /** Whoever wants to see what becomes of it. */
  readonly watch?: RequestTrace | undefined
  /** What it is done as a part of; absent where it is done for itself. */
  readonly transaction?: Transaction | undefined
}

export interface ListAsk {
  readonly conditions: readonly Condition[]
  readonly include: readonly Value[]
  readonly order: readonly Order[]
  readonly page?: { readonly pageNumber: number; readonly pageSize: number }
  /** Filters of the service's own, and their values. */
  readonly custom?: readonly { readonly parameter: CustomParameter; readonly value: Value }[]
}

/** What an operation of the service's own is given, with all defaults. */
export interface CustomAsk {
  readonly query: Values
  /** Absent where the operation takes none. */
  readonly body?: Values
}

export interface Ask {
  readonly raw: RawRequest
  readonly ancestors: readonly Value[]
  /** The identity or lookup value at the end of the path; null where the path ends in a collection. */
  readonly key: Value
  readonly list?: ListAsk
  /** Values that the body gives, by stored field name, those fixed by the path included. */
  readonly values?: Values
  readonly custom?: CustomAsk
  readonly ifMatch?: EntityTags
  readonly ifNoneMatch?: EntityTags
  readonly idempotency?: NonNullable<CreatePlan['idempotency']>
}
