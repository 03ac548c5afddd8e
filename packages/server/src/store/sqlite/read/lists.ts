/** Lists on SQLite: counted by the tallies where these can, and read on another thread where they may take long. */
import type { DatabaseSync } from 'node:sqlite'
import { LruCache } from '../../../foundation/lru-cache.ts'
import { QueryTimeout, TooLarge } from '../../error.ts'
import type { Model, StoredNoun } from '../../model.ts'
import type { Outcome } from '../../outcome.ts'
import type { ListPlan } from '../../plan.ts'
import { slot } from '../../sql/fragment.ts'
import { estimatedMs } from '../../sql/list-cost.ts'
import {
  type Counting,
  countQuery,
  directionOf,
  type ListInput,
  listKey,
  listQuery,
  type Place,
  passedOver,
} from '../../sql/list-query.ts'
import { sqliteDialect } from '../dialect.ts'
import { type Compiled, compile, prepare, type Row, type Statement } from '../statement.ts'
import { CountCache } from './count-cache.ts'
import { DatabaseSize } from './database-size.ts'
import { ReaderThreads } from './reader-threads.ts'
import type { Turn } from './shared-read.ts'
import { guardOf, StatementClock, Stopped } from './statement-clock.ts'
import { TallyReader } from './tally-reader.ts'

/** How many records are rather passed over than looked up in the tallies. */
const minOffset = 512

/** A place before which, and after which, there is nothing. */
const nowhere: Place = { start: null, rest: 0 }

/** How many forms of filtered and sorted lists keep a prepared statement. */
const listForms = 500

/** How much work a list may be that is read at once, as far as can be estimated, in milliseconds. */
const budgetMs = 5

/** How long a list may take that everybody else waits for, and how short one must be to be let back, in milliseconds. */
const longestMs = 10
const shortestMs = 3

/** From this time on, in milliseconds, a list is a slow one, which may not have the last thread. */
const slowMs = 500

/** How long a list may take where no thread can read it, in milliseconds. */
const timeoutMs = 10_000

/** A list may look at values, and sort records, that are larger than its own text may be, in bytes. */
const largestValue = 16 * 1024 * 1024

/** Pages of more records than this have forms of their own: whether those take long says nothing of others. */
const largePage = 100

/** Statements for all plans of one form, here and on a thread, and how long the last one took. */
interface Form {
  readonly here: () => Statement<ListInput>
  /** Without checks of the clock, for small databases. */
  readonly unguarded: () => Statement<ListInput>
  readonly elsewhere: () => Compiled<ListInput>
  /** Tells lists apart that may have different totals. */
  readonly totalKey: (plan: ListInput) => string
  /** The same for plans whose total is known. */
  readonly known: () => Form
  /** Whether the last one took too long to be read at once; undefined where that has not been tried. */
  isLong?: boolean
  /** Whether one of them has come to a long text, or was one: none of them is tried here again. */
  hasLongText: boolean
  /** How long the last one took on a thread, in milliseconds. */
  took?: number
}

interface ListsParts {
  readonly database: DatabaseSync
  readonly model: Model
  readonly reads: Turn
  /** How often was written on the connection. */
  readonly commits: () => number
  /** Where threads can read the same; absent where only this connection sees it. */
  readonly path?: string | undefined
  /** The longest text of a list, in bytes. */
  readonly maxBytes: number
}

export class SqliteLists {
  readonly #database: DatabaseSync
  readonly #model: Model
  readonly #threads: ReaderThreads | undefined
  readonly #forms = new LruCache<Form>(listForms)
  readonly #tallies = new Map<string, TallyReader>()
  readonly #reads: Turn
  readonly #totals: CountCache
  readonly #clock: StatementClock
  readonly #size: DatabaseSize
  readonly #maxBytes: number

  constructor({ database, model, reads, commits, path, maxBytes }: ListsParts) {
    this.#database = database
    this.#model = model
    this.#reads = reads
    this.#totals = new CountCache(database, reads, commits)
    this.#clock = StatementClock.of(database)
    this.#size = new DatabaseSize(database)
    this.#maxBytes = maxBytes
    this.#threads =
      path === undefined
        ? undefined
        : new ReaderThreads(path, { timeoutMs, maxBytes: Math.max(maxBytes, largestValue) })
  }

  run(plan: ListPlan): Outcome | Promise<Outcome> {
    const tallies = this.#talliesOf(plan)
    const keys = tallies.keysOf(plan)
    const direction = directionOf(plan)
    if (keys === undefined || direction === undefined) return this.#atItsPace(plan, tallies, keys?.length ?? 0)
    const form = this.#form(plan, tallies, keys.length, true)
    // Little is looked at, but the records that are shown may be large.
    if (form.isLong || passedOver(plan) < minOffset) return this.#paced(form, plan, 0)
    return this.#farAway(plan, tallies, keys, direction) ?? this.#paced(form, plan, slowMs)
  }

  close(): Promise<void> {
    return this.#threads?.close() ?? Promise.resolve()
  }

  /**
   * What the tally says of the page's beginning must still be so when the page is read. A thread may see a later state:
   * where the page takes long to write, undefined is given, and a thread passes over all records before it.
   */
  #farAway(plan: ListPlan, tallies: TallyReader, keys: readonly string[], direction: 'forward' | 'backward') {
    this.#reads.hold()
    const placed = { ...plan, place: tallies.place(keys, passedOver(plan), direction) ?? nowhere }
    const form = this.#form(placed, tallies, keys.length, true)
    try {
      return this.#here(form.here(), placed, this.#threads ? longestMs : timeoutMs)
    } catch (error) {
      if (!(error instanceof Stopped) || !this.#threads) throw expensive(error)
      return undefined
    }
  }

  /** A list that has to be counted, or passed over, record by record. */
  #atItsPace(plan: ListPlan, tallies: TallyReader, keys: number): Outcome | Promise<Outcome> {
    const form = this.#form(plan, tallies, keys)
    const isCounted = keys === 0 && plan.page !== undefined && plan.include.length === 0
    const estimateMs = form.isLong === undefined ? this.#estimate(plan, tallies) : 0
    return isCounted ? this.#counted(form, plan, estimateMs) : this.#paced(form, plan, estimateMs)
  }

  /** Whoever turns the pages of a list has it counted once, as long as nobody writes. */
  #counted(form: Form, plan: ListPlan, estimateMs: number): Outcome | Promise<Outcome> {
    // The total is of the same state of the database as the page.
    const state = this.#totals.state()
    const key = form.totalKey(plan)
    const total = this.#totals.get(key)
    const outcome =
      total === undefined
        ? this.#paced(form, plan, estimateMs)
        : this.#paced(form.known(), { ...plan, total }, estimateMs)
    const settle = (found: Outcome) => {
      if (found.kind === 'list') this.#totals.keep(state, key, found.numberOfRecords)
      return found
    }
    if (!(outcome instanceof Promise)) return settle(outcome)
    return outcome.then((found) => {
      // Another read of this turn may still look at an earlier state; this look is a read of a turn as well, and ends with it.
      this.#reads.end()
      this.#reads.read()
      if (this.#totals.state() === state) return settle(found)
      return total === undefined ? found : this.#paced(form, plan, estimateMs)
    })
  }

  /** Here where that is quick, else beside the service. */
  #paced(form: Form, plan: ListInput, estimateMs: number): Outcome | Promise<Outcome> {
    if (estimateMs <= budgetMs && !form.isLong && this.#size.isSmall) {
      return this.#outcome(form.unguarded().first(plan) as Row)
    }
    const threads = this.#threads
    if (!threads) return this.#anyway(form, plan)
    if (form.isLong ?? estimateMs > budgetMs) return this.#elsewhere(form, plan, threads, estimateMs)
    const begun = performance.now()
    try {
      const outcome = this.#here(form.here(), plan, longestMs)
      if (performance.now() - begun > longestMs) form.isLong = true
      return outcome
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      form.isLong = true
      form.hasLongText ||= error.isLongText
      return this.#elsewhere(form, plan, threads, estimateMs)
    }
  }

  /** Where no thread can read it, others have to wait. */
  #anyway(form: Form, plan: ListInput): Outcome {
    try {
      return this.#here(form.here(), plan, timeoutMs)
    } catch (error) {
      throw expensive(error)
    }
  }

  /** How long a list will take that looks at every record of its noun, in milliseconds. */
  #estimate(plan: ListInput, tallies: TallyReader): number {
    this.#totals.state()
    return estimatedMs(
      plan,
      this.#totals.of(plan.operation.shape.noun.name, () => tallies.count(everything)),
    )
  }

  #here(statement: Statement<ListInput>, plan: ListInput, limitMs: number): Outcome {
    const deadline = performance.now() + limitMs
    const read = () => statement.first(plan)
    // Where a thread can read it, no long text is searched here.
    const isShort = this.#threads !== undefined && plan.conditions.some(({ kind }) => kind === 'search')
    const row = isShort ? this.#clock.runOnShortTexts(deadline, read) : this.#clock.run(deadline, read)
    return this.#outcome(row as Row)
  }

  async #elsewhere(form: Form, plan: ListInput, threads: ReaderThreads, estimateMs: number): Promise<Outcome> {
    const { text, bind } = form.elsewhere()
    try {
      const { row, took } = await threads.read(text, bind(plan), (form.took ?? estimateMs) >= slowMs)
      form.took = took
      form.isLong = form.hasLongText || took > shortestMs
      return this.#outcome(row)
    } catch (error) {
      if (error instanceof QueryTimeout) form.took = timeoutMs
      throw error instanceof TooLarge ? new TooLarge(this.#maxBytes, { cause: error }) : error
    }
  }

  #outcome(row: Row): Outcome {
    const [numberOfRecords, json] = row as [number, string]
    if (isLonger(json, this.#maxBytes)) throw new TooLarge(this.#maxBytes)
    return { kind: 'list', json, numberOfRecords }
  }

  #form(plan: ListInput, tallies: TallyReader, keys: number, isBounded = false): Form {
    const { operation, place, page } = plan
    const size = (page?.pageSize ?? 0) > largePage ? ';large' : ''
    const key = `${operation.api}/${operation.path} ${listKey(plan)};${keys}${place ? ';far' : ''}${size}`
    return this.#forms.get(key, () => this.#makeForm(key, plan, countingOf(plan, tallies, keys), isBounded))
  }

  #makeForm(key: string, plan: ListInput, counting: Counting | undefined, isBounded: boolean): Form {
    const counted = once(() => compile<ListInput>(countQuery(sqliteDialect, plan)))
    const query = (isMeasuring: boolean) =>
      listQuery(sqliteDialect, plan, { counting, guard: guardOf(plan, { isBounded, isMeasuring }) })
    return {
      hasLongText: false,
      unguarded: once(() => prepare(this.#database, listQuery(sqliteDialect, plan, { counting }))),
      here: once(() => prepare(this.#database, query(this.#threads !== undefined && !('limits' in this.#database)))),
      elsewhere: once(() => compile(query(false))),
      totalKey: (one) => `${key}${keyOf(counted().bind(one))}`,
      known: once(() => this.#makeForm(key, plan, knownCounting, isBounded)),
    }
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

/** Bound values as one text that no others have. */
function keyOf(values: readonly unknown[]): string {
  let text = ''
  for (const value of values) text += typeof value === 'string' ? ` ${value.length}:${value}` : ` ${value}`
  return text
}

/** The total is in the plan. */
const knownCounting: Counting = { total: slot<ListInput>((plan) => plan.total) }

const everything: readonly string[] = ['']

/** What the tallies tell of a plan with so many keys; nothing where it has none. */
function countingOf({ place }: ListInput, tallies: TallyReader, keys: number): Counting | undefined {
  if (keys === 0) return undefined
  return {
    total: tallies.total(keys),
    ...(keys > 1 && { alternatives: keys }),
    ...(place && {
      place: {
        start: slot<ListInput>((plan) => plan.place?.start),
        rest: slot<ListInput>((plan) => plan.place?.rest),
      },
    }),
  }
}

/** A text is at most three times as many bytes as it is long. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes
}

function expensive(error: unknown): unknown {
  return error instanceof Stopped ? new QueryTimeout(`A list took longer than ${timeoutMs} ms.`) : error
}

/** Makes something when it is first asked for. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
