/** Lists on SQLite: counted by tallies if possible, and read on another thread if they may take long. */
import type { DatabaseSync } from 'node:sqlite'
import { QueryTimeout, TooLarge } from '../../fault/error.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { ListPlan } from '../../plan.ts'
import { hasEntryCounts } from '../../sql/entry-count/entry-count.ts'
import { estimatedMs } from '../../sql/list/cost.ts'
import { directionOf, type ListInput } from '../../sql/list/page.ts'
import type { Row, Statement } from '../statement.ts'
import { CountCache } from './count-cache.ts'
import { DatabaseSize } from './database-size.ts'
import { type ListForm, ListForms } from './list-forms.ts'
import { PageStarts } from './page-start.ts'
import { ReaderThreads } from './reader-threads.ts'
import type { ReadScope } from './shared-read.ts'
import { StatementClock, StatementStopped } from './statement-clock.ts'
import { isFarByTally, TallyReader } from './tally-reader.ts'

/** The estimated time up to which a list is read on the main thread. */
const mainThreadBudgetMs = 5

/** Lists of a form that takes longer twice in a row are moved to a thread; they are moved back when they become this short. */
const moveToThreadMs = 10
const moveBackMs = 3

/** A list counts as slow from this time on. Slow lists may not use the last thread. */
const slowMs = 500

/** The time limit of a list that no thread can read. */
const timeoutMs = 10_000

/** The limit on values and sort keys within a list, which may be larger than the list's JSON. */
const maxValueBytes = 16 * 1024 * 1024

interface ListsDependencies {
  readonly database: DatabaseSync
  readonly model: Model
  readonly reads: ReadScope
  /** Increases whenever a commit on the connection may have changed records. */
  readonly recordsVersion: () => number
  /** The file for reader threads; absent if only this connection sees the data. */
  readonly path?: string | undefined
  /** The maximum size of a list, in bytes. */
  readonly maxBytes: number
}

export class SqliteLists {
  readonly #database: DatabaseSync
  readonly #model: Model
  readonly #threads: ReaderThreads | undefined
  readonly #forms: ListForms
  readonly #tallies = new Map<string, TallyReader>()
  readonly #reads: ReadScope
  readonly #totals: CountCache
  readonly #pageStarts: PageStarts
  /** Lists that are counted on a thread, by the cache key of their total. */
  readonly #counting = new Map<string, { readonly state: object; readonly list: Promise<Outcome> }>()
  readonly #clock: StatementClock
  readonly #size: DatabaseSize
  readonly #maxBytes: number

  constructor({ database, model, reads, recordsVersion, path, maxBytes }: ListsDependencies) {
    this.#database = database
    this.#model = model
    this.#reads = reads
    this.#totals = new CountCache(database, reads, recordsVersion)
    this.#pageStarts = PageStarts.of(database)
    this.#clock = StatementClock.of(database)
    this.#size = new DatabaseSize(database)
    this.#maxBytes = maxBytes
    this.#threads =
      path === undefined
        ? undefined
        : new ReaderThreads(path, { timeoutMs, maxBytes: Math.max(maxBytes, maxValueBytes) })
    this.#forms = new ListForms(database, this.#threads !== undefined)
  }

  run(plan: ListPlan): Outcome | Promise<Outcome> {
    if (hasEntryCounts(plan)) return this.#readOnAnyThread(this.#forms.ofEntries(plan), plan, 0)
    const tallies = this.#talliesOf(plan)
    const numberOfKeys = tallies.numberOfKeys(plan)
    if (numberOfKeys === 0 || directionOf(plan) === undefined) return this.#readByScan(plan, tallies, numberOfKeys)
    if (isFarByTally(plan, numberOfKeys)) this.#pageStarts.useState(this.#totals.state())
    return this.#readOnAnyThread(this.#forms.of(plan, tallies, numberOfKeys, true), plan, 0)
  }

  close(): Promise<void> {
    return this.#threads?.close() ?? Promise.resolve()
  }

  /** A list that must be counted, or skipped, record by record. */
  #readByScan(plan: ListPlan, tallies: TallyReader, numberOfKeys: number): Outcome | Promise<Outcome> {
    const form = this.#forms.of(plan, tallies, numberOfKeys)
    const isCounted =
      plan.isCounted !== false && numberOfKeys === 0 && plan.page !== undefined && plan.include.length === 0
    const estimateMs = form.isSlowOnMainThread === undefined ? this.#estimate(plan, tallies) : 0
    return isCounted ? this.#readWithTotal(form, plan, estimateMs) : this.#readOnAnyThread(form, plan, estimateMs)
  }

  /**
   * Caches the total: while nothing is written, the records of a list are counted once. Equal lists that arrive meanwhile wait
   * for that count, but only once, so that constant writes do not delay them further.
   */
  #readWithTotal(form: ListForm, plan: ListPlan, estimateMs: number, hasWaited = false): Outcome | Promise<Outcome> {
    // The total and the page must be from the same state of the database.
    const state = this.#totals.state()
    const key = this.#forms.totalKey(form, plan)
    const total = this.#totals.get(key)
    const counting = total === undefined && !hasWaited ? this.#counting.get(key) : undefined
    if (counting?.state === state) {
      const read = () => {
        this.#reads.read()
        return this.#readWithTotal(form, plan, estimateMs, true)
      }
      return counting.list.then(read, read)
    }
    const outcome =
      total === undefined
        ? this.#readOnAnyThread(form, plan, estimateMs)
        : this.#readOnAnyThread(form.withTotal(), { ...plan, total }, estimateMs)
    const cacheTotal = (list: Outcome) => {
      if (list.kind === 'list') this.#totals.set(state, key, list.numberOfRecords)
      return list
    }
    if (!(outcome instanceof Promise)) return cacheTotal(outcome)
    const list = outcome.then((list) => {
      // Another read of this turn may still see an earlier state. This check is a read of its own.
      this.#reads.end()
      this.#reads.read()
      if (this.#totals.state() === state) return cacheTotal(list)
      return total === undefined ? list : this.#readOnAnyThread(form, plan, estimateMs)
    })
    return total === undefined ? this.#shareCount(key, state, list) : list
  }

  #shareCount(key: string, state: object, list: Promise<Outcome>): Promise<Outcome> {
    const counting = { state, list }
    this.#counting.set(key, counting)
    return list.finally(() => {
      if (this.#counting.get(key) === counting) this.#counting.delete(key)
    })
  }

  /** Reads on the main thread if that is fast, otherwise on a reader thread. */
  #readOnAnyThread(form: ListForm, plan: ListInput, estimateMs: number): Outcome | Promise<Outcome> {
    if (estimateMs <= mainThreadBudgetMs && !form.isSlowOnMainThread && this.#size.isSmall) {
      return this.#outcome(form.withoutGuard().first(plan) as Row)
    }
    const threads = this.#threads
    if (!threads) return this.#readWithoutThreads(form, plan)
    if (form.isSlowOnMainThread ?? estimateMs > mainThreadBudgetMs)
      return this.#readOnThread(form, plan, threads, estimateMs)
    const startMs = performance.now()
    try {
      const outcome = this.#readOnMainThread(form.guarded(), plan, moveToThreadMs)
      if (performance.now() - startMs > moveToThreadMs) countSlowRead(form)
      else form.wasSlow = false
      return outcome
    } catch (error) {
      if (!(error instanceof StatementStopped)) throw error
      form.hasLongString ||= error.isLongString
      countSlowRead(form)
      return this.#readOnThread(form, plan, threads, estimateMs)
    }
  }

  /** If no thread can read the database, other requests must wait. */
  #readWithoutThreads(form: ListForm, plan: ListInput): Outcome {
    try {
      return this.#readOnMainThread(form.guarded(), plan, timeoutMs)
    } catch (error) {
      throw withTimeoutError(error)
    }
  }

  /** The estimated time of a list that reads every record of its noun. */
  #estimate(plan: ListInput, tallies: TallyReader): number {
    this.#totals.state()
    return estimatedMs(
      plan,
      this.#totals.getOrCount(plan.operation.shape.noun.name, () => tallies.count()),
    )
  }

  #readOnMainThread(statement: Statement<ListInput>, plan: ListInput, limitMs: number): Outcome {
    const deadline = performance.now() + limitMs
    const read = () => statement.first(plan)
    // If a thread can read the list, long strings are not searched on the main thread.
    const isShort = this.#threads !== undefined && plan.conditions.some(({ kind }) => kind === 'search')
    const row = isShort ? this.#clock.runOnShortStrings(deadline, read) : this.#clock.run(deadline, read)
    return this.#outcome(row as Row)
  }

  async #readOnThread(form: ListForm, plan: ListInput, threads: ReaderThreads, estimateMs: number): Promise<Outcome> {
    const { text, bind } = form.forThread()
    try {
      const { row, tookMs } = await threads.read(text, bind(plan), (form.threadMs ?? estimateMs) >= slowMs)
      form.threadMs = tookMs
      form.isSlowOnMainThread = form.hasLongString || tookMs > moveBackMs
      return this.#outcome(row)
    } catch (error) {
      if (error instanceof QueryTimeout) form.threadMs = timeoutMs
      throw error instanceof TooLarge ? new TooLarge(this.#maxBytes, { cause: error }) : error
    }
  }

  #outcome(row: Row): Outcome {
    const [numberOfRecords, json] = row as [number, string]
    if (isLongerThan(json, this.#maxBytes)) throw new TooLarge(this.#maxBytes)
    return { kind: 'list', json, numberOfRecords }
  }

  #talliesOf({ operation }: ListPlan): TallyReader {
    const { name } = operation.shape.noun
    let tallies = this.#tallies.get(name)
    if (!tallies) {
      tallies = new TallyReader(this.#database, this.#model.nouns.get(name) as StoredNoun)
      this.#tallies.set(name, tallies)
    }
    return tallies
  }
}

/**
 * One slow read may only have waited for the processor, while another process ran. If it moved all lists of its form to the
 * threads, these would compete for the same busy processor.
 */
function countSlowRead(form: ListForm): void {
  if (form.wasSlow || form.hasLongString) form.isSlowOnMainThread = true
  form.wasSlow = true
}

/** A text has at most three bytes per UTF-16 code unit. */
function isLongerThan(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes
}

function withTimeoutError(error: unknown): unknown {
  return error instanceof StatementStopped ? new QueryTimeout(`A list took longer than ${timeoutMs} ms.`) : error
}
