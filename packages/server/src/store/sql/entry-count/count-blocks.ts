/** Counts blocks of history entries in the background, for totals and far pages (`entry-count.ts`). */
import { setTimeout as pause } from 'node:timers/promises'
import { change } from '@nomen/core'
import { throttledReport } from '../../../foundation/throttled-report.ts'
import type { Model } from '../../model.ts'
import type { HistoryPosition, StoreFaultListener } from '../../store.ts'
import { bareColumn, slot, table } from '../fragment.ts'
import type { OwnTableDatabase, OwnTableWork } from '../own-tables/dialect.ts'
import { type Sql, sql } from '../sql.ts'
import {
  allNouns,
  blockBits,
  blockLevel,
  blocksPerGroup,
  entryCounts,
  entryDeltas,
  groupBits,
  groupLevel,
  nextBlock,
} from './entry-count.ts'

/** How soon blocks are counted after the start, and how often. */
const firstCountMs = 100
const countEveryMs = 2000
const reportEveryMs = 24 * 60 * 60 * 1000

/** The parts that differ between databases. */
export interface BlockCountOptions {
  /** The number of blocks that one transaction counts. */
  readonly blocksAtOnce: number
  /** Takes a lock for the transaction, so that only one process counts. Selects whether that succeeded. Absent on SQLite. */
  readonly takeLock?: Sql
}

/** Blocks from a number up to another one. */
interface Input {
  readonly from: number
  readonly to: number
}

const [id, noun] = [bareColumn(change, change.identity), bareColumn(change, 'noun')]
const [from, to] = (['from', 'to'] as const).map(
  (key) => sql`cast(${slot<Input>((input) => input[key])} as bigint)`,
) as [Sql, Sql]
const columns = sql`("level", "block", "noun", "entries")`
const [blocks, groups, all, shift] = [blockLevel, groupLevel, allNouns, blockBits].map((value) => sql.lit(value)) as [
  Sql,
  Sql,
  Sql,
  Sql,
]
const groupShift = sql.lit(groupBits - blockBits)

const firstUncounted = sql`select ${nextBlock}`

const counted = sql`counted ("block", "noun", "entries") as (
  select ${id} >> ${shift}, ${noun}, count(*)
  from ${table(change)}
  where ${id} >= ${from} << ${shift} and ${id} < ${to} << ${shift}
  group by 1, 2
)`

const insertCounted = sql`insert into ${entryCounts} ${columns}
select ${blocks}, "block", "noun", "entries" from counted
union all
select ${blocks}, "block", ${all}, sum("entries") from counted group by "block"`

const countEntries = sql`with ${counted}
${insertCounted}`

/** Entries that were deleted before the snapshot of this statement are not counted, so their deltas are dropped. */
const countEntriesAndDeltas = sql`with ${counted}, dropped as (
  delete from ${entryDeltas} where "block" >= ${from} and "block" < ${to}
)
${insertCounted}`

/** The last counted block has a row even if it has no entries. */
const markLast = sql`insert into ${entryCounts} ${columns}
values (${blocks}, ${to} - 1, ${all}, 0)
on conflict do nothing`

const countGroup = sql`insert into ${entryCounts} ${columns}
select ${groups}, "block" >> ${groupShift}, "noun", sum("entries")
from ${entryCounts}
where "level" = ${blocks} and "block" >= ${to} - ${sql.lit(blocksPerGroup)} and "block" < ${to}
group by 2, 3`

/** Adds the deltas of counted blocks to their numbers, and to those of complete groups. */
const compactDeltas = sql`with moved as (
  delete from ${entryDeltas} where "block" < ${nextBlock} returning "block", "noun", "entries"
), parts ("level", "block", "noun", "entries") as (
  select ${blocks}, "block", "noun", "entries" from moved
  union all
  select ${groups}, "block" >> ${groupShift}, "noun", "entries"
  from moved
  where "block" >> ${groupShift} < ${nextBlock} >> ${groupShift}
)
insert into ${entryCounts} as counted ${columns}
select "level", "block", "noun", sum("entries") from parts group by 1, 2, 3
on conflict ("level", "block", "noun") do update set "entries" = counted."entries" + excluded."entries"`

/** Counts some blocks that are closed: all their IDs are settled. Returns whether there may be more. */
function* countSome({ blocksAtOnce, takeLock }: BlockCountOptions, settled: number): OwnTableWork<boolean> {
  if (takeLock) {
    const [[isTaken] = []] = yield { statement: takeLock, input: undefined }
    if (isTaken !== 't' && isTaken !== true) return false
    yield { statement: compactDeltas, input: undefined }
  }
  const [[first] = []] = yield { statement: firstUncounted, input: undefined }
  const from = Number(first)
  const closed = closedBlocks(settled)
  if (from >= closed) return false
  const nextGroup = (Math.floor(from / blocksPerGroup) + 1) * blocksPerGroup
  const input: Input = { from, to: Math.min(from + blocksAtOnce, closed, nextGroup) }
  yield { statement: takeLock ? countEntriesAndDeltas : countEntries, input }
  yield { statement: markLast, input }
  if (input.to === nextGroup) yield { statement: countGroup, input }
  return true
}

/** The number of blocks in which no entry can appear any more. */
function closedBlocks(settled: number): number {
  return Math.floor((settled + 1) / 2 ** blockBits)
}

const hasDeltas = sql`select exists (select 1 from ${entryDeltas} where "block" < ${nextBlock})`

function* hasWork({ takeLock }: BlockCountOptions, settled: number): OwnTableWork<boolean> {
  const [[first] = []] = yield { statement: firstUncounted, input: undefined }
  if (Number(first) < closedBlocks(settled)) return true
  if (!takeLock) return false
  const [[isPresent] = []] = yield { statement: hasDeltas, input: undefined }
  return isPresent === 't' || isPresent === true
}

/** Counts closed blocks soon after the start and from time to time, until it is stopped. */
export function countBlocks(
  database: OwnTableDatabase,
  options: BlockCountOptions,
  model: Model,
  position: () => Promise<HistoryPosition>,
  onFault: StoreFaultListener = () => {},
): { stop(): Promise<void> } {
  if (model.nouns.get(change.name)?.noun !== change) return { stop: async () => {} }
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const report = throttledReport<unknown>((error) => {
    onFault('History entries cannot be counted. Totals of long histories are slow.', error)
  }, reportEveryMs)
  const run = async () => {
    const { settled } = await position()
    if (isStopped || !(await database.read(() => hasWork(options, settled)))) return
    for (;;) {
      const startMs = performance.now()
      if (isStopped || !(await database.write(() => countSome(options, settled)))) return
      // SQLite reads on the event loop, so requests get at least half of the time.
      await pause(Math.ceil(performance.now() - startMs))
    }
  }
  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      running = run()
        .catch((error) => isStopped || report(error))
        .then(() => {
          if (!isStopped) schedule(countEveryMs)
        })
    }, delayMs).unref()
  }
  schedule(firstCountMs)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
