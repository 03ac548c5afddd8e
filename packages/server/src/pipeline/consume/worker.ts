/** Delivers changes to one consumer while this process holds it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ConsumerProgress } from '../../store/consumer.ts'
import type { NewEntries } from '../follow/new-entries.ts'
import type { Consumer } from './consumer.ts'
import { deliverInOrder, maxFailed } from './deliver-in-order.ts'

/** How long a worker waits for new entries before it checks whether it must stop. */
const waitMs = 5000

/** How often the position is stored while no entry is for this consumer. */
const saveEveryMs = 5000

/** The pause after an error of the database, or if a consumer cannot read. */
const faultPauseMs = 1000

/** How often a worker checks whether the process holds the consumer again. */
const checkHoldMs = 200

/** The pauses after failed attempts: they grow from the first to the last one. */
const firstPauseMs = 5000
const lastPauseMs = 60 * 60 * 1000

export interface WorkerDependencies {
  readonly newEntries: NewEntries
  /** Whether this process certainly holds the consumer until a delivery that starts now has ended. */
  readonly canDeliver: () => boolean
  /** Replaces the stored progress; false if the worker must end. */
  readonly save: (progress: ConsumerProgress, storedProgress: ConsumerProgress) => Promise<boolean>
  readonly report: (message: string, error: unknown) => void
}

export class ConsumerWorker {
  readonly #consumer: Consumer
  readonly #parts: WorkerDependencies
  readonly #stopping = new AbortController()
  readonly #ended: Promise<void>
  #progress: ConsumerProgress
  /** The progress that is stored. */
  #stored: ConsumerProgress
  #storedAt = 0
  /** Delivered entries after the position, which follow one that was not delivered. */
  readonly #delivered = new Set<number>()
  /** Entries that wait for the next attempt. */
  readonly #failed = new Set<number>()
  /** The ID up to which entries were read, if those of other records are delivered before the next attempt. */
  #readUpTo: number | undefined

  constructor(consumer: Consumer, progress: ConsumerProgress, parts: WorkerDependencies) {
    this.#consumer = consumer
    this.#progress = progress
    this.#stored = progress
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
        if (!(await this.#hasEntries())) continue
        while (!signal.aborted && !this.#parts.canDeliver()) await this.#pause(checkHoldMs)
        if (!signal.aborted) await this.#deliverNext()
      } catch (error) {
        if (signal.aborted) return
        this.#parts.report(`Changes could not be read for ${this.#consumer.name}. Nomen tries again.`, error)
        await this.#pause(faultPauseMs)
      }
    }
    // Another process continues at this position.
    if (this.#stored.position !== this.#progress.position) await this.#save().catch(() => {})
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping
    if (ms > 0) await pause(ms, undefined, { signal, ref: false }).catch(() => {})
  }

  /** Waits for new entries, or for the next attempt. */
  async #hasEntries(): Promise<boolean> {
    const { newEntries } = this.#parts
    const { signal } = this.#stopping
    const { position } = this.#progress
    if (this.#readUpTo === undefined) await this.#pause(this.#retryMs)
    const afterId = this.#readUpTo ?? position
    const wait = newEntries.wait(afterId, this.#readUpTo === undefined ? waitMs : Math.min(waitMs, this.#retryMs))
    signal.addEventListener('abort', wait.cancel, { once: true })
    if (signal.aborted) wait.cancel()
    await wait.ended
    signal.removeEventListener('abort', wait.cancel)
    // After the end of all waits, the loop must not run without a pause.
    if (newEntries.isStopped) this.#stopping.abort()
    const isRetry = this.#readUpTo !== undefined && this.#retryMs <= 0
    return !signal.aborted && (isRetry || newEntries.settled > afterId)
  }

  /** The time until the next attempt. */
  get #retryMs(): number {
    return this.#progress.retryAt - Date.now()
  }

  async #deliverNext(): Promise<void> {
    const isAttempt = this.#retryMs <= 0
    const retriedIds = new Set(this.#failed)
    if (isAttempt) this.#failed.clear()
    const { position: start, failures, replayedAt } = this.#progress
    const { settled } = this.#parts.newEntries
    const { entries, next } = await this.#consumer.read(start, settled)
    let deliveryCount = 0
    await deliverInOrder(entries, {
      delivered: this.#delivered,
      failed: this.#failed,
      canStart: () => !this.#isInterrupted,
      deliver: (entry) => {
        deliveryCount++
        return this.#consumer.deliver(entry, { attempt: retriedIds.has(entry.id) ? failures + 1 : 1, replayedAt })
      },
    })
    const firstUndelivered = entries.find(({ id }) => !this.#delivered.has(id))
    const position = firstUndelivered ? firstUndelivered.id - 1 : next
    for (const id of this.#delivered) if (id <= position) this.#delivered.delete(id)
    const hasFailed = this.#failed.size > 0
    this.#progress = hasFailed ? this.#afterFailure(position, isAttempt) : this.#afterSuccess(position)
    this.#readUpTo = hasFailed && this.#failed.size < maxFailed && next >= settled ? next : undefined
    if (deliveryCount > 0 || performance.now() - this.#storedAt >= saveEveryMs) await this.#save()
    if (hasFailed && isAttempt && !this.#isInterrupted) await this.#consumer.onFailure?.(this.#progress)
    if (deliveryCount === 0 && next <= start) await this.#pause(faultPauseMs)
  }

  get #isInterrupted(): boolean {
    return this.#stopping.signal.aborted || !this.#parts.canDeliver()
  }

  #afterSuccess(position: number): ConsumerProgress {
    const success = this.#isInterrupted ? {} : { failures: 0, failingSince: 0, retryAt: 0 }
    return { ...this.#progress, ...success, position }
  }

  #afterFailure(position: number, isAttempt: boolean): ConsumerProgress {
    if (!isAttempt || this.#isInterrupted) return { ...this.#progress, position }
    const { failures, failingSince, replayedAt } = this.#progress
    const now = Date.now()
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, lastPauseMs)
    // Consumers that failed together do not try again together.
    const retryAt = Math.round(now + pauseMs * (0.5 + Math.random() / 2))
    return { position, failures: failures + 1, failingSince: failingSince || now, retryAt, replayedAt }
  }

  async #save(): Promise<void> {
    const progress = this.#progress
    if (!(await this.#parts.save(progress, this.#stored))) this.#stopping.abort()
    this.#storedAt = performance.now()
    this.#stored = progress
  }
}
