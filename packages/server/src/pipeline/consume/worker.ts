/** Delivers changes to one consumer while this process holds it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ConsumerProgress } from '../../store/consumer.ts'
import type { NewEntries } from '../follow/new-entries.ts'
import type { Consumer, Entry } from './consumer.ts'
import { deliverInOrder } from './deliver-in-order.ts'

/** How long it waits for new entries before it checks whether it must stop. */
const waitMs = 5000

/** How often the position is stored while no entry is for this consumer. */
const saveEveryMs = 5000

/** The pause after an error of the database. */
const faultPauseMs = 1000

/** How often it checks whether the process holds the consumer again. */
const checkHoldMs = 200

/** The pauses after failed attempts: they grow from the first to the last one. */
const firstPauseMs = 5000
const lastPauseMs = 60 * 60 * 1000

export interface WorkerParts {
  readonly newEntries: NewEntries
  /** Whether this process certainly holds the consumer until a delivery that starts now has ended. */
  readonly canDeliver: () => boolean
  /** Stores the progress; false if the worker must end. */
  readonly save: (progress: ConsumerProgress) => Promise<boolean>
  readonly report: (message: string, error: unknown) => void
}

export class ConsumerWorker {
  readonly #consumer: Consumer
  readonly #parts: WorkerParts
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>
  #progress: ConsumerProgress
  /** Delivered entries after the position, which follow one that was not delivered. */
  readonly #delivered = new Set<number>()
  #savedAt = 0
  #savedPosition: number

  constructor(consumer: Consumer, progress: ConsumerProgress, parts: WorkerParts) {
    this.#consumer = consumer
    this.#progress = progress
    this.#savedPosition = progress.position
    this.#parts = parts
    this.#ended = this.#run()
  }

  get isFailing(): boolean {
    return this.#progress.failures > 0
  }

  /** When its entries were last replayed, as far as it knows. */
  get replayedAt(): number {
    return this.#progress.replayedAt
  }

  /** Waits for deliveries in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isPrepared = false
    while (!signal.aborted) {
      try {
        if (!isPrepared)
          for (const id of (await this.#consumer.deliveredAfter?.(this.#progress)) ?? []) this.#delivered.add(id)
        isPrepared = true
        await this.#untilReady()
        if (await this.#hasNewEntries()) await this.#deliverNext()
      } catch (error) {
        if (signal.aborted) return
        this.#parts.report(`Changes could not be read for ${this.#consumer.name}. Nomen tries again.`, error)
        await this.#pause(faultPauseMs)
      }
    }
    // Another process continues at this position.
    if (this.#savedPosition !== this.#progress.position) await this.#parts.save(this.#progress).catch(() => false)
  }

  /** Waits for the next attempt, and while this process may no longer hold the consumer. */
  async #untilReady(): Promise<void> {
    const { signal } = this.#stopping
    await this.#pause(this.#progress.retryAt - Date.now())
    while (!signal.aborted && !this.#parts.canDeliver()) await this.#pause(checkHoldMs)
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping
    if (ms > 0) await pause(ms, undefined, { signal, ref: false }).catch(() => {})
  }

  async #hasNewEntries(): Promise<boolean> {
    const { newEntries } = this.#parts
    const { signal } = this.#stopping
    const waiting = newEntries.wait(this.#progress.position, waitMs)
    signal.addEventListener('abort', waiting.cancel, { once: true })
    if (signal.aborted) waiting.cancel()
    await waiting.ended
    signal.removeEventListener('abort', waiting.cancel)
    // After the end of all waits, the loop must not run without a pause.
    if (newEntries.isStopped) this.#stopping.abort()
    return !signal.aborted && newEntries.settled > this.#progress.position
  }

  async #deliverNext(): Promise<void> {
    const { entries, next } = await this.#consumer.read(this.#progress.position, this.#parts.newEntries.settled)
    const open = entries.filter(({ id }) => !this.#delivered.has(id))
    const attempt = this.#progress.failures + 1
    const deliver = async (entry: Entry) =>
      !this.#stopping.signal.aborted && this.#parts.canDeliver() && this.#consumer.deliver(entry, attempt)
    for (const id of await deliverInOrder(open, deliver)) this.#delivered.add(id)
    const firstOpen = entries.find(({ id }) => !this.#delivered.has(id))
    const position = firstOpen ? firstOpen.id - 1 : next
    for (const id of this.#delivered) if (id <= position) this.#delivered.delete(id)
    const isInterrupted = this.#stopping.signal.aborted || !this.#parts.canDeliver()
    const hasFailed = firstOpen !== undefined && !isInterrupted
    this.#progress = hasFailed ? this.#failed(position) : { ...this.#progress, ...noFailures(isInterrupted), position }
    if (open.length > 0 || performance.now() - this.#savedAt >= saveEveryMs) await this.#save()
    if (hasFailed) await this.#consumer.onFailure?.(this.#progress)
  }

  #failed(position: number): ConsumerProgress {
    const { failures, failingSince, replayedAt } = this.#progress
    const now = Date.now()
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, lastPauseMs)
    // Consumers that failed together do not try again together.
    const retryAt = Math.round(now + pauseMs * (0.5 + Math.random() / 2))
    return { position, failures: failures + 1, failingSince: failingSince || now, retryAt, replayedAt }
  }

  async #save(): Promise<void> {
    if (!(await this.#parts.save(this.#progress))) this.#stopping.abort()
    this.#savedAt = performance.now()
    this.#savedPosition = this.#progress.position
  }
}

function noFailures(isInterrupted: boolean): Partial<ConsumerProgress> {
  return isInterrupted ? {} : { failures: 0, failingSince: 0, retryAt: 0 }
}
