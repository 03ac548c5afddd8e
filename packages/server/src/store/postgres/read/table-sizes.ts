/** The maximum number of records of each table, queried from time to time: to distinguish small tables from large ones. */
import type { Model } from '../../model.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import type { Reads } from '../connect/database.ts'
import { identifier } from '../name.ts'
import { compile } from '../statement.ts'

/** How long a result is used. */
const lifetimeMs = 60_000

/** A lower bound for the size of a record, in bytes. */
const bytesPerRecord = 60

export class TableSizes {
  readonly #database: Pick<Reads, 'readShort'>
  readonly #nouns: readonly string[]
  readonly #query
  #sizes: ReadonlyMap<string, number> = new Map()
  #queriedAt = Number.NEGATIVE_INFINITY

  constructor(database: Pick<Reads, 'readShort'>, model: Model) {
    this.#database = database
    this.#nouns = [...model.nouns.keys()]
    const sizes = [...model.nouns.values()].map(({ noun }) => sizeExpression(identifier(tableName(noun))))
    this.#query = compile<undefined>(sql`select ${sql.join(sizes)}`)
  }

  /** Undefined if it is not known yet. The caller does not wait for a refresh. */
  maxRecords(noun: string): number | undefined {
    if (performance.now() - this.#queriedAt > lifetimeMs) this.refresh()
    const bytes = this.#sizes.get(noun)
    return bytes === undefined ? undefined : bytes / bytesPerRecord
  }

  /** Queries again. Errors are ignored: requests for records report them. */
  async refresh(): Promise<void> {
    this.#queriedAt = performance.now()
    if (this.#nouns.length === 0) return
    const [row = []] = await this.#database.readShort(this.#query, undefined).catch(() => [])
    this.#sizes = new Map(
      this.#nouns.flatMap((noun, index) => (row[index] ? [[noun, Number(row[index])] as const] : [])),
    )
  }
}

/** In bytes. A view or a partitioned table has no size: null. */
function sizeExpression(table: string): Sql {
  const kind = sql`(select relkind from pg_class where oid = to_regclass(${sql.lit(table)}))`
  return sql`case when ${kind} = 'r' then pg_relation_size(to_regclass(${sql.lit(table)})) end`
}
