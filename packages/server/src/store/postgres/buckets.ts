/** Buckets of requests in a table, so that all instances of a fleet count together. */
import { serverError } from '../fault.ts'
import type { BucketStore, RateLimit, TakeRequest, TakeResult } from '../rate-limit.ts'
import { slot } from '../sql/fragment.ts'
import { sql } from '../sql/sql.ts'
import type { PostgresDatabase } from './connect/database.ts'
import { compile } from './statement.ts'

/** What is lost with a crash of the server is worth no log: buckets are full then. */
const table = `create unlogged table if not exists "_rate" (
  "key" text collate "C" primary key,
  "full_at" double precision not null,
  "given" integer not null
)`

interface Asked {
  readonly wishes: readonly TakeRequest[]
  readonly limit: RateLimit
}

const keys = slot<Asked>(({ wishes }) => wishes.map(({ key }) => key))
const numbers = slot<Asked>(({ wishes }) => wishes.map(({ number }) => number))
const each = slot<Asked>(({ limit }) => limit.window / limit.number)
const window = slot<Asked>(({ limit }) => limit.window)

/** By the server's clock, in milliseconds. */
const now = sql`(extract(epoch from statement_timestamp()) * 1000)::double precision`
const begun = sql`greatest(kept."full_at", ${now})`
const wished = sql`round((excluded."full_at" - ${now}) / ${each}::double precision)`
const available = sql`floor((${window}::double precision - (${begun} - ${now})) / ${each}::double precision + 1e-6)`
const granted = sql`greatest(0, least(${wished}, ${available}))`

/** The keys in their order, so that no two statements wait for each other. */
const takeStatement = compile<Asked>(sql`with taken as (
  insert into "_rate" as kept ("key", "full_at", "given")
  select wish.key, ${now} + wish.number * ${each}::double precision, wish.number
  from unnest(${keys}::text[], ${numbers}::integer[]) as wish(key, number) order by wish.key
  on conflict ("key") do update set "given" = ${granted}, "full_at" = ${begun} + ${granted} * ${each}::double precision
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

/** How often buckets that are full are forgotten, in milliseconds. */
const pauseBetweenSweeps = 60_000

export class PostgresBuckets implements BucketStore {
  readonly #database: PostgresDatabase
  readonly #limit: RateLimit
  #sweptAt = performance.now()

  private constructor(database: PostgresDatabase, limit: RateLimit) {
    this.#database = database
    this.#limit = limit
  }

  static async open(database: PostgresDatabase, limit: RateLimit): Promise<PostgresBuckets> {
    try {
      await database.execute(table)
    } catch (error) {
      // Of several that make it at once, the server lets only one.
      if (!['23505', '42P07'].includes(`${serverError(error)?.code}`)) throw error
    }
    return new PostgresBuckets(database, limit)
  }

  async take(wishes: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    // Among the quick reads, so that nobody who reads waits behind those who write. If a connection breaks, it may be taken twice.
    const rows = await this.#database.readShort(takeStatement, { wishes, limit: this.#limit })
    const grants = new Map(rows.map(([key, given, ahead]) => [key, this.#grant(Number(given), Number(ahead))]))
    this.#sweep()
    return wishes.map(({ key }) => grants.get(key) as TakeResult)
  }

  #grant(given: number, ahead: number): TakeResult {
    const { number, window: time } = this.#limit
    const left = Math.max(0, Math.floor((time - ahead) / (time / number) + 1e-6))
    return { granted: given, left, wait: left > 0 ? 0 : Math.max(0, ahead + time / number - time) }
  }

  #sweep(): void {
    if (performance.now() - this.#sweptAt < pauseBetweenSweeps) return
    this.#sweptAt = performance.now()
    this.#database.write(sweepStatement, undefined).catch(() => {})
  }
}
