/** Deletes history entries that are older than their noun or link keeps them. */
import { type AnyLink, change, hasHistory, specOf } from '@nomen/core'
import { throttledReport } from '../../../foundation/throttled-report.ts'
import { historyLimits, type Model, writtenNouns } from '../../model.ts'
import type { StoreFaultListener } from '../../store.ts'
import type { Dialect } from '../dialect.ts'
import { bareColumn, slot, table } from '../fragment.ts'
import type { OwnTableDatabase, OwnTableWork } from '../own-tables/dialect.ts'
import { type Sql, sql } from '../sql.ts'

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
  readonly values?: unknown
}

/** The property of a STARTED entry's values that has the highest ID of the deleted entries. Responses do not show it. */
const lastDeletedProperty = '_lastDeleted'

const [id, time, noun, record, kind] = (['id', 'time', 'noun', 'record', 'kind'] as const).map((field) =>
  bareColumn(change, field),
) as [Sql, Sql, Sql, Sql, Sql]
const nounInput = slot<Input>((input) => input.noun)
const [from, to, idInput, values] = (['from', 'to', 'id', 'values'] as const).map((key) =>
  slot<Input>((input) => input[key]),
) as [Sql, Sql, Sql, Sql]
const before = bareColumn(change, 'before')

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
     * history was switched off and on again. Columns: ID, time, 1 if the time is before `to`, otherwise 0, and its values.
     */
    start: sql`select ${id}, cast(${time} as text), case when ${time} < ${to} then 1 else 0 end, ${before}
from ${table(change)}
where ${isAboutNoun} and ${kind} = 'STARTED'
order by ${id}
limit 1`,
    // PostgreSQL would name the result like the column, and sort by the result, without the index.
    oldest: oldest(sql`cast(${time} as text) as "text", ${id}`),
    delete: sql`delete from ${table(change)} where ${dialect.isInQuery(id, oldest(id))}`,
    moveStart: sql`update ${table(change)} set ${time} = ${to}, ${before} = ${values} where ${id} = ${idInput}`,
  }
}

/** Deletes some entries of a noun before a time, and moves the start of its history. Returns whether there may be more. */
function* deleteOldest(statements: ReturnType<typeof statementsOf>, noun: string, to: string): OwnTableWork<boolean> {
  const [start] = yield { statement: statements.start, input: { noun, to } }
  if (Number(start?.[2] ?? 0) === 0) return false
  const [startId, from, , values] = start ?? []
  const entries = yield { statement: statements.oldest, input: { noun, from, to } }
  if (entries.length > 0) yield { statement: statements.delete, input: { noun, from, to } }
  const hasMore = entries.length === sweepSize
  const lastDeleted = Math.max(lastDeletedIn(values), ...entries.map(([, entryId]) => Number(entryId)))
  const moved = {
    id: startId,
    to: hasMore ? entries.at(-1)?.[0] : to,
    values: lastDeleted === 0 ? null : JSON.stringify({ [lastDeletedProperty]: lastDeleted }),
  }
  yield { statement: statements.moveStart, input: moved }
  return hasMore
}

/** The highest ID of the deleted entries in the values of a STARTED entry; 0 if there is none. */
export function lastDeletedIn(values: unknown): number {
  return typeof values === 'string' ? Number(JSON.parse(values)[lastDeletedProperty] ?? 0) : 0
}

/** Entries of a link are kept as long as those of its records; undefined if there is no limit. */
function linkDays({ nouns }: AnyLink): number | undefined {
  const days = nouns.filter(hasHistory).map((noun) => historyLimits(noun).days)
  return days.includes(undefined) ? undefined : Math.max(...(days as number[]))
}

/** The nouns and links whose entries expire, with the number of days. */
export function limitedHistories(model: Model): readonly { readonly noun: string; readonly days: number }[] {
  return [
    ...writtenNouns(model).map((noun) => ({ noun: noun.name as string, days: historyLimits(noun).days })),
    ...model.links.filter(hasHistory).map((link) => ({ noun: link.name, days: linkDays(link) })),
  ].flatMap(({ noun, days }) => (days === undefined ? [] : [{ noun, days }]))
}

/** Deletes old entries soon after the start and from time to time, until it is stopped. */
export function sweepHistory(
  database: OwnTableDatabase,
  dialect: Dialect,
  model: Model,
  onFault: StoreFaultListener = () => {},
): { stop(): void } {
  const limited = limitedHistories(model)
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
