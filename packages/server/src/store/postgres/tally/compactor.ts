/** Compacts the deltas of writes into the tallies in the background, so that readers have few of them to add. */

import type { Model } from '../../model.ts'
import { sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import type { PostgresDatabase } from '../connect/database.ts'
import { identifier } from '../name.ts'
import { compile, type Statement } from '../statement.ts'
import { compactFunction, deltaTable, tallyTable } from './name.ts'

/** How soon deltas are compacted after a write, and how often for writes of other processes. */
const fastPollMs = 200
const slowPollMs = 10_000

/** Vacuum after this number of compacted deltas. Autovacuum would take about a minute. */
const minRowsToVacuum = 5000

export class TallyCompactor {
  readonly #database: PostgresDatabase
  readonly #compact: Statement<undefined>
  readonly #tables: string
  readonly #regular: NodeJS.Timeout
  #next: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #compacted = 0

  constructor(database: PostgresDatabase, { nouns }: Model) {
    this.#database = database
    const names = [...nouns.values()].filter(({ tallies }) => tallies.length > 0).map(({ noun }) => tableName(noun))
    this.#compact = compile(
      sql`select ${sql.join(
        names.map((name) => sql`${sql.table(compactFunction(name))}()`),
        sql` + `,
      )}`,
    )
    this.#tables = names.flatMap((name) => [identifier(tallyTable(name)), identifier(deltaTable(name))]).join(', ')
    this.#regular = setInterval(() => this.#schedule(), slowPollMs).unref()
  }

  /** Returns the result of a write, and schedules a compaction. */
  async after<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write
    this.#schedule()
    return result
  }

  /** Waits for the current compaction. Other instances, or the next start, compact the remaining deltas. */
  async close(): Promise<void> {
    clearInterval(this.#regular)
    clearTimeout(this.#next)
    await this.#running
  }

  #schedule(): void {
    this.#next ??= setTimeout(() => {
      this.#running = this.#run().finally(() => {
        this.#next = undefined
      })
    }, fastPollMs).unref()
  }

  /** If a compaction fails, the next one includes the same deltas. */
  async #run(): Promise<void> {
    try {
      const [row] = await this.#database.write(this.#compact, undefined)
      this.#compacted += Number(row?.[0])
      if (this.#compacted < minRowsToVacuum) return
      this.#compacted = 0
      await this.#database.execute(`vacuum (truncate off) ${this.#tables}`)
    } catch {
      // Reads are correct without a compaction, but slower.
    }
  }
}
