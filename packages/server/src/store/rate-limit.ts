/** A limit on requests: so many in a time. Written `100/s`, `6000/m`, `50000/h`. */

export interface RateLimit {
  readonly number: number
  /** In milliseconds. */
  readonly window: number
}

const units = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** Undefined for what is no limit. */
export function readRateLimit(text: string): RateLimit | undefined {
  const [, number, unit] = /^([1-9]\d{0,8})\/([smh])$/.exec(text) ?? []
  return unit === undefined ? undefined : { number: Number(number), window: units[unit as keyof typeof units] }
}

/** What a caller wants of a bucket. */
export interface TakeRequest {
  readonly key: string
  readonly number: number
}

/** What the caller gets. */
export interface TakeResult {
  readonly granted: number
  /** How many are left then. */
  readonly left: number
  /** Until there is one more, in milliseconds; 0 where there is. */
  readonly wait: number
}

/** Where buckets are kept that several processes share. Grants come in the order of the wishes, all of different keys. */
export interface BucketStore {
  take(wishes: readonly TakeRequest[]): Promise<readonly TakeResult[]>
}
