/** Token buckets in a table, so that all instances of a service share one rate limit. */
import type { BucketStore, RateLimit, TakeRequest, TakeResult } from '../rate-limit.ts'
import { slot } from '../sql/fragment.ts'
import { sql } from '../sql/sql.ts'
import type { PostgresDatabase } from './connect/database.ts'
import { compile } from './statement.ts'

/** Unlogged: after a crash of the server the table is empty, and all buckets are full. */
export const rateTable = `create unlogged table "_rate" (
  "key" text collate "C" primary key,
  "full_at" double precision not null,
  "given" integer not null
)`

interface TakeInput {
  readonly requests: readonly TakeRequest[]
  readonly limit: RateLimit
}

const keys = slot<TakeInput>(({ requests }) => requests.map(({ key }) => key))
const numbers = slot<TakeInput>(({ requests }) => requests.map(({ number }) => number))
const msPerToken = slot<TakeInput>(({ limit }) => limit.windowMs / limit.number)
const windowMs = slot<TakeInput>(({ limit }) => limit.windowMs)

/** By the server's clock, in milliseconds. */
const now = sql`(extract(epoch from statement_timestamp()) * 1000)::double precision`
const fullAt = sql`greatest(bucket."full_at", ${now})`
const requested = sql`round((excluded."full_at" - ${now}) / ${msPerToken}::double precision)`
const availableMs = sql`(${windowMs}::double precision - (${fullAt} - ${now}))`
const available = sql`floor(${availableMs} / ${msPerToken}::double precision + 1e-6)`
const granted = sql`greatest(0, least(${requested}, ${available}))`

/** The keys are sorted, so that two statements cannot deadlock. */
const takeStatement = compile<TakeInput>(sql`with taken as (
  insert into "_rate" as bucket ("key", "full_at", "given")
  select request.key, ${now} + request.number * ${msPerToken}::double precision, request.number
  from unnest(${keys}::text[], ${numbers}::integer[]) as request (key, number)
  order by request.key
  on conflict ("key") do update
  set "given" = ${granted}, "full_at" = ${fullAt} + ${granted} * ${msPerToken}::double precision
  returning "key", "given", "full_at" - ${now} as ahead)
select "key", "given", ahead from taken`)

const sweepStatement = compile<undefined>(
  sql`delete from "_rate"
where "key" in (
  select "key"
  from "_rate"
  where "full_at" < ${now}
  limit 10000
  for update skip locked
)`,
)

/** How often full buckets are deleted. */
const sweepIntervalMs = 60_000

export class PostgresBuckets implements BucketStore {
  readonly #database: PostgresDatabase
  readonly #limit: RateLimit
  #sweptAt = performance.now()

  constructor(database: PostgresDatabase, limit: RateLimit) {
    this.#database = database
    this.#limit = limit
  }

  async take(requests: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    // As a short read, so that reads do not wait behind writes. If a connection breaks, tokens may be taken twice.
    const rows = await this.#database.readShort(takeStatement, { requests, limit: this.#limit })
    const results = new Map(rows.map(([key, granted, ahead]) => [key, this.#result(Number(granted), Number(ahead))]))
    this.#sweep()
    return requests.map(({ key }) => results.get(key) as TakeResult)
  }

  #result(granted: number, msUntilFull: number): TakeResult {
    const { number, windowMs } = this.#limit
    const remaining = Math.max(0, Math.floor((windowMs - msUntilFull) / (windowMs / number) + 1e-6))
    return {
      granted,
      remaining,
      waitMs: remaining > 0 ? 0 : Math.max(0, msUntilFull + windowMs / number - windowMs),
    }
  }

  #sweep(): void {
    if (performance.now() - this.#sweptAt < sweepIntervalMs) return
    this.#sweptAt = performance.now()
    this.#database.write(sweepStatement, undefined).catch(() => {})
  }
}
