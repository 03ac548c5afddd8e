/** Divides the consumers of changes among the processes of a service: each is held by one of them at a time. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { throttledReport } from '../../foundation/throttled-report.ts'
import type { ConsumerStore } from '../../store/consumer.ts'
import type { NewEntries } from '../follow/new-entries.ts'
import type { Consumer } from './consumer.ts'
import { ConsumerWorker } from './worker.ts'

/** How often it looks for consumers that are new, changed, or no longer held by another process. */
const checkEveryMs = 2000

/** The maximum duration of one delivery. */
export const deliveryTimeoutMs = 10_000

/** A process holds a consumer for this time, and extends it before a delivery could last longer. */
const holdMs = 25_000
const extendBeforeMs = 15_000

const reportEveryMs = 60_000

/** How long `stop` waits for deliveries in flight. */
const stopTimeoutMs = deliveryTimeoutMs

interface Held {
  readonly version: string
  readonly worker: ConsumerWorker
  /** By `performance.now()`. */
  until: number
}

export interface ConsumerParts {
  readonly store: ConsumerStore
  readonly newEntries: NewEntries
  /** All active consumers. */
  readonly list: () => Promise<readonly Consumer[]>
  readonly report: (message: string, error: unknown) => void
}

export class Consumers {
  readonly #parts: ConsumerParts
  readonly #owner = randomUUID()
  readonly #held = new Map<string, Held>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: ConsumerParts) {
    const report = throttledReport<readonly [string, unknown]>((fault) => parts.report(...fault), reportEveryMs)
    this.#parts = { ...parts, report: (message, error) => report([message, error]) }
    this.#timer = setTimeout(this.#check, 0).unref()
  }

  /** The number of consumers that this process holds. */
  get number(): number {
    return this.#held.size
  }

  /** The number of those whose last delivery failed. */
  get failing(): number {
    return [...this.#held.values()].filter(({ worker }) => worker.isFailing).length
  }

  /** Looks for changed consumers now. */
  refresh(): Promise<void> {
    return this.#check()
  }

  /** Waits for deliveries in flight, and lets other processes continue. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#checking
    const names = [...this.#held.keys()]
    // A hook may never end.
    await Promise.race([
      Promise.all(names.map((name) => this.#end(name))),
      pause(stopTimeoutMs, undefined, { ref: false }),
    ])
    if (names.length > 0) await this.#parts.store.release(names, this.#owner).catch(() => {})
  }

  /** Checks run one after the other. */
  readonly #check = (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#checking = this.#checking
      .then(() => this.#divide())
      .catch((error) => this.#isStopped || this.#parts.report('Webhooks and durable hooks cannot be read.', error))
      .then(() => {
        clearTimeout(this.#timer)
        if (!this.#isStopped) this.#timer = setTimeout(this.#check, checkEveryMs).unref()
      })
    return this.#checking
  }

  async #divide(): Promise<void> {
    if (this.#isStopped) return
    const consumers = new Map((await this.#parts.list()).map((consumer) => [consumer.name, consumer]))
    for (const [name, { version }] of this.#held)
      if (consumers.get(name)?.version !== version) await this.#release(name)
    if (consumers.size === 0 || this.#isStopped) return
    const { store } = this.#parts
    const states = await store.states([...consumers.keys()], this.#owner)
    for (const [name, consumer] of consumers) if (!states.has(name)) await store.add(name, await consumer.start())
    for (const [name, { worker }] of this.#held)
      if (states.get(name)?.replayedAt !== worker.replayedAt) await this.#end(name)
    const names = [...consumers.keys()].filter(
      (name) => states.get(name)?.isFree !== false && this.#remainingMs(name) < extendBeforeMs,
    )
    if (names.length > 0) await this.#hold(names, consumers)
  }

  async #hold(names: readonly string[], consumers: ReadonlyMap<string, Consumer>): Promise<void> {
    const until = performance.now() + holdMs
    const taken = await this.#parts.store.hold(names, this.#owner, holdMs)
    for (const name of names) {
      const [held, progress, consumer] = [this.#held.get(name), taken.get(name), consumers.get(name)]
      if (held && progress) held.until = until
      else if (held) await this.#end(name)
      else if (progress && consumer && !this.#isStopped) {
        const worker = new ConsumerWorker(consumer, progress, this.#partsOf(name))
        this.#held.set(name, { version: consumer.version, until, worker })
      }
    }
  }

  #partsOf(name: string) {
    const { store, newEntries, report } = this.#parts
    return {
      newEntries,
      report,
      canDeliver: () => this.#remainingMs(name) > deliveryTimeoutMs,
      save: async (progress: Parameters<ConsumerStore['save']>[2]) => {
        const isSaved = await store.save(name, this.#owner, progress)
        // Its progress is read again at the next check.
        if (!isSaved) this.#held.delete(name)
        return isSaved
      },
    }
  }

  async #release(name: string): Promise<void> {
    await this.#end(name)
    await this.#parts.store.release([name], this.#owner)
  }

  async #end(name: string): Promise<void> {
    const held = this.#held.get(name)
    this.#held.delete(name)
    await held?.worker.stop()
  }

  #remainingMs(name: string): number {
    return (this.#held.get(name)?.until ?? 0) - performance.now()
  }
}
