/** Lists on SQLite: counted by the tallies where these can, and read on another thread where they may take long. */
import type { DatabaseSync } from 'node:sqlite'
import { Memo } from '../../memo.ts'
import type { Model, StoredNoun } from '../model.ts'
import type { ListPlan, Outcome } from '../plan.ts'
import { column, slot } from '../sql/fragment.ts'
import {
  type Counting,
  countQuery,
  directionOf,
  type ListInput,
  listKey,
  listQuery,
  type Place,
  passedOver,
} from '../sql/list-query.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { KnownTotals } from './known-totals.ts'
import type { Turn } from './read-turn.ts'
import { ReaderThreads } from './reader-threads.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { type Compiled, compile, prepare, type Statement } from './statement.ts'
import { TallyReader } from './tally-reader.ts'

/** How many records are rather passed over than looked up in the tallies. */
const farAway = 512

/** A place before which, and after which, there is nothing. */
const nowhere: Place = { start: null, rest: 0 }

/** How many forms of filtered and sorted lists keep a prepared statement. */
const listForms = 500

/** Up to so many records any list is read at once. */
const few = 20_000

/** How long a list may take that everybody else waits for, and how short one must be to be let back, in milliseconds. */
const longest = 10
const shortest = 3

/** Statements for all plans of one form, here and on a thread, and whether the last one took long. */
interface Form {
  readonly statement: Statement<ListInput>
  readonly elsewhere: () => Compiled<ListInput>
  /** Tells lists apart that may have different totals. */
  readonly totalKey: (plan: ListInput) => string
  /** The same for plans whose total is known. */
  readonly known: () => Form
  isLong?: boolean
}

interface ListsParts {
  readonly database: DatabaseSync
  readonly model: Model
  readonly reads: Turn
  /** How often was written on the connection. */
  readonly commits: () => number
  /** Where threads can read the same; absent where only this connection sees it. */
  readonly path?: string | undefined
}

export class SqliteLists {
  readonly #database: DatabaseSync
  readonly #model: Model
  readonly #threads: ReaderThreads | undefined
  readonly #forms = new Memo<Form>(listForms)
  readonly #tallies = new Map<string, TallyReader>()
  readonly #reads: Turn
  readonly #totals: KnownTotals

  constructor({ database, model, reads, commits, path }: ListsParts) {
    this.#database = database
    this.#model = model
    this.#reads = reads
    this.#totals = new KnownTotals(database, reads, commits)
    this.#threads = path === undefined ? undefined : new ReaderThreads(path)
  }

  run(plan: ListPlan): Outcome | Promise<Outcome> {
    const tallies = this.#talliesOf(plan)
    const keys = tallies.keysOf(plan)
    const direction = directionOf(plan)
    if (keys === undefined || direction === undefined) return this.#atItsPace(plan, tallies, keys?.length ?? 0)
    if (passedOver(plan) >= farAway) return this.#farAway(plan, tallies, keys, direction)
    return this.#here(this.#form(plan, tallies, keys.length), plan)
  }

  close(): Promise<void> {
    return this.#threads?.close() ?? Promise.resolve()
  }

  /** What the tally says of the page's beginning must still be so when the page is read. */
  #farAway(plan: ListPlan, tallies: TallyReader, keys: readonly string[], direction: 'forward' | 'backward'): Outcome {
    this.#reads.hold()
    const placed = { ...plan, place: tallies.place(keys, passedOver(plan), direction) ?? nowhere }
    return this.#here(this.#form(placed, tallies, keys.length), placed)
  }

  /** A list that has to be counted, or passed over, record by record. */
  #atItsPace(plan: ListPlan, tallies: TallyReader, keys: number): Outcome | Promise<Outcome> {
    const form = this.#form(plan, tallies, keys)
    const isCounted = keys === 0 && plan.page !== undefined && plan.include.length === 0
    return isCounted ? this.#counted(form, plan, tallies) : this.#paced(form, plan, tallies)
  }

  /** Whoever turns the pages of a list has it counted once, as long as nobody writes. */
  #counted(form: Form, plan: ListPlan, tallies: TallyReader): Outcome | Promise<Outcome> {
    // The total is of the same state of the database as the page.
    const state = this.#totals.state()
    const key = form.totalKey(plan)
    const total = this.#totals.get(key)
    const outcome =
      total === undefined ? this.#paced(form, plan, tallies) : this.#paced(form.known(), { ...plan, total }, tallies)
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
      return total === undefined ? found : this.#paced(form, plan, tallies)
    })
  }

  /** Here where that is quick, else beside the service. */
  #paced(form: Form, plan: ListInput, tallies: TallyReader): Outcome | Promise<Outcome> {
    if (form.isLong === undefined && this.#isShort(plan, tallies)) return this.#here(form, plan)
    if (form.isLong !== false && this.#threads) return this.#elsewhere(form, plan, this.#threads)
    const begun = performance.now()
    const outcome = this.#here(form, plan)
    form.isLong = performance.now() - begun > longest
    return outcome
  }

  #isShort({ operation }: ListInput, tallies: TallyReader): boolean {
    this.#totals.state()
    return this.#totals.of(operation.shape.noun.name, () => tallies.count(everything)) <= few
  }

  #here({ statement }: Form, plan: ListInput): Outcome {
    const [numberOfRecords, json] = statement.first(plan) as [number, string]
    return { kind: 'list', json, numberOfRecords }
  }

  async #elsewhere(form: Form, plan: ListInput, threads: ReaderThreads): Promise<Outcome> {
    const { text, bind } = form.elsewhere()
    const { row, took } = await threads.read(text, bind(plan))
    form.isLong = took > shortest
    const [numberOfRecords, json] = row as [number, string]
    return { kind: 'list', json, numberOfRecords }
  }

  #form(plan: ListInput, tallies: TallyReader, keys: number): Form {
    const { operation, place } = plan
    const key = `${operation.api}/${operation.path} ${listKey(plan)};${keys}${place ? ';far' : ''}`
    return this.#forms.get(key, () => this.#makeForm(key, plan, countingOf(plan, tallies, keys)))
  }

  #makeForm(key: string, plan: ListInput, counting: Counting | undefined): Form {
    const counted = compile<ListInput>(countQuery(sqliteDialect, plan))
    let compiled: Compiled<ListInput> | undefined
    let known: Form | undefined
    return {
      statement: prepare(this.#database, listQuery(sqliteDialect, plan, { counting })),
      elsewhere: () => {
        compiled ??= compile(listQuery(sqliteDialect, plan, { counting, guard: guardOf(plan) }))
        return compiled
      },
      totalKey: (one) => `${key}${told(counted.bind(one))}`,
      known: () => {
        known ??= this.#makeForm(key, plan, knownCounting)
        return known
      },
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
function told(values: readonly unknown[]): string {
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

/** One record in a thousand or so asks whether there is time left; a thread stops where there is none. */
function guardOf({ operation }: ListPlan): Sql {
  const { noun } = operation.shape
  const identity = column(noun, noun.identity)
  const isPassing = noun.fields[noun.identity].spec.guid
    ? sql`substr(${identity}, 1, 2) <> '00'`
    : sql`${identity} & 1023 <> 0`
  return sql`(${isPassing} or in_time())`
}
