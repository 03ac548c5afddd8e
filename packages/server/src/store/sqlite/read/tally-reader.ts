/** Reads the tallies of one noun on SQLite: totals and page starts of lists. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import type { StoredNoun } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import type { PageStart } from '../../sql/list/page.ts'
import { quotedName, type Sql, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import { blockBits, tallyKeys, topLevel } from '../../tally.ts'
import { tallyTable } from '../migrate/tally.ts'

export class TallyReader {
  readonly #stored: StoredNoun
  readonly #isGuid: boolean
  readonly #blocksOfKey: StatementSync | undefined
  readonly #blocksOfKeys: StatementSync | undefined
  /** The highest identity, if the noun has no tallies. */
  readonly #highestIdentity: StatementSync | undefined

  constructor(database: DatabaseSync, stored: StoredNoun) {
    this.#stored = stored
    this.#isGuid = stored.noun.fields[stored.noun.identity].spec.guid === true
    if (stored.tallies.length === 0) {
      const { noun } = stored
      this.#highestIdentity = database.prepare(
        `select max(${quotedName(noun.identity)}) as "highest" from ${quotedName(tableName(noun))}`,
      )
      return
    }
    const from = `from ${quotedName(tallyTable(tableName(stored.noun)))}`
    const range = '"level" = ? and "block" >= ? and "block" < ?'
    const arrays = 'select json_group_array("block"), json_group_array("records")'
    this.#blocksOfKey = database.prepare(`${arrays} ${from} where "key" = ? and ${range}`)
    const summed = `select "block", sum("records") as "records"
${from}
where "key" in (select value from json_each(?)) and ${range}
group by "block"`
    this.#blocksOfKeys = database.prepare(`${arrays} from (${summed})`)
    this.#blocksOfKey.setReturnArrays(true)
    this.#blocksOfKeys.setReturnArrays(true)
  }

  /** The keys of the tally rows for a plan; undefined if there is no tally. */
  keysOf(plan: ListPlan): readonly string[] | undefined {
    return tallyKeys(plan, this.#stored.tallies)
  }

  /** The total as part of a statement, for plans with this number of keys. */
  total(numberOfKeys: number): Sql {
    const tallies = this.#stored.tallies
    const keysIn = (plan: ListPlan) => tallyKeys(plan, tallies) ?? []
    const isKey =
      numberOfKeys === 1
        ? sql`"key" = ${slot<ListPlan>((plan) => keysIn(plan)[0])}`
        : sql`"key" in (select value from json_each(${slot<ListPlan>((plan) => JSON.stringify(keysIn(plan)))}))`
    return sql`(
  select coalesce(sum("records"), 0)
  from ${sql.table(tallyTable(tableName(this.#stored.noun)))}
  where ${isKey} and "level" = ${sql.lit(topLevel)}
)`
  }

  /** Finds the start of a page by the number of records before it; undefined past the end. */
  findPageStart(
    keys: readonly string[],
    recordsBefore: number,
    direction: 'forward' | 'backward',
  ): PageStart | undefined {
    const from = direction === 'forward' ? recordsBefore : this.count(keys) - 1 - recordsBefore
    let skip = from
    let [low, high] = this.#isGuid ? ['', 'g'] : [0, Number.MAX_SAFE_INTEGER]
    let recordsInBlock = 0
    for (let level = topLevel; level >= 0; level--) {
      const position = findBlock(this.#blocks(keys, level, low, high), skip)
      if (!position) return undefined
      skip = position.skip
      recordsInBlock = position.records
      ;[low, high] = this.#bounds(level, position.block)
    }
    if (direction === 'forward') return { start: low, skip }
    return { start: typeof high === 'number' ? high - 1 : high, skip: recordsInBlock - 1 - skip }
  }

  /** The number of records that these keys count; without tallies, the maximum number of records. */
  count(keys: readonly string[]): number {
    if (this.#highestIdentity) return Number(this.#highestIdentity.get()?.highest ?? 0)
    const [low, high] = this.#isGuid ? ['', 'g'] : [0, Number.MAX_SAFE_INTEGER]
    return this.#blocks(keys, topLevel, low, high).records.reduce((sum, records) => sum + records, 0)
  }

  #blocks(keys: readonly string[], level: number, low: Value, high: Value): Blocks {
    const [blocks, records] = (keys.length === 1
      ? (this.#blocksOfKey as StatementSync).get(keys[0] as string, level, low as string, high as string)
      : (this.#blocksOfKeys as StatementSync).get(
          JSON.stringify(keys),
          level,
          low as string,
          high as string,
        )) as unknown as [string, string]
    return { blocks: JSON.parse(blocks), records: JSON.parse(records) }
  }

  /** The range of finer blocks within a block, or of identities within the finest one. */
  #bounds(level: number, block: string | number): [string | number, string | number] {
    if (typeof block === 'string') return [block, `${block}g`]
    const finerPerBlock = 2 ** ((blockBits[level] ?? 0) - (blockBits[level - 1] ?? 0))
    return [block * finerPerBlock, (block + 1) * finerPerBlock]
  }
}

interface Blocks {
  readonly blocks: readonly (string | number)[]
  readonly records: readonly number[]
}

function findBlock({ blocks, records }: Blocks, recordsBefore: number) {
  let skip = recordsBefore
  for (let index = 0; index < blocks.length; index++) {
    const count = records[index] as number
    if (skip < count) return skip < 0 ? undefined : { block: blocks[index] as string | number, skip, records: count }
    skip -= count
  }
  return undefined
}
