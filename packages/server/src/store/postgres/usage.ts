/** Usage in a PostgreSQL database, which many instances add to. */
import type { CallerDay, CallerKind } from '@nomen/core/usage'
import { slot } from '../sql/fragment.ts'
import { sql } from '../sql/sql.ts'
import type { ServedDay, UsageBatch, UsageStore } from '../usage.ts'
import type { PostgresDatabase } from './connect/database.ts'
import type { Row } from './connect/pooled-connection.ts'
import { migrationLock } from './migrate/connection.ts'
import { compile } from './statement.ts'

/** The same rows are changed again and again: with room beside them, no index has to be. */
export const usageTables: readonly string[] = [
  `create table if not exists "_usage" (
  "day" date not null,
  "method" text collate "C" not null,
  "path" text collate "C" not null,
  "kind" text collate "C" not null,
  "caller" text collate "C" not null,
  "status" smallint not null,
  "requests" bigint not null,
  "bytes" bigint not null,
  "first" timestamptz(0) not null,
  "last" timestamptz(0) not null,
  primary key ("day", "method", "path", "kind", "caller", "status")
) with (fillfactor = 50)`,
  `create table if not exists "_usage_instance" (
  "day" date not null,
  "instance" text collate "C" not null,
  "number" bigint not null,
  "first" timestamptz(0) not null,
  "last" timestamptz(0) not null,
  primary key ("day", "instance")
) with (fillfactor = 50)`,
]

/** Instances that start at once take turns, also with those that migrate. */
const makeTables = [`select pg_advisory_xact_lock(${migrationLock}, hashtext(current_schema()))`, ...usageTables].join(
  ';\n',
)

const areTables = compile<undefined>(
  sql`select to_regclass('"_usage"') is not null and to_regclass('"_usage_instance"') is not null`,
)

const day = slot<UsageBatch>((batch) => batch.day)

/**
 * The instance's own row is changed first: a batch that is under way on a connection that was given up holds it, and the
 * repetition waits, and then finds the number there. The others are changed in an order that all instances keep, so that
 * no two wait for each other.
 */
const add = compile<UsageBatch>(sql`with passed as (
insert into "_usage_instance" as known ("day", "instance", "number", "first", "last")
values (${day}::date, ${slot<UsageBatch>(({ instance }) => instance)}, ${slot<UsageBatch>(({ number }) => number)}::bigint,
  ${slot<UsageBatch>(({ first }) => first)}::timestamptz, ${slot<UsageBatch>(({ last }) => last)}::timestamptz)
on conflict ("day", "instance") do update set "number" = excluded."number",
  "first" = least(known."first", excluded."first"), "last" = greatest(known."last", excluded."last")
where known."number" < excluded."number"
returning true)
insert into "_usage" as known ("day", "method", "path", "kind", "caller", "status", "requests", "bytes", "first", "last")
select ${day}::date, "method", "path", "kind", "caller", "status", "requests", "bytes", "first", "last"
from json_to_recordset(${slot<UsageBatch>(({ rows }) => JSON.stringify(rows))}::json) as given
  ("method" text, "path" text, "kind" text, "caller" text, "status" smallint, "requests" bigint, "bytes" bigint, "first" timestamptz, "last" timestamptz)
where exists (select from passed)
order by "method" collate "C", "path" collate "C", "kind" collate "C", "caller" collate "C", "status"
on conflict ("day", "method", "path", "kind", "caller", "status") do update set
  "requests" = known."requests" + excluded."requests", "bytes" = known."bytes" + excluded."bytes",
  "first" = least(known."first", excluded."first"), "last" = greatest(known."last", excluded."last")`)

const shown = (column: string) => sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
const shownDay = sql`to_char("day", 'YYYY-MM-DD')`

const days = compile<undefined>(
  sql`select ${shownDay}, ${shown('min("first")')}, ${shown('max("last")')} from "_usage_instance" group by "day" order by "day"`,
)

const rowsOf = compile<string>(
  sql`select "method", "path", "kind", "caller", sum("requests"), coalesce(sum("requests") filter (where "status" >= 4), 0), sum("bytes"),
1000 * extract(epoch from min("first")), 1000 * extract(epoch from max("last"))
from "_usage" where "day" = ${slot<string>((asked) => asked)}::date group by "method", "path", "kind", "caller"`,
)

const forget = compile<string>(sql`with oldest as (
select min("day") as "day" from "_usage_instance" where "day" < ${slot<string>((before) => before)}::date),
uncounted as (delete from "_usage" using oldest where "_usage"."day" = oldest."day")
delete from "_usage_instance" using oldest where "_usage_instance"."day" = oldest."day" returning true`)

export class PostgresUsage implements UsageStore {
  readonly #database: PostgresDatabase
  #areTables = false

  constructor(database: PostgresDatabase) {
    this.#database = database
  }

  async add(batch: UsageBatch): Promise<void> {
    await this.#there(() => this.#database.write(add, batch))
  }

  async days(): Promise<readonly ServedDay[]> {
    const found = await this.#there(() => this.#database.readShort(days, undefined))
    return found.map(([served, first, last]) => ({ day: `${served}`, first: `${first}`, last: `${last}` }))
  }

  async rows(asked: string): Promise<readonly CallerDay[]> {
    return (await this.#there(() => this.#database.read(rowsOf, asked))).map(callerDay)
  }

  async forget(before: string): Promise<boolean> {
    return (await this.#there(() => this.#database.write(forget, before))).length > 0
  }

  /** A database that is older than these tables gets them. */
  async #there<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#areTables) {
      const [row] = await this.#database.readShort(areTables, undefined)
      if (row?.[0] !== 't') await this.#database.execute(makeTables)
      this.#areTables = true
    }
    try {
      return await work()
    } catch (error) {
      this.#areTables = false
      throw error
    }
  }
}

function callerDay(row: Row): CallerDay {
  const [method = '', path = '', kind, caller = '', ...numbers] = row as readonly string[]
  const [requests = 0, errors = 0, bytes = 0, first = 0, last = 0] = numbers.map(Number)
  return { method, path, kind: kind as CallerKind, caller, requests, errors, bytes, first, last }
}
