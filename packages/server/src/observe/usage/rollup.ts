/** The rollup: what the service itself counts of its requests, brought to the database every few seconds. */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccessEntry, Operation } from '@nomen/core'
import { EndpointTree } from '@nomen/core/usage'
import { Outage } from '../../foundation/outage.ts'
import type { UsageBatch, UsageRow, UsageStore } from '../../store/usage.ts'
import { type Cell, Counters } from './counters.ts'

/** How often it is brought there, in milliseconds: what a process that is killed loses at most. */
const pause = 5000

/** A process that starts looks up the callers of this number of latest days. */
const learntDays = 3

/** So many rows at a time, so that nobody waits for long. */
const mostRows = 1000

const dayLength = 86_400_000

export interface RollupOptions {
  readonly store: UsageStore
  readonly operations: readonly Operation[]
  /** What stands before all paths, where the service is mounted into an application. */
  readonly prefix: string
  /** Whether callers must show a token. */
  readonly isGuarded: boolean
  /** How many days are kept. */
  readonly keep: number
  /** Told once when the database takes no counts, and what was lost by it. */
  readonly report: (message: string, error: unknown) => void
}

export class Rollup {
  readonly #options: RollupOptions
  readonly #instance = randomUUID()
  readonly #opened = Date.now()
  readonly #counters: Counters
  readonly #indexes: ReadonlyMap<Operation, number>
  readonly #tree: EndpointTree
  readonly #ownSegments: RegExp
  readonly #timer: NodeJS.Timeout
  #number = 0
  /** What the database has not confirmed yet: it may be there, or not. */
  #unsure: UsageBatch | undefined
  /** The day of which the database knows that this instance was there. */
  #notedDay: string | undefined
  #sweptDay: string | undefined
  #hasLearnt = false
  #flushing: Promise<void> = Promise.resolve()
  #ticking: Promise<void> | undefined
  #isClosing = false
  readonly #outage: Outage

  constructor(options: RollupOptions) {
    this.#options = options
    this.#counters = new Counters(options)
    this.#outage = new Outage((error) => {
      // Whatever cannot be stored while the service closes is reported as lost.
      if (!this.#isClosing)
        options.report('Usage cannot be kept in the database now. It is counted on, and tried again.', error)
    })
    this.#indexes = new Map(options.operations.map((operation, index) => [operation, index]))
    this.#tree = new EndpointTree(options.operations)
    // The application may have parameters in its prefix, so only its length counts.
    this.#ownSegments = new RegExp(`^(/[^/?#]*){${options.prefix.split('/').length - 1}}`)
    this.#timer = setInterval(() => this.#tick(), pause).unref()
  }

  /** Counts a request; where its operation is not known, it is found as a reader of the access log would find it. */
  observe(entry: AccessEntry, operation: Operation | undefined): void {
    const index = operation ? (this.#indexes.get(operation) ?? -1) : this.#find(entry)
    this.#counters.add(entry, index)
  }

  /** Brings all that is counted so far to the database, as far as that is possible now. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush())
    return this.#flushing
  }

  /** Brings the rest there. What the database does not take now is lost. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#ticking
    await this.flush()
    const isLeft = this.#counters.numberOfUntaken > 0 || (this.#unsure?.rows.length ?? 0) > 0
    if (isLeft)
      this.#options.report('Usage that the database has not taken is lost with this process.', this.#outage.fault)
  }

  #find({ method, target }: AccessEntry): number {
    const { prefix } = this.#options
    return this.#tree.at(method, prefix === '' ? target : target.replace(this.#ownSegments, ''))
  }

  #tick(): void {
    this.#ticking ??= this.flush().finally(() => {
      this.#ticking = undefined
    })
  }

  async #flush(): Promise<void> {
    try {
      if (!this.#hasLearnt && !this.#isClosing) await this.#learn()
      if (this.#unsure) await this.#bring(this.#unsure)
      // Only what is there by now: more is counted all the time.
      for (let left = this.#counters.numberOfUntaken; left > 0; ) {
        const cells = this.#counters.take(Math.min(left, mostRows))
        left -= cells.length
        await this.#bring(this.#batch(dayOf((cells[0] as Cell).day * dayLength), cells))
      }
      const today = dayOf(Date.now())
      if (this.#isClosing) return
      if (this.#notedDay !== today) await this.#bring(this.#batch(today, []))
      if (this.#sweptDay !== today) await this.#sweep(today)
    } catch (error) {
      this.#tell(error)
    }
  }

  /** Names that came before this process was there keep their room. */
  async #learn(): Promise<void> {
    const { store } = this.#options
    for (const { day } of (await store.days()).slice(-learntDays)) {
      // A made-up name mostly comes once.
      const rows = [...(await store.rows(day))].sort((one, other) => other.requests - one.requests)
      this.#counters.know(
        rows.map(({ kind, caller: name }) => ({ kind, name })),
        Date.parse(day) / dayLength,
      )
    }
    this.#hasLearnt = true
  }

  async #bring(batch: UsageBatch): Promise<void> {
    this.#unsure = batch
    await this.#options.store.add(batch)
    this.#unsure = undefined
    this.#notedDay = batch.day
    this.#outage.succeed()
  }

  #batch(day: string, cells: readonly Cell[]): UsageBatch {
    const begin = Date.parse(day)
    const last = Math.min(begin + dayLength - 1, Date.now())
    return {
      instance: this.#instance,
      number: ++this.#number,
      day,
      first: momentOf(Math.min(Math.max(begin, this.#opened), last)),
      last: momentOf(last),
      rows: cells.map((cell) => this.#row(cell)),
    }
  }

  #row({ operation, caller: { kind, name: caller }, status, requests, bytes, first, last }: Cell): UsageRow {
    const { method = '', path = '' } = this.#options.operations[operation] ?? {}
    const times = { first: momentOf(first), last: momentOf(last) }
    return { method, path, kind, caller, status, requests, bytes, ...times }
  }

  /** Lets the oldest days go, one after the other: requests are served in between. */
  async #sweep(today: string): Promise<void> {
    const before = dayOf(Date.parse(today) - this.#options.keep * dayLength)
    while (!this.#isClosing && (await this.#options.store.forget(before))) await nextTurn()
    this.#sweptDay = today
  }

  #tell(error: unknown): void {
    const { report } = this.#options
    const lost = this.#counters.takeLost()
    if (lost > 0) report(`The database has taken no usage for days: that of ${lost} requests is lost.`, error)
    this.#outage.fail(error)
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function momentOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
