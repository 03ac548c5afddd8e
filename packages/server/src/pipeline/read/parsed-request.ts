/** A request before and after its values are parsed and validated. */
import type { CustomParameter, Value } from '@nomen/core'
import type { Caller } from '../../define/caller/caller.ts'
import type { MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Condition, CreatePlan, Order, Values } from '../../store/plan.ts'
import type { Transaction } from '../../store/store.ts'
import type { EntityTags } from '../entity-tag.ts'
import type { RequestTrace } from '../request-trace.ts'

/** A request as the transport received it. */
export interface RawRequest {
  /** The address of the client. */
  readonly address: string
  readonly requestId: string
  /** The path as the client sent it, without the query. */
  readonly path: string
  /** The decoded path parameters, in order. */
  readonly parameters: readonly string[]
  /** The query string, without the question mark. */
  readonly query: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: Uint8Array | undefined
  /** Whether a handler of the service sends it, which may write managed fields. */
  readonly isFromHandler?: true
  /** Whether reads must not come from a replica, because a write depends on them. */
  readonly isCurrent?: true
  /** For a stream: authenticates the caller again. Returns undefined if the caller is no longer allowed. */
  readonly renewCaller?: (() => MaybePromise<Caller | undefined>) | undefined
  /** For lists of changes: whether the client has disconnected. */
  readonly isClosed?: (() => boolean) | undefined
  /** For lists of changes: whether the total may leave out changes that this read did not reach. */
  readonly isUncounted?: true
  /** The trace of the request. */
  readonly trace?: RequestTrace | undefined
  /** The transaction that the request is part of, if any. */
  readonly transaction?: Transaction | undefined
}

export interface ListQuery {
  readonly conditions: readonly Condition[]
  readonly include: readonly Value[]
  readonly order: readonly Order[]
  readonly page?: { readonly pageNumber: number; readonly pageSize: number }
  /** Present if the client follows changes: the ID of the last one that it has; `latest` for new changes only. */
  readonly afterId?: number | 'latest'
  /** How long to wait for a change, in seconds. */
  readonly waitSeconds?: number
  /** Custom filters and their values. */
  readonly custom?: readonly { readonly parameter: CustomParameter; readonly value: Value }[]
}

/** The query and body of a custom operation, with all defaults. */
export interface CustomInput {
  readonly query: Values
  /** Absent if the operation takes no body. */
  readonly body?: Values
}

export interface ParsedRequest {
  readonly raw: RawRequest
  readonly ancestors: readonly Value[]
  /** The identity or lookup value at the end of the path; null if the path ends in a collection. */
  readonly key: Value
  readonly list?: ListQuery
  /** The values of the body by stored field name, including those from the path. */
  readonly values?: Values
  readonly custom?: CustomInput
  /** The time of the record's state; absent for the current record. */
  readonly at?: string
  readonly ifMatch?: EntityTags
  readonly ifNoneMatch?: EntityTags
  readonly idempotency?: NonNullable<CreatePlan['idempotency']>
}
