/**
 * The SQL function `page_start`: finds the start of a page by the tallies. As a part of the statement, it sees the same state of the
 * database as the page, and reader threads use it too. On PostgreSQL, the database has a function of its own.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LruCache } from '../../../foundation/lru-cache.ts'
import { quotedName } from '../../sql/sql.ts'
import { blockBits, topLevel } from '../../tally.ts'

/** How many ranges of blocks are cached. A range of the finest blocks counts 16,384 records. */
const maxRanges = 500

/** The arguments of the function. */
interface PageStartInput {
  /** The table of the tallies. */
  readonly table: string
  readonly isGuid: boolean
  /** The keys of the tally rows that together count the records of the list. */
  readonly keys: readonly string[]
  /** The number of records before the page. */
  readonly before: number
  /** Whether the list begins with the highest identity. */
  readonly isBackward: boolean
}

/** The tally rows of a list. */
type TallyRows = Pick<PageStartInput, 'table' | 'isGuid' | 'keys'>

/** From a block up to another one, which is not included. The same for identities. */
type Range = [low: string | number, high: string | number]

/** Blocks in the order of identities, with the number of records in each. */
interface Blocks {
  readonly blocks: readonly (string | number)[]
  readonly records: readonly number[]
}

const pageStarts = new WeakMap<DatabaseSync, PageStarts>()

export class PageStarts {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #ranges = new LruCache<Blocks>(maxRanges)
  #state: object | undefined

  private constructor(database: DatabaseSync) {
    this.#database = database
    database.function('page_start', (table, isGuid, keys, before, isBackward) => {
      const start = this.#find({
        table: `${table}`,
        isGuid: isGuid === 1,
        keys: JSON.parse(`${keys}`),
        before: Number(before),
        isBackward: isBackward === 1,
      })
      return start ? JSON.stringify(start) : null
    })
  }

  /** The page starts of a connection: an SQL function can be defined only once. */
  static of(database: DatabaseSync): PageStarts {
    const starts = pageStarts.get(database) ?? new PageStarts(database)
    pageStarts.set(database, starts)
    return starts
  }

  /** Called before a statement with the current state of the database: blocks that were read in the same state are used again. */
  useState(state: object): void {
    if (state === this.#state) return
    this.#state = state
    this.#ranges = new LruCache(maxRanges)
  }

  /** The identity from which records are read, and how many of these to skip; undefined past the end. */
  #find({ before, isBackward, ...rows }: PageStartInput): [start: string | number, skip: number] | undefined {
    let range: Range = rows.isGuid ? ['', 'g'] : [0, Number.MAX_SAFE_INTEGER]
    let skip = before
    if (isBackward) {
      const total = this.#blocks(rows, topLevel, range).records.reduce((sum, records) => sum + records, 0)
      skip = total - 1 - before
    }
    let recordsInBlock = 0
    for (let level = topLevel; level >= 0; level--) {
      const position = findBlock(this.#blocks(rows, level, range), skip)
      if (!position) return undefined
      skip = position.skip
      recordsInBlock = position.records
      range = boundsOf(level, position.block)
    }
    const [low, high] = range
    if (!isBackward) return [low, skip]
    return [typeof high === 'number' ? high - 1 : high, recordsInBlock - 1 - skip]
  }

  /** Reading the blocks takes longer than reading a page of ten records. */
  #blocks(rows: TallyRows, level: number, range: Range): Blocks {
    const read = () => this.#readBlocks(rows, level, range)
    return this.#state ? this.#ranges.get(JSON.stringify([rows.table, rows.keys, level, range[0]]), read) : read()
  }

  #readBlocks({ table, keys }: TallyRows, level: number, range: Range): Blocks {
    const [blocks, records] = this.#statementFor(table, keys.length === 1).get(
      keys.length === 1 ? (keys[0] as string) : JSON.stringify(keys),
      level,
      ...range,
    ) as unknown as [string, string]
    return { blocks: JSON.parse(blocks), records: JSON.parse(records) }
  }

  #statementFor(table: string, hasOneKey: boolean): StatementSync {
    const name = `${hasOneKey} ${table}`
    const prepared = this.#statements.get(name)
    if (prepared) return prepared
    const range = '"level" = ? and "block" >= ? and "block" < ?'
    const source = hasOneKey
      ? `${quotedName(table)} where "key" = ? and ${range}`
      : `(
  select "block", sum("records") as "records"
  from ${quotedName(table)}
  where "key" in (select value from json_each(?)) and ${range}
  group by "block"
)`
    const statement = this.#database.prepare(
      `select json_group_array("block"), json_group_array("records") from ${source}`,
    )
    statement.setReturnArrays(true)
    this.#statements.set(name, statement)
    return statement
  }
}

/** The range of finer blocks within a block, or of identities within the finest one. */
function boundsOf(level: number, block: string | number): Range {
  if (typeof block === 'string') return [block, `${block}g`]
  const finerPerBlock = 2 ** ((blockBits[level] ?? 0) - (blockBits[level - 1] ?? 0))
  return [block * finerPerBlock, (block + 1) * finerPerBlock]
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
