/** Reads the tallies of one noun on SQLite: the total of a list, and where one of its pages begins. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import type { StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import type { Place } from '../../sql/list-query.ts'
import { quotedName, type Sql, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { blockBits, tallyKeys, topLevel } from '../../tally.ts'
import { tallyTable } from '../migrate/tally.ts'

export class TallyReader {
  readonly #stored: StoredNoun
  readonly #isGuid: boolean
  readonly #part: StatementSync
  readonly #parts: StatementSync

  constructor(database: DatabaseSync, stored: StoredNoun) {
    this.#stored = stored
    this.#isGuid = stored.noun.fields[stored.noun.identity].spec.guid === true
    const from = `from ${quotedName(tallyTable(tableName(stored.noun)))}`
    const range = '"level" = ? and "block" >= ? and "block" < ?'
    const arrays = 'select json_group_array("block"), json_group_array("records")'
    this.#part = database.prepare(`${arrays} ${from} where "key" = ? and ${range}`)
    const summed = `select "block", sum("records") as "records"
${from}
where "key" in (select value from json_each(?)) and ${range}
group by "block"`
    this.#parts = database.prepare(`${arrays} from (${summed})`)
    this.#part.setReturnArrays(true)
    this.#parts.setReturnArrays(true)
  }

  /** The keys whose rows count a plan's records; undefined where none do. */
  keysOf(plan: ListPlan): readonly string[] | undefined {
    return tallyKeys(plan, this.#stored.tallies)
  }

  /** The total as part of a statement, for plans with as many keys. */
  total(keys: number): Sql {
    const tallies = this.#stored.tallies
    const given = (plan: ListPlan) => tallyKeys(plan, tallies) ?? []
    const isKey =
      keys === 1
        ? sql`"key" = ${slot<ListPlan>((plan) => given(plan)[0])}`
        : sql`"key" in (select value from json_each(${slot<ListPlan>((plan) => JSON.stringify(given(plan)))}))`
    return sql`(
  select coalesce(sum("records"), 0)
  from ${sql.table(tallyTable(tableName(this.#stored.noun)))}
  where ${isKey} and "level" = ${sql.lit(topLevel)}
)`
  }

  /** Where the record lies that has so many others before it; undefined past the end. */
  place(keys: readonly string[], before: number, direction: 'forward' | 'backward'): Place | undefined {
    const from = direction === 'forward' ? before : this.count(keys) - 1 - before
    let rest = from
    let [low, high] = this.#isGuid ? ['', 'g'] : [0, Number.MAX_SAFE_INTEGER]
    let inBlock = 0
    for (let level = topLevel; level >= 0; level--) {
      const found = within(this.#blocks(keys, level, low, high), rest)
      if (!found) return undefined
      rest = found.rest
      inBlock = found.records
      ;[low, high] = this.#bounds(level, found.block)
    }
    if (direction === 'forward') return { start: low, rest }
    return { start: typeof high === 'number' ? high - 1 : high, rest: inBlock - 1 - rest }
  }

  /** The number of the records that these keys count. */
  count(keys: readonly string[]): number {
    const [low, high] = this.#isGuid ? ['', 'g'] : [0, Number.MAX_SAFE_INTEGER]
    return this.#blocks(keys, topLevel, low, high).records.reduce((sum, records) => sum + records, 0)
  }

  #blocks(keys: readonly string[], level: number, low: Value, high: Value): Blocks {
    const [blocks, records] = (keys.length === 1
      ? this.#part.get(keys[0] as string, level, low as string, high as string)
      : this.#parts.get(JSON.stringify(keys), level, low as string, high as string)) as unknown as [string, string]
    return { blocks: JSON.parse(blocks), records: JSON.parse(records) }
  }

  /** From where to where the blocks of the next finer level lie in a block, or in the finest one the records. */
  #bounds(level: number, block: string | number): [string | number, string | number] {
    if (typeof block === 'string') return [block, `${block}g`]
    const finer = 2 ** ((blockBits[level] ?? 0) - (blockBits[level - 1] ?? 0))
    return [block * finer, (block + 1) * finer]
  }
}

interface Blocks {
  readonly blocks: readonly (string | number)[]
  readonly records: readonly number[]
}

function within({ blocks, records }: Blocks, before: number) {
  let rest = before
  for (let at = 0; at < blocks.length; at++) {
    const count = records[at] as number
    if (rest < count) return rest < 0 ? undefined : { block: blocks[at] as string | number, rest, records: count }
    rest -= count
  }
  return undefined
}
