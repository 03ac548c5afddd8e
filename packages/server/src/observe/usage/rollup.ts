/** The usage rollup: counts of requests, saved to the database every few seconds. */
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccessEntry, Operation } from '@nomen/core'
import { EndpointTree } from '@nomen/core/usage'
import { Outage } from '../../foundation/outage.ts'
import { dayOf } from '../../foundation/timestamp.ts'
import type { UsageBatch, UsageRow, UsageStore } from '../../store/usage.ts'
import type { MetricRegistry } from '../metrics/registry.ts'
import { type Cell, Counters } from './counters.ts'

/** The interval of saves. A killed process loses the counts of this time at most. */
const saveIntervalMs = 5000

/** The number of recent days whose callers are loaded at start. */
const loadedDays = 3

/** The maximum number of rows per save, so that other writes do not wait for long. */
const maxRows = 1000

const dayMs = 86_400_000

export interface RollupOptions {
  readonly store: UsageStore
  readonly operations: readonly Operation[]
  /** The path that the service is mounted below. */
  readonly prefix: string
  /** Whether callers need a token. */
  readonly requiresToken: boolean
  /** The number of days that are kept. */
  readonly keep: number
  /** Called once when counts cannot be saved, and if counts are lost. */
  readonly report: (message: string, error: unknown) => void
}

export class Rollup {
  readonly #options: RollupOptions
  readonly #instance = randomUUID()
  readonly #openedAt = Date.now()
  readonly #counters: Counters
  readonly #indexes: ReadonlyMap<Operation, number>
  readonly #tree: EndpointTree
  readonly #ownSegments: RegExp
  readonly #timer: NodeJS.Timeout
  #number = 0
  /** The batch that the database has not confirmed yet. It may or may not be stored. */
  #unconfirmed: UsageBatch | undefined
  /** The last day for which the database has an entry of this instance. */
  #savedDay: string | undefined
  #sweptDay: string | undefined
  #hasLoadedCallers = false
  #flushing: Promise<void> = Promise.resolve()
  #ticking: Promise<void> | undefined
  #isClosing = false
  readonly #outage: Outage
  #lostRequests = 0

  constructor(options: RollupOptions) {
    this.#options = options
    this.#counters = new Counters(options)
    this.#outage = new Outage((error) => {
      // Counts that cannot be saved while the service closes are reported as lost.
      if (!this.#isClosing)
        options.report('Usage counts cannot be saved. The service keeps counting and tries again.', error)
    })
    this.#indexes = new Map(options.operations.map((operation, index) => [operation, index]))
    this.#tree = new EndpointTree(options.operations)
    // The application may have parameters in its prefix, so only its length counts.
    this.#ownSegments = new RegExp(`^(/[^/?#]*){${options.prefix.split('/').length - 1}}`)
    this.#timer = setInterval(() => this.#tick(), saveIntervalMs).unref()
  }

  /** Counts a request. An unknown operation is found by method and path, as in a report on access logs. */
  observe(entry: AccessEntry, operation: Operation | undefined): void {
    const index = operation ? (this.#indexes.get(operation) ?? -1) : this.#find(entry)
    this.#counters.add(entry, index)
  }

  measure(registry: MetricRegistry): void {
    registry.addValue('nomen_usage_save_failing', '1 if usage counts cannot be saved now, otherwise 0.', 'gauge', () =>
      this.#outage.fault === undefined ? 0 : 1,
    )
    registry.addValue(
      'nomen_usage_lost_requests_total',
      'Requests whose usage counts are lost, because they could not be saved for days.',
      'counter',
      () => this.#lostRequests,
    )
  }

  /** Saves all counts, if the database is available. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush())
    return this.#flushing
  }

  /** Saves the remaining counts. Counts that cannot be saved now are lost. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#ticking
    await this.flush()
    const hasUnsaved = this.#counters.unsavedCount > 0 || (this.#unconfirmed?.rows.length ?? 0) > 0
    if (hasUnsaved) this.#options.report('Usage counts that could not be saved are lost.', this.#outage.fault)
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
      if (!this.#hasLoadedCallers && !this.#isClosing) await this.#loadCallers()
      if (this.#unconfirmed) await this.#save(this.#unconfirmed)
      // Only the counts so far, because more arrive all the time.
      for (let remaining = this.#counters.unsavedCount; remaining > 0; ) {
        const cells = this.#counters.take(Math.min(remaining, maxRows))
        remaining -= cells.length
        await this.#save(this.#batch(dayOf((cells[0] as Cell).day * dayMs), cells))
      }
      const today = dayOf(Date.now())
      if (this.#isClosing) return
      if (this.#savedDay !== today) await this.#save(this.#batch(today, []))
      if (this.#sweptDay !== today) await this.#sweep(today)
    } catch (error) {
      this.#report(error)
    }
  }

  /** Loads recent callers, so that they keep their own counters in this process. */
  async #loadCallers(): Promise<void> {
    const { store } = this.#options
    for (const { day } of (await store.days()).slice(-loadedDays)) {
      // Sorted by requests, because invented names usually occur once.
      const rows = [...(await store.rows(day))].sort((a, b) => b.requests - a.requests)
      this.#counters.addKnownCallers(
        rows.map(({ kind, caller: name }) => ({ kind, name })),
        Date.parse(day) / dayMs,
      )
    }
    this.#hasLoadedCallers = true
  }

  async #save(batch: UsageBatch): Promise<void> {
    this.#unconfirmed = batch
    await this.#options.store.add(batch)
    this.#unconfirmed = undefined
    this.#savedDay = batch.day
    this.#outage.succeed()
  }

  #batch(day: string, cells: readonly Cell[]): UsageBatch {
    const dayStart = Date.parse(day)
    const last = Math.min(dayStart + dayMs - 1, Date.now())
    return {
      instance: this.#instance,
      number: ++this.#number,
      day,
      first: timestampOf(Math.min(Math.max(dayStart, this.#openedAt), last)),
      last: timestampOf(last),
      rows: cells.map((cell) => this.#row(cell)),
    }
  }

  #row({ operation, caller: { kind, name: caller }, status, requests, bytes, first, last }: Cell): UsageRow {
    const { method = '', path = '' } = this.#options.operations[operation] ?? {}
    const times = { first: timestampOf(first), last: timestampOf(last) }
    return { method, path, kind, caller, status, requests, bytes, ...times }
  }

  /** Deletes the oldest days one by one, so that requests are served in between. */
  async #sweep(today: string): Promise<void> {
    const firstKeptDay = dayOf(Date.parse(today) - this.#options.keep * dayMs)
    while (!this.#isClosing && (await this.#options.store.forget(firstKeptDay))) await nextTurn()
    this.#sweptDay = today
  }

  #report(error: unknown): void {
    const { report } = this.#options
    const lost = this.#counters.takeLost()
    this.#lostRequests += lost
    if (lost > 0) report(`Usage counts could not be saved for days. Those of ${lost} requests are lost.`, error)
    this.#outage.fail(error)
  }
}

function timestampOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
