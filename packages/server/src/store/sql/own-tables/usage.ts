/** Usage counts in the database, which several instances add to. */
import type { CallerDay, CallerKind } from '@nomen/core/usage'
import type { UsageBatch, UsageStore } from '../../usage.ts'
import { slot } from '../fragment.ts'
import { type Sql, sql } from '../sql.ts'
import type { OwnRow, OwnTableDatabase, OwnTableDialect } from './dialect.ts'
import { usageTable } from './table.ts'

const columns = { ...usageTable.key, ...usageTable.values }
const caller = sql`"method", "path", "kind", "caller"`
const day = slot<string>((asked) => asked)

const bound = (name: keyof UsageBatch) => slot<UsageBatch>((batch) => batch[name])

/** Changes nothing if the batch, or a later one, was added already. */
const noteInstance = sql`insert into "_usage_instance" as known ("day", "instance", "number", "first", "last")
values (${bound('day')}, ${bound('instance')}, ${bound('number')}, ${bound('first')}, ${bound('last')})
on conflict ("day", "instance") do update
set "number" = excluded."number", ${extendedTime()}
where known."number" < excluded."number"
returning "number"`

const oldestDay = sql`(select min("day") from "_usage_instance" where "day" < ${day})`
const forgetCounts = sql`delete from "_usage" where "day" = ${oldestDay}`
const forgetInstances = sql`delete from "_usage_instance" where "day" = ${oldestDay} returning "instance"`

export function usageStore(database: OwnTableDatabase, dialect: OwnTableDialect): UsageStore {
  const count = countStatement(dialect)
  const served = sql`${dialect.timeText(sql`min("first")`, 'timestamptz(0)')}, ${dialect.timeText(sql`max("last")`, 'timestamptz(0)')}`
  const days = sql`select ${dialect.timeText(sql`"day"`, 'date')}, ${served}
from "_usage_instance"
group by "day"
order by "day"`
  const rows = sql`select ${caller},
  sum("requests"), sum(case when "status" >= 4 then "requests" else 0 end), sum("bytes"), ${served}
from "_usage"
where "day" = ${day}
group by ${caller}`
  return {
    /**
     * The instance's own row is changed first: a repeated batch waits for the first attempt if that is still under way on
     * a broken connection, and then finds its number.
     */
    add: (batch) =>
      database.write(function* () {
        const noted = yield { statement: noteInstance, input: batch }
        if (noted.length > 0 && batch.rows.length > 0) yield { statement: count, input: batch }
      }),
    days: () =>
      database.read(function* () {
        const found = yield { statement: days, input: undefined }
        return found.map(([served, first, last]) => ({ day: `${served}`, first: `${first}`, last: `${last}` }))
      }),
    rows: (asked) =>
      database.read(function* () {
        return (yield { statement: rows, input: asked }).map(callerDay)
      }),
    forget: (before) =>
      database.write(function* () {
        yield { statement: forgetCounts, input: before }
        return (yield { statement: forgetInstances, input: before }).length > 0
      }),
  }
}

/** All instances change the rows in the same order, so that no two wait for each other. */
function countStatement({ jsonRows }: OwnTableDialect): Sql {
  const json = slot<UsageBatch>((batch) => JSON.stringify(batch.rows.map((row) => ({ ...row, day: batch.day }))))
  const names = sql.join(Object.keys(columns).map(sql.table))
  return sql`insert into "_usage" as known (${names})
select ${names}
from ${jsonRows(json, columns)}
where true
order by ${caller}, "status"
on conflict ("day", ${caller}, "status") do update
set "requests" = known."requests" + excluded."requests", "bytes" = known."bytes" + excluded."bytes",
  ${extendedTime()}`
}

/** The time from the earlier of both beginnings to the later of both ends. */
function extendedTime(): Sql {
  return sql`"first" = case when excluded."first" < known."first" then excluded."first" else known."first" end,
  "last" = case when excluded."last" > known."last" then excluded."last" else known."last" end`
}

function callerDay(row: OwnRow): CallerDay {
  const [method = '', path = '', kind, caller = '', requests, errors, bytes, first = '', last = ''] =
    row as readonly string[]
  const counts = { requests: Number(requests), errors: Number(errors), bytes: Number(bytes) }
  return { method, path, kind: kind as CallerKind, caller, ...counts, first: Date.parse(first), last: Date.parse(last) }
}
