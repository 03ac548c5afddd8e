/** The options of a client and of its calls: each kind of call takes what is of use to it, and nothing else. */
import type { AnyApi, Api } from '../api/api.ts'
import type { SegmentOf } from './client-name.ts'

type HeaderValues = { readonly [name: string]: string }

export interface ConnectionOptions {
  /** Where the service is, without a version: `https://example.com`. */
  readonly baseUrl: string
  /** Sent with every request, such as a token; a function is asked each time, also for a repetition. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>) | undefined
  /** Used in place of the global one. */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
  /**
   * How often a request is sent again after a lost connection, 429 and 503, where it does no harm if that is done twice: not
   * a create without a key, nor an update without a tag. Twice unless given, 0 for never.
   */
  readonly retries?: number
  /** The calling application, `name/version`, by which access logs know it. Under npm it is the package's own. */
  readonly userAgent?: `${string}/${string}`
}

/** What a client is made with. Versions are in the declaration's type only, so that they are repeated here. */
export type ClientOptions<A extends AnyApi> = ConnectionOptions & VersionOption<A> & VersionsOption<OwnVersions<A>>

type VersionOption<A> = A extends { options: { version: infer Version } }
  ? { readonly version: Version }
  : { readonly version?: never }
type VersionsOption<Own> = [keyof Own] extends [never] ? { readonly versions?: never } : { readonly versions: Own }

/** The versions of resources that have their own, by their names: `{ 'user.preference': 2 }`. */
type OwnVersions<A> =
  A extends Api<string, infer Options>
    ? { readonly [P in Placed<Options['resources'][number], ''> as P['names']]: P['version'] }
    : never
type Placed<R, Above extends string> = R extends { noun: { name: string }; options: infer Options }
  ?
      | (Options extends { version: infer Version } ? { names: `${Above}${SegmentOf<R>}`; version: Version } : never)
      | PlacedBelow<R, Options, Above>
  : never
type PlacedBelow<R, Options, Above extends string> = Options extends { children: readonly (infer Child)[] }
  ? Placed<Child, `${Above}${SegmentOf<R>}.`>
  : never

/** What every call may say beyond what it asks for. */
interface Said {
  /** Gives the call up, whether it is sent, answered or waits to be sent again. */
  readonly signal?: AbortSignal | undefined
  readonly headers?: HeaderValues | undefined
  readonly requestId?: string | undefined
  readonly transactionId?: string | undefined
}

/** Of a read, a list, or an operation of the service's own. */
export interface CallOptions extends Said {
  /** Only changes of one record compare a tag. */
  readonly etag?: never
  /** Only creates take a key. */
  readonly idempotencyKey?: never
}

/** Of what changes one record that may be there: `replace`, `update`, `delete`, `link` and `unlink`. */
export interface ChangeOptions extends Said {
  /** It is done only if the record still has this tag, `{ etag: etagOf(user) }`; 412 otherwise. */
  readonly etag?: string | undefined
  /** Only creates take a key: a change that carries a tag is done once too. */
  readonly idempotencyKey?: never
}

/** Of a change where the resource asks for a tag (`ifMatch: 'required'`). */
export interface GuardedOptions extends ChangeOptions {
  /** It is done only if the record still has this tag, `{ etag: etagOf(user) }`; 412 otherwise, and 428 without one. */
  readonly etag: string | undefined
}

/** Of a `create`. */
export interface CreateOptions extends Said {
  /** A create with a key is done once, however often it is sent. */
  readonly idempotencyKey?: string | undefined
  /** A record that is new has no tag to compare. */
  readonly etag?: never
}

/** Of whichever call. */
export type AnyCallOptions = CallOptions | ChangeOptions | CreateOptions
