/** Deletes history entries that are older than their noun keeps them. */
import { change, specOf } from '@nomen/core'
import { throttledReport } from '../../foundation/throttled-report.ts'
import { historyLimits, type Model, writtenNouns } from '../model.ts'
import type { StoreFaultListener } from '../store.ts'
import type { Dialect } from './dialect.ts'
import { bareColumn, slot, table } from './fragment.ts'
import type { OwnTableDatabase, OwnTableWork } from './own-tables/dialect.ts'
import { type Sql, sql } from './sql.ts'

/** How often old entries are deleted, and how many at a time, so that other writes can run in between. */
const sweepEveryMs = 10 * 60 * 1000
const firstSweepMs = 1000
const sweepSize = 1000
const reportEveryMs = 24 * 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

/** The bound values of the statements. Times are strings in the form of the database. */
interface Input {
  readonly noun: string
  readonly from?: unknown
  readonly to?: unknown
  readonly id?: unknown
}

const [id, time, noun, record, kind] = (['id', 'time', 'noun', 'record', 'kind'] as const).map((field) =>
  bareColumn(change, field),
) as [Sql, Sql, Sql, Sql, Sql]
const nounInput = slot<Input>((input) => input.noun)
const [from, to, idInput] = (['from', 'to', 'id'] as const).map((key) => slot<Input>((input) => input[key])) as [
  Sql,
  Sql,
  Sql,
]

/** The statements for one kind of database. */
function statementsOf(dialect: Dialect) {
  /** An entry about the noun itself has its name as the record. */
  const isAboutNoun = dialect.isEqual(specOf(change, 'record'), record, nounInput, true)
  const inOrder = sql.join([dialect.order(specOf(change, 'time'), time, false), id])
  /** The oldest entries within a range of time. */
  const oldest = (columns: Sql) => sql`select ${columns}
from ${table(change)}
where ${noun} = ${nounInput} and ${record} <> ${nounInput} and ${time} >= ${from} and ${time} < ${to}
order by ${inOrder}
limit ${sql.lit(sweepSize)}`
  return {
    /**
     * The oldest STARTED entry of a noun. Its time is moved when entries are deleted. A noun has several such entries if its
     * history was switched off and on again. Columns: ID, time, and 1 if the time is before `to`, otherwise 0.
     */
    start: sql`select ${id}, cast(${time} as text), case when ${time} < ${to} then 1 else 0 end
from ${table(change)}
where ${isAboutNoun} and ${kind} = 'STARTED'
order by ${id}
limit 1`,
    // PostgreSQL would name the result like the column, and sort by the result, without the index.
    oldestTimes: oldest(sql`cast(${time} as text) as "text"`),
    delete: sql`delete from ${table(change)} where ${dialect.isInQuery(id, oldest(id))}`,
    moveStart: sql`update ${table(change)} set ${time} = ${to} where ${id} = ${idInput}`,
  }
}

/** Deletes some entries of a noun before a time, and moves the start of its history. Returns whether there may be more. */
function* deleteOldest(statements: ReturnType<typeof statementsOf>, noun: string, to: string): OwnTableWork<boolean> {
  const [start] = yield { statement: statements.start, input: { noun, to } }
  if (Number(start?.[2] ?? 0) === 0) return false
  const [startId, from] = start ?? []
  const times = yield { statement: statements.oldestTimes, input: { noun, from, to } }
  if (times.length > 0) yield { statement: statements.delete, input: { noun, from, to } }
  const hasMore = times.length === sweepSize
  yield { statement: statements.moveStart, input: { id: startId, to: hasMore ? times.at(-1)?.[0] : to } }
  return hasMore
}

/** Deletes old entries soon after the start and from time to time, until it is stopped. */
export function sweepHistory(
  database: OwnTableDatabase,
  dialect: Dialect,
  model: Model,
  onFault: StoreFaultListener = () => {},
): { stop(): void } {
  const limited = writtenNouns(model).flatMap((noun) => {
    const { days } = historyLimits(noun)
    return days === undefined ? [] : [{ noun: noun.name as string, days }]
  })
  if (limited.length === 0) return { stop: () => {} }
  const statements = statementsOf(dialect)
  let isStopped = false
  const sweep = async () => {
    for (const { noun, days } of limited) {
      const to = new Date(Date.now() - days * dayMs).toISOString()
      while (!isStopped && (await database.write(() => deleteOldest(statements, noun, to))));
    }
  }
  const report = throttledReport<unknown>((error) => {
    onFault('Old history entries cannot be deleted. Nomen tries again every 10 minutes.', error)
  }, reportEveryMs)
  const run = () => void sweep().catch((error) => isStopped || report(error))
  const timers = [setTimeout(run, firstSweepMs).unref(), setInterval(run, sweepEveryMs).unref()]
  return {
    stop: () => {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}
