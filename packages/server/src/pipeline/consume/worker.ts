/** Delivers changes to one consumer while this process holds it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ConsumerProgress } from '../../store/consumer.ts'
import type { NewEntries } from '../follow/new-entries.ts'
import type { Consumer, Entry } from './consumer.ts'
import { DeliveryWindow } from './delivery-window.ts'

/** How long a worker waits for new entries before it checks whether it must stop. */
const waitMs = 5000

/** How often the position is stored while no entry is for this consumer. */
const saveEveryMs = 5000

/** While deliveries are in flight, the position is stored after this many deliveries or this time. */
const maxUnsaved = 100
const saveDeliveredEveryMs = 1000

/** The pause after an error of the database, or if a consumer cannot read. */
const faultPauseMs = 1000

/** How often a worker checks whether the process holds the consumer again. */
const checkHoldMs = 200

/** The longest pauses after the first and after later failed attempts. */
const firstMaxPauseMs = 5000
const maxPauseMs = 60 * 60 * 1000

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
  readonly #dependencies: WorkerDependencies
  readonly #stopping = new AbortController()
  readonly #window: DeliveryWindow
  readonly #ended: Promise<void>
  /** The failures; the window has the position. */
  #progress: ConsumerProgress
  /** The progress that is stored. */
  #stored: ConsumerProgress
  #storedAt = 0
  #unsavedCount = 0
  /** The deliveries in flight. */
  readonly #deliveries = new Set<Promise<void>>()
  /** The first error of deliveries whose outcome is unknown. */
  #fault: { readonly error: unknown } | undefined
  #hasFailedAttempt = false
  /** Resolved when there may be something to do. */
  #woken = Promise.withResolvers<void>()

  constructor(consumer: Consumer, progress: ConsumerProgress, dependencies: WorkerDependencies) {
    this.#consumer = consumer
    this.#progress = progress
    this.#stored = progress
    this.#dependencies = dependencies
    this.#window = new DeliveryWindow(progress)
    this.#ended = this.#run()
  }

  /** Whether deliveries fail, and this is stored. */
  get isFailing(): boolean {
    return this.#progress.failures > 0 && this.#stored.failures > 0
  }

  /** When its entries were last replayed, as far as it knows. */
  get replayedAt(): number {
    return this.#progress.replayedAt
  }

  /** Waits for deliveries in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#woken.resolve()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isPrepared = false
    while (!signal.aborted) {
      try {
        if (!isPrepared) await this.#prepare()
        isPrepared = true
        if (this.#dependencies.canDeliver()) await this.#step()
        else await this.#pause(checkHoldMs)
      } catch (error) {
        if (signal.aborted) break
        this.#dependencies.report(
          `Changes could not be read or delivered for ${this.#consumer.name}. Nomen tries again.`,
          error,
        )
        await this.#pause(faultPauseMs)
      }
    }
    await Promise.all(this.#deliveries)
    // Another process continues at this position.
    if (this.#stored.position !== this.#window.position) await this.#save().catch(() => {})
  }

  /** Entries that failed in another process wait until their next attempt. */
  async #prepare(): Promise<void> {
    this.#window.skip((await this.#consumer.deliveredIdsAfter?.(this.#progress)) ?? [])
    await this.#pause(this.#retryMs)
  }

  /** Does what is due, and then reads entries, or waits until something is due. */
  async #step(): Promise<void> {
    this.#woken = Promise.withResolvers()
    this.#throwFault()
    if (this.#window.hasFailed && this.#retryMs <= 0) this.#window.retry()
    this.#startDeliveries()
    if (this.#progress.failures > 0 && this.#window.isRecovered)
      this.#progress = { ...this.#progress, failures: 0, failingSince: 0, retryAt: 0 }
    // The consumer must not act on a failure that is not stored.
    if (this.#isSaveDue) await this.#save()
    if (this.#stopping.signal.aborted) return
    if (this.#hasFailedAttempt) await this.#consumer.onFailure?.(this.#progress)
    this.#hasFailedAttempt = false
    const { newEntries } = this.#dependencies
    if (this.#window.canRead && newEntries.settled > this.#window.readUpTo) return await this.#read()
    await this.#wait(this.#maxWaitMs)
    // No wait lasts any longer then: the worker ends.
    if (newEntries.isStopped) this.#stopping.abort()
  }

  #throwFault(): void {
    const fault = this.#fault
    this.#fault = undefined
    if (fault) throw fault.error
  }

  #startDeliveries(): void {
    for (let entry = this.#window.start(); entry; entry = this.#window.start()) {
      const delivery = this.#deliver(entry)
      this.#deliveries.add(delivery)
      void delivery.then(() => this.#deliveries.delete(delivery))
    }
  }

  async #deliver(entry: Entry): Promise<void> {
    const { failures, replayedAt } = this.#progress
    const attempt = this.#window.isRetry(entry) ? failures + 1 : 1
    try {
      const isDelivered = await this.#consumer.deliver(entry, { attempt, replayedAt })
      this.#window.end(entry, isDelivered)
      if (isDelivered) this.#unsavedCount++
      else this.#countFailure()
    } catch (error) {
      this.#window.release(entry)
      this.#fault ??= { error }
    }
    this.#woken.resolve()
  }

  /** Deliveries that fail before the next attempt is due count as part of the previous one. */
  #countFailure(): void {
    if (this.#retryMs > 0 || this.#stopping.signal.aborted || !this.#dependencies.canDeliver()) return
    const { failures, failingSince } = this.#progress
    const now = Date.now()
    const longestMs = Math.min(firstMaxPauseMs * 2 ** failures, maxPauseMs)
    // Consumers that failed together do not try again together.
    const retryAt = Math.round(now + longestMs * (0.5 + Math.random() / 2))
    this.#progress = { ...this.#progress, failures: failures + 1, failingSince: failingSince || now, retryAt }
    this.#hasFailedAttempt = true
  }

  async #read(): Promise<void> {
    const { readUpTo } = this.#window
    const entries = await this.#consumer.read(readUpTo, this.#dependencies.newEntries.settled)
    this.#window.add(entries)
    if (entries.next <= readUpTo) await this.#pause(faultPauseMs)
  }

  /** Waits until a delivery has ended or there are new entries. */
  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = this.#woken
    const timer = setTimeout(resolve, ms).unref()
    const entryWait = this.#window.canRead ? this.#dependencies.newEntries.wait(this.#window.readUpTo, ms) : undefined
    void entryWait?.ended.then(resolve)
    await promise
    clearTimeout(timer)
    entryWait?.cancel()
  }

  async #pause(timeoutMs: number): Promise<void> {
    const { signal } = this.#stopping
    if (timeoutMs > 0) await pause(timeoutMs, undefined, { signal, ref: false }).catch(() => {})
  }

  /** The time until the next attempt. */
  get #retryMs(): number {
    return this.#progress.retryAt - Date.now()
  }

  /** The longest time to wait if no delivery ends and no entry arrives. */
  get #maxWaitMs(): number {
    const retryMs = this.#window.hasFailed ? this.#retryMs : waitMs
    return Math.max(0, Math.min(waitMs, retryMs, this.#unsavedCount > 0 ? saveDeliveredEveryMs : waitMs))
  }

  get #isSaveDue(): boolean {
    if (this.#progress.retryAt !== this.#stored.retryAt) return true
    if (this.#window.position === this.#stored.position) return false
    const sinceMs = performance.now() - this.#storedAt
    if (this.#unsavedCount === 0) return sinceMs >= saveEveryMs
    return this.#window.isIdle || this.#unsavedCount >= maxUnsaved || sinceMs >= saveDeliveredEveryMs
  }

  async #save(): Promise<void> {
    const progress = { ...this.#progress, position: this.#window.position }
    if (!(await this.#dependencies.save(progress, this.#stored))) this.#stopping.abort()
    this.#storedAt = performance.now()
    this.#stored = progress
    this.#unsavedCount = 0
  }
}
