/** Usage counts in the database, which several instances add to. */
import type { CallerDay, CallerKind } from '@nomen/core/usage'
import type { UsageBatch, UsageStore } from '../../usage.ts'
import { slot } from '../fragment.ts'
import { type Sql, sql } from '../sql.ts'
import type { OwnRow, OwnTableDatabase, OwnTableDialect } from './dialect.ts'
import { usageTable } from './table.ts'

const columns = { ...usageTable.key, ...usageTable.values }
const caller = sql`"method", "path", "kind", "caller"`
const day = slot<string>((input) => input)

const bound = (name: keyof UsageBatch) => slot<UsageBatch>((batch) => batch[name])

/** Changes nothing if this batch, or a later one, was already added. */
const upsertInstance = sql`insert into "_usage_instance" as known ("day", "instance", "number", "first", "last")
values (${bound('day')}, ${bound('instance')}, ${bound('number')}, ${bound('first')}, ${bound('last')})
on conflict ("day", "instance") do update
set "number" = excluded."number", ${extendedTime()}
where known."number" < excluded."number"
returning "number"`

const oldestDay = sql`(select min("day") from "_usage_instance" where "day" < ${day})`
const deleteCounts = sql`delete from "_usage" where "day" = ${oldestDay}`
const deleteInstances = sql`delete from "_usage_instance" where "day" = ${oldestDay} returning "instance"`

export function usageStore(database: OwnTableDatabase, dialect: OwnTableDialect): UsageStore {
  const count = countStatement(dialect)
  const timeText = (time: Sql) => dialect.timeText(time, 'timestamptz(0)')
  const period = sql`${timeText(sql`min("first")`)}, ${timeText(sql`max("last")`)}`
  const days = sql`select ${dialect.timeText(sql`"day"`, 'date')}, ${period}
from "_usage_instance"
group by "day"
order by "day"`
  const rows = sql`select ${caller},
  sum("requests"), sum(case when "status" >= 4 then "requests" else 0 end), sum("bytes"), ${period}
from "_usage"
where "day" = ${day}
group by ${caller}`
  return {
    /**
     * The instance's own row is updated first. A repeated batch then waits for its first attempt, if that is still running
     * on a broken connection, and finds its number.
     */
    add: (batch) =>
      database.write(function* () {
        const updated = yield { statement: upsertInstance, input: batch }
        if (updated.length > 0 && batch.rows.length > 0) yield { statement: count, input: batch }
      }),
    days: () =>
      database.read(function* () {
        const rows = yield { statement: days, input: undefined }
        return rows.map(([dayText, first, last]) => ({ day: `${dayText}`, first: `${first}`, last: `${last}` }))
      }),
    rows: (requestedDay) =>
      database.read(function* () {
        return (yield { statement: rows, input: requestedDay }).map(callerDay)
      }),
    forget: (before) =>
      database.write(function* () {
        yield { statement: deleteCounts, input: before }
        return (yield { statement: deleteInstances, input: before }).length > 0
      }),
  }
}

/** All instances update rows in the same order, so that they cannot deadlock. */
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

/** From the earlier start to the later end. */
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
