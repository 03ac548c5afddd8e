/** The options of a client and of its calls. Each kind of call accepts only the options that apply to it. */
import type { AnyApi, Api } from '../api/api.ts'
import type { SegmentOf } from './name.ts'

type HeaderValues = { readonly [name: string]: string }

/** Options of a client's connection. */
export interface ConnectionOptions {
  /** The base URL of the service, without a version: `baseUrl: 'https://example.com'`. */
  readonly baseUrl: string
  /**
   * Headers of every request, such as a token, or a function that returns them: `headers: () => ({ authorization: token })`.
   * The client calls the function for every attempt.
   */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>) | undefined
  /**
   * A replacement for the global `fetch`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
  /**
   * The number of retries after a lost connection, 429 or 503: `retries: 5`. The client retries idempotent requests only,
   * so neither a POST without `idempotencyKey` nor a PATCH without `etag`.
   *
   * @default 2
   */
  readonly retries?: number
  /**
   * The User-Agent, by which access logs and usage reports identify the calling application: `userAgent: 'billing/2.1.0'`.
   *
   * @default name and version of the npm package, in Node.js
   */
  readonly userAgent?: `${string}/${string}`
}

/**
 * Options of a client. If the api has versions, repeat them here: the client imports only the type of the declaration.
 */
export type ClientOptions<A extends AnyApi> = ConnectionOptions & VersionOption<A> & VersionsOption<OwnVersions<A>>

type VersionOption<A> = A extends { options: { version: infer Version } }
  ? { readonly version: Version }
  : { readonly version?: never }
type VersionsOption<Own> = [keyof Own] extends [never] ? { readonly versions?: never } : { readonly versions: Own }

/** The versions of resources that have their own, by their names: `{ 'user.preference': 2 }`. */
type OwnVersions<A> =
  A extends Api<string, infer Options>
    ? { readonly [P in NamedVersion<Options['resources'][number], ''> as P['names']]: P['version'] }
    : never
type NamedVersion<R, Above extends string> = R extends { noun: { name: string }; options: infer Options }
  ?
      | (Options extends { version: infer Version } ? { names: `${Above}${SegmentOf<R>}`; version: Version } : never)
      | NamedVersionBelow<R, Options, Above>
  : never
type NamedVersionBelow<R, Options, Above extends string> = Options extends { children: readonly (infer Child)[] }
  ? NamedVersion<Child, `${Above}${SegmentOf<R>}.`>
  : never

/** Options of every call. */
interface CommonOptions {
  /** Aborts the call, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined
  /** Headers of this request. They override those of the client. */
  readonly headers?: HeaderValues | undefined
  /** The `X-Request-Id` header, which the service writes to its log. */
  readonly requestId?: string | undefined
  /** The `X-Transaction-Id` header, which groups requests in the log. */
  readonly transactionId?: string | undefined
}

/** Options of a read, a list or a custom operation. */
export interface CallOptions extends CommonOptions {
  /** Only changes of a single record support an ETag. */
  readonly etag?: never
  /** Only `create` supports an idempotency key. */
  readonly idempotencyKey?: never
}

/** Options of `read` for a noun with history. */
export interface PastOptions extends CallOptions {
  /** Reads the record as it was at this time: `{ at: '2026-11-01T00:00:00Z' }`. */
  readonly at?: string | undefined
}

/** Options of `replace`, `update`, `delete`, `link` and `unlink`. */
export interface ChangeOptions extends CommonOptions {
  /** Optimistic locking: the change gets 412 if the record has changed since, `{ etag: etagOf(user) }`. */
  readonly etag?: string | undefined
  /** Only `create` supports an idempotency key. */
  readonly idempotencyKey?: never
}

/** Options of a change if the resource requires an ETag (`ifMatch: 'required'`). */
export interface GuardedOptions extends ChangeOptions {
  /** Optimistic locking: the change gets 412 if the record has changed since, and 428 without an ETag. */
  readonly etag: string | undefined
}

/** Options of `create`. */
export interface CreateOptions extends CommonOptions {
  /** The `Idempotency-Key` header: the service creates one record, however often it receives the request. */
  readonly idempotencyKey?: string | undefined
  /** A new record has no ETag. */
  readonly etag?: never
}

/** Options of any call. */
export type AnyCallOptions = CallOptions | ChangeOptions | CreateOptions
