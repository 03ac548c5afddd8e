/** Compacts the deltas of writes into the tallies in the background, so that readers have few of them to add. */
import { Outage } from '../../../foundation/outage.ts'
import { OutdatedSchema, StoreUnavailable } from '../../fault/error.ts'
import { faultOf } from '../../fault/fault.ts'
import type { Model } from '../../model.ts'
import { slot } from '../../sql/fragment.ts'
import { quotedName, sql } from '../../sql/sql.ts'
import type { StoreFaultListener, StoreIssue } from '../../store.ts'
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

/** The number of deltas that are compacted in one transaction. It is halved if that takes longer than a statement may. */
const maxBatchSize = 100_000
const minBatchSize = 1000

/** Deltas that are not compacted after this time are reported. */
const maxLagMs = 60_000

const currentSchema = compile<undefined>(sql`select current_schema()`)

interface Tally {
  readonly noun: string
  readonly compact: Statement<number>
}

export class TallyCompactor {
  readonly #database: PostgresDatabase
  readonly #onFault: StoreFaultListener
  readonly #tallies: readonly Tally[]
  readonly #compactAll: Statement<number>
  readonly #tables: readonly string[]
  readonly #regularTimer: NodeJS.Timeout
  readonly #outage: Outage<{ readonly noun: string; readonly error: unknown }>
  #nextTimer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isClosed = false
  #batchSize = maxBatchSize
  #sinceVacuum = 0
  /** Since when there are more deltas than one batch has. */
  #behindSince: number | undefined
  #compacted = 0
  #failures = 0

  constructor(database: PostgresDatabase, { nouns }: Model, onFault: StoreFaultListener = () => {}) {
    this.#database = database
    this.#onFault = onFault
    const talliedNouns = [...nouns.values()].filter(({ tallies }) => tallies.length > 0)
    const names = talliedNouns.map(({ noun }) => tableName(noun))
    const call = (name: string) => sql`${sql.table(compactFunction(name))}(${slot<number>((batch) => batch)}::bigint)`
    this.#tallies = talliedNouns.map(({ noun }) => ({
      noun: noun.name,
      compact: compile<number>(sql`select ${call(tableName(noun))}`),
    }))
    this.#compactAll = compile<number>(sql`select ${sql.join(names.map(call), sql`, `)}`)
    this.#tables = names.flatMap((name) => [tallyTable(name), deltaTable(name)])
    this.#regularTimer = setInterval(() => this.#schedule(), slowPollMs).unref()
    this.#outage = new Outage(({ noun, error }) =>
      onFault(
        `The stored totals of "${noun}" cannot be updated in the background. Lists are correct, but become slower with every write.`,
        error,
      ),
    )
  }

  /** The number of compacted deltas and of failures since the start. */
  get figures(): { readonly compacted: number; readonly failures: number } {
    return { compacted: this.#compacted, failures: this.#failures }
  }

  /** Undefined while deltas are compacted in time. */
  get issue(): StoreIssue | undefined {
    const { fault } = this.#outage
    if (fault)
      return {
        detail: `The stored totals of "${fault.noun}" cannot be updated in the background. Lists are slower.`,
        isReadable: true,
      }
    if (this.#behindSince === undefined || performance.now() - this.#behindSince < maxLagMs) return undefined
    return { detail: 'The background update of stored totals is delayed. Lists are slower.', isReadable: true }
  }

  /** Returns the result of a write, and schedules a compaction. */
  async afterWrite<Result>(write: Promise<Result>): Promise<Result> {
    const result = await write
    this.#schedule()
    return result
  }

  /** Waits for the current compaction. Other instances, or the next start, compact the remaining deltas. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#regularTimer)
    clearTimeout(this.#nextTimer)
    await this.#running
  }

  #schedule(): void {
    if (this.#tallies.length === 0) return
    this.#nextTimer ??= setTimeout(() => {
      this.#running = this.#run().finally(() => {
        this.#nextTimer = undefined
      })
    }, fastPollMs).unref()
  }

  async #run(): Promise<void> {
    this.#batchSize = Math.min(maxBatchSize, this.#batchSize * 2)
    while (!this.#isClosed && (await this.#compactBatch())) {
      this.#behindSince ??= performance.now()
      await this.#vacuum()
    }
    if (!this.#outage.fault) this.#behindSince = undefined
    await this.#vacuum()
  }

  /** Returns whether there may be more deltas. If a compaction fails, the next one includes the same deltas. */
  async #compactBatch(): Promise<boolean> {
    const batch = this.#batchSize
    try {
      const isFull = this.#countDeltas(await this.#database.write(this.#compactAll, batch), batch)
      if (this.#outage.succeed()) this.#onFault('Stored totals are updated in the background again.', undefined)
      return isFull
    } catch (error) {
      this.#failures++
      if (isTimeout(error) && batch > minBatchSize) {
        this.#batchSize = Math.max(minBatchSize, Math.floor(batch / 2))
        return true
      }
      return isFault(error) && this.#compactEach(batch)
    }
  }

  /** Compacts each noun separately after a failure, so that one noun does not stop the others. */
  async #compactEach(batch: number): Promise<boolean> {
    let isFull = false
    let hasFailed = false
    for (const { noun, compact } of this.#tallies) {
      try {
        isFull = this.#countDeltas(await this.#database.write(compact, batch), batch) || isFull
      } catch (error) {
        hasFailed = true
        if (isFault(error)) this.#outage.fail({ noun, error })
      }
    }
    return isFull && !hasFailed
  }

  #countDeltas(rows: readonly (readonly (string | null)[])[], batch: number): boolean {
    const numbers = (rows[0] ?? []).map(Number)
    const sum = numbers.reduce((total, number) => total + number, 0)
    this.#compacted += sum
    this.#sinceVacuum += sum
    return numbers.some((number) => number >= batch)
  }

  async #vacuum(): Promise<void> {
    if (this.#sinceVacuum < minRowsToVacuum) return
    this.#sinceVacuum = 0
    // If it fails, autovacuum does it later.
    await this.#vacuumTables().catch(() => {})
  }

  async #vacuumTables(): Promise<void> {
    const [schema] = await this.#database.readShort(currentSchema, undefined)
    const tables = this.#tables.map((name) => `${quotedName(`${schema?.[0]}`)}.${identifier(name)}`)
    await this.#database.executeOutsideTransaction(`vacuum (truncate off) ${tables.join(', ')}`)
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof StoreUnavailable && faultOf(error.cause) === 'timeout'
}

/** While the database is unavailable, requests report it. */
function isFault(error: unknown): boolean {
  return !(error instanceof StoreUnavailable) || error instanceof OutdatedSchema || isTimeout(error)
}
