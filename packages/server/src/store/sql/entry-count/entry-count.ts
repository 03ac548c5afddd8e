/**
 * Stored numbers of history entries, so that totals and far pages of long histories need not be counted. IDs ascend, so a block of
 * IDs gets no new entries once later IDs exist. Blocks are counted in the background (`count-blocks.ts`), and triggers subtract
 * deleted entries. Only the entries after the last counted block are counted by each request.
 */
import { change } from '@nomen/core'
import type { ListPlan } from '../../plan.ts'
import type { Dialect } from '../dialect.ts'
import { filters, visibleWhere } from '../filter.ts'
import { all, column, slot } from '../fragment.ts'
import type { CountParts } from '../list/options.ts'
import { directionOf, type ListInput, recordsToSkip } from '../list/page.ts'
import { exactText, type OwnTable } from '../own-tables/dialect.ts'
import { type Sql, sql } from '../sql.ts'

/** A block has 2^12 IDs, and a group of blocks has 2^20. */
export const blockBits = 12
export const groupBits = 20
export const blocksPerGroup = 2 ** (groupBits - blockBits)

/** The levels of stored numbers. */
export const [blockLevel, groupLevel] = [0, 1]

/** Stored in place of a noun: the entries of all nouns. The last counted block always has this row. */
export const allNouns = ''

/** Entries by block and noun. */
export const entryCountTable: OwnTable = {
  name: '_change_count',
  key: { level: 'smallint', block: 'bigint', noun: exactText },
  values: { entries: 'bigint' },
  isHot: true,
}

/**
 * Changes of these numbers on PostgreSQL: if all transactions changed the same numbers, they would wait for each other. They include
 * blocks that have not been counted yet.
 */
export const entryDeltaTable = '_change_count_delta'

export const entryCounts = sql.table(entryCountTable.name)
export const entryDeltas = sql.table(entryDeltaTable)

/** The first block that has not been counted. */
export const nextBlock = sql`(
  select coalesce(max("block") + 1, 0)
  from ${entryCounts}
  where "level" = ${sql.lit(blockLevel)}
)`

const [blockShift, groupShift, blocksShift] = [blockBits, groupBits, groupBits - blockBits].map((bits) =>
  sql.lit(bits),
) as [Sql, Sql, Sql]

/** The first block of the group that has not been counted completely. */
const firstOfOpenGroup = sql`((${nextBlock} >> ${blocksShift}) << ${blocksShift})`

const maxId = sql.lit(Number.MAX_SAFE_INTEGER)

/** How to read the stored numbers. */
interface EntryCountOptions {
  /** Whether changes of the numbers are in a table of their own. */
  readonly hasDeltas: boolean
  /** Whether the start of the page is looked up. */
  readonly isFar: boolean
}

/** Whether stored numbers count the entries of a list: all entries, or those of some nouns. */
export function hasEntryCounts({ operation, conditions, include, page, isCounted, rowFilter }: ListPlan): boolean {
  if (operation.shape.noun !== change || !page || include.length > 0 || isCounted === false) return false
  const relations = operation.levels.at(-1)?.relations ?? []
  const allConditions = [...conditions, ...(rowFilter?.[change.name] ?? [])]
  return (
    relations.length === 0 && allConditions.every(({ kind, fields }) => kind === 'equal' && fields.join() === 'noun')
  )
}

/** Whether the start of a page is looked up if at least `minOffset` entries come before it. */
export function isFarPage(plan: ListPlan, minOffset: number): boolean {
  return directionOf(plan) !== undefined && recordsToSkip(plan) >= minOffset
}

/** The counting parts of the statement of such a list. */
export function entryCounting(dialect: Dialect, plan: ListPlan, options: EntryCountOptions): CountParts {
  const id = column(change, change.identity)
  /** The planner of PostgreSQL assumes that a range with two bounds is short, and uses the index. */
  const isOpen = [sql`${id} >= (${nextBlock} << ${blockShift})`, sql`${id} < ${maxId}`]
  const conditions = [...filters(dialect, plan), ...visibleWhere(dialect, plan.rowFilter, change)]
  const isSelected =
    conditions.length === 0
      ? sql`t."noun" = ${sql.lit(allNouns)}`
      : all([sql`t."noun" <> ${sql.lit(allNouns)}`, ...conditions])
  const total = (countWhere: (conditions: readonly Sql[]) => Sql) => sql`cast((
  select coalesce(sum(t."entries"), 0)
  from (${storedCounts(options)}) as t
  where ${isSelected}
) + ${countWhere(isOpen)} as bigint)`
  if (!options.isFar) return { total }
  return {
    total,
    pageStart: {
      source: (countWhere) =>
        pageStart({
          ...options,
          isSelected,
          openEntries: countWhere(isOpen),
          isBackward: directionOf(plan) === 'backward',
        }),
      start: sql`(select "start" from _place)`,
      // A page after the last entry has no start and is empty.
      skip: sql`coalesce((select "rest" from _place), 0)`,
    },
  }
}

/** The numbers of groups, and of the counted blocks after the last group, each with its first ID. */
function storedCounts({ hasDeltas }: EntryCountOptions): Sql {
  const delta = sql`
  union all
  select case when "block" < ${firstOfOpenGroup} then ${sql.lit(groupLevel)} else ${sql.lit(blockLevel)} end,
    case when "block" < ${firstOfOpenGroup}
      then ("block" >> ${blocksShift}) << ${groupShift}
      else "block" << ${blockShift} end,
    "noun", "entries"
  from ${entryDeltas}
  where "block" < ${nextBlock}`
  return sql`select ${sql.lit(groupLevel)} as "level", "block" << ${groupShift} as "first", "noun", "entries"
  from ${entryCounts}
  where "level" = ${sql.lit(groupLevel)}
  union all
  select ${sql.lit(blockLevel)}, "block" << ${blockShift}, "noun", "entries"
  from ${entryCounts}
  where "level" = ${sql.lit(blockLevel)} and "block" >= ${firstOfOpenGroup}${hasDeltas ? delta : sql``}`
}

/** The numbers of the blocks in a group, each with its first ID. */
function blockCountsOfGroup({ hasDeltas }: EntryCountOptions, firstId: Sql): Sql {
  const inGroup = sql`"block" >= (${firstId} >> ${blockShift})
    and "block" < (${firstId} >> ${blockShift}) + ${sql.lit(blocksPerGroup)}`
  const delta = sql`
  union all
  select "block" << ${blockShift}, "noun", "entries"
  from ${entryDeltas}
  where ${inGroup}`
  return sql`select "block" << ${blockShift} as "first", "noun", "entries"
  from ${entryCounts}
  where "level" = ${sql.lit(blockLevel)} and ${inGroup}${hasDeltas ? delta : sql``}`
}

interface PageStartOptions extends EntryCountOptions {
  readonly isSelected: Sql
  /** The number of entries after the last counted block. */
  readonly openEntries: Sql
  readonly isBackward: boolean
}

/**
 * The start of a page, and the number of entries to skip from there: first the group with the first entry of the page is found, then
 * its block. No row past the end.
 */
function pageStart({ isSelected, openEntries, isBackward, ...options }: PageStartOptions): Sql {
  const skip = sql`cast(${slot<ListInput>(recordsToSkip)} as bigint)`
  const order = isBackward ? sql`"first" desc` : sql`"first"`
  const openLevel = sql.lit(-1)
  const start = (lastId: Sql) => (isBackward ? lastId : sql`"first"`)
  const lastOfBlock = sql`"first" + ${sql.lit(2 ** blockBits - 1)}`
  return sql`
with _part ("level", "first", "entries") as (
  select "level", "first", sum("entries")
  from (${storedCounts(options)}) as t
  where ${isSelected}
  group by "level", "first"
  union all
  select ${openLevel}, ${nextBlock} << ${blockShift}, ${openEntries}
), _part_sum as (
  select "level", "first", "entries", sum("entries") over (order by ${order}) as "sum" from _part
), _hit as (
  select "level", "first", "sum" - "entries" as "passed" from _part_sum where "sum" > ${skip} order by ${order} limit 1
), _block ("first", "entries") as (
  select "first", sum("entries")
  from (${blockCountsOfGroup(options, sql`(select "first" from _hit where "level" = ${sql.lit(groupLevel)})`)}) as t
  where ${isSelected}
  group by "first"
), _block_sum as (
  select "first", "entries", sum("entries") over (order by ${order}) + (select "passed" from _hit) as "sum" from _block
), _block_hit as (
  select "first", "sum" - "entries" as "passed" from _block_sum where "sum" > ${skip} order by ${order} limit 1
)
select ${start(sql`case "level" when ${openLevel} then ${maxId} else ${lastOfBlock} end`)} as "start",
  ${skip} - "passed" as "rest"
from _hit
where "level" <> ${sql.lit(groupLevel)}
union all
select ${start(lastOfBlock)}, ${skip} - "passed"
from _block_hit
`
}
