/** Folds what writes have appended to the tallies, in the background, so that readers have little to add up. */

import type { Model } from '../../model.ts'
import { sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import type { PostgresDatabase } from '../connect/database.ts'
import { identifier } from '../name.ts'
import { compile, type Statement } from '../statement.ts'
import { deltaTable, foldFunction, tallyTable } from './name.ts'

/** How soon after a write there is a fold, and how often there is one for the writes of others, in milliseconds. */
const fastPollMs = 200
const slowPollMs = 10_000

/** After so many folded rows what they leave behind is cleared away: the server itself would come by in a minute. */
const worthClearing = 5000

export class TallyFolder {
  readonly #database: PostgresDatabase
  readonly #fold: Statement<undefined>
  readonly #tables: string
  readonly #regular: NodeJS.Timeout
  #next: NodeJS.Timeout | undefined
  #folding: Promise<void> | undefined
  #folded = 0

  constructor(database: PostgresDatabase, { nouns }: Model) {
    this.#database = database
    const names = [...nouns.values()].map(({ noun }) => tableName(noun))
    this.#fold = compile(
      sql`select ${sql.join(
        names.map((name) => sql`${sql.table(foldFunction(name))}()`),
        sql` + `,
      )}`,
    )
    this.#tables = names.flatMap((name) => [identifier(tallyTable(name)), identifier(deltaTable(name))]).join(', ')
    this.#regular = setInterval(() => this.#soon(), slowPollMs).unref()
  }

  /** Gives the result of a write on, and folds soon after. */
  async after<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write
    this.#soon()
    return result
  }

  /** Finishes the fold that is under way; what is left others fold, or the next start. */
  async close(): Promise<void> {
    clearInterval(this.#regular)
    clearTimeout(this.#next)
    await this.#folding
  }

  #soon(): void {
    this.#next ??= setTimeout(() => {
      this.#folding = this.#run().finally(() => {
        this.#next = undefined
      })
    }, fastPollMs).unref()
  }

  /** What fails now, with a server that is gone for a while, is made up for by the next one. */
  async #run(): Promise<void> {
    try {
      const [row] = await this.#database.write(this.#fold, undefined)
      this.#folded += Number(row?.[0])
      if (this.#folded < worthClearing) return
      this.#folded = 0
      await this.#database.execute(`vacuum (truncate off) ${this.#tables}`)
    } catch {
      // Reads are right without a fold, only slower.
    }
  }
}
