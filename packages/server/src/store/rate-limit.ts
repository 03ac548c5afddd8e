/** Rate limits as strings: `100/s`, `6000/m`, `50000/h`. */

/** A rate limit: a number of requests per time window. */
export interface RateLimit {
  /** The number of requests in a window. */
  readonly number: number
  /** The length of the window in milliseconds. */
  readonly windowMs: number
}

const units = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** Undefined if the string is not a rate limit. */
export function readRateLimit(text: string): RateLimit | undefined {
  const [, number, unit] = /^([1-9]\d{0,8})\/([smh])$/.exec(text) ?? []
  return unit === undefined ? undefined : { number: Number(number), windowMs: units[unit as keyof typeof units] }
}

/** A request for tokens of a bucket. */
export interface TakeRequest {
  readonly key: string
  readonly number: number
}

/** The granted tokens. */
export interface TakeResult {
  readonly granted: number
  /** The number of tokens that remain. */
  readonly remaining: number
  /** Time until the next token, in milliseconds; 0 if there is one. */
  readonly waitMs: number
}

/** Token buckets that several processes share. All requests of a call have different keys; the results have their order. */
export interface BucketStore {
  take(requests: readonly TakeRequest[]): Promise<readonly TakeResult[]>
}
