/** Divides the consumers of changes among the processes of a service: one process at a time holds the lease of a consumer. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { throttledReport } from '../../foundation/throttled-report.ts'
import type { ConsumerProgress, ConsumerStore } from '../../store/consumer.ts'
import type { NewEntries } from '../follow/new-entries.ts'
import type { Consumer } from './consumer.ts'
import { ConsumerWorker } from './worker.ts'

/** How often a process looks for consumers that are new, changed, or no longer held by another process. */
const checkEveryMs = 2000

/** The maximum duration of one delivery. */
export const deliveryTimeoutMs = 10_000

/** The duration of a lease. It is extended when less than `extendBeforeMs` is left, so that deliveries end within it. */
const leaseMs = 25_000
const extendBeforeMs = 15_000

const reportEveryMs = 60_000

/** How long `stop` waits for deliveries in flight. */
const stopTimeoutMs = deliveryTimeoutMs

interface Lease {
  readonly version: string
  readonly worker: ConsumerWorker
  /** By `performance.now()`. */
  expiresAt: number
}

export interface ConsumerDependencies {
  readonly store: ConsumerStore
  readonly newEntries: NewEntries
  /** All active consumers. */
  readonly list: () => Promise<readonly Consumer[]>
  readonly report: (message: string, error: unknown) => void
}

export class Consumers {
  readonly #dependencies: ConsumerDependencies
  readonly #owner = randomUUID()
  readonly #leases = new Map<string, Lease>()
  /** Consumers that this process has released, but whose current deliveries have not ended. */
  readonly #ending = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> = Promise.resolve()
  /** A check that has not begun. */
  #nextCheck: Promise<void> | undefined
  #isStopped = false

  constructor(dependencies: ConsumerDependencies) {
    const report = throttledReport<readonly [string, unknown]>((fault) => dependencies.report(...fault), reportEveryMs)
    this.#dependencies = { ...dependencies, report: (message, error) => report([message, error]) }
    this.#timer = setTimeout(this.#check, 0).unref()
  }

  /** The number of consumers that this process holds. */
  get heldCount(): number {
    return this.#leases.size
  }

  /** The number of held consumers whose last delivery failed. */
  get failingCount(): number {
    return [...this.#leases.values()].filter(({ worker }) => worker.isFailing).length
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
    for (const name of this.#leases.keys()) this.#end(name)
    const names = [...this.#ending.keys()]
    // A hook may never end.
    await Promise.race([Promise.all(this.#ending.values()), pause(stopTimeoutMs, undefined, { ref: false })])
    if (names.length > 0) await this.#dependencies.store.release(names, this.#owner).catch(() => {})
  }

  /** Checks run one after the other. */
  readonly #check = (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#nextCheck ??= this.#checking = this.#checking
      .then(() => {
        this.#nextCheck = undefined
        return this.#assign()
      })
      .catch(this.#report)
      .then(() => {
        clearTimeout(this.#timer)
        if (!this.#isStopped) this.#timer = setTimeout(this.#check, checkEveryMs).unref()
      })
    return this.#nextCheck
  }

  readonly #report = (error: unknown): void => {
    if (!this.#isStopped)
      this.#dependencies.report(
        'The state of webhooks and durable hooks could not be read or stored. Deliveries of this process may be late.',
        error,
      )
  }

  async #assign(): Promise<void> {
    if (this.#isStopped) return
    const consumers = new Map((await this.#dependencies.list()).map((consumer) => [consumer.name, consumer]))
    for (const [name, { version }] of this.#leases) if (consumers.get(name)?.version !== version) this.#end(name)
    if (consumers.size === 0 || this.#isStopped) return
    const failingBeforeRead = new Set(
      [...this.#leases].filter(([, { worker }]) => worker.isFailing).map(([name]) => name),
    )
    const states = await this.#dependencies.store.states([...consumers.keys()], this.#owner)
    for (const [name, consumer] of consumers) if (!states.has(name)) await this.#add(consumer)
    for (const [name, { worker }] of this.#leases) {
      const { replayedAt, failures } = states.get(name) ?? {}
      // A retry has reset the stored failures.
      const isRetried = failures === 0 && failingBeforeRead.has(name) && worker.isFailing
      if (replayedAt !== worker.replayedAt || isRetried) this.#end(name)
    }
    const names = [...consumers.keys()].filter(
      (name) =>
        states.get(name)?.isFree !== false && !this.#ending.has(name) && this.#remainingMs(name) < extendBeforeMs,
    )
    if (names.length > 0) await this.#hold(names, consumers)
  }

  /** An error must not keep the other consumers from being held. */
  async #add({ name, start }: Consumer): Promise<void> {
    try {
      await this.#dependencies.store.add(name, await start())
    } catch (error) {
      this.#report(error)
    }
  }

  async #hold(names: readonly string[], consumers: ReadonlyMap<string, Consumer>): Promise<void> {
    const until = performance.now() + leaseMs
    const progressByName = await this.#dependencies.store.hold(names, this.#owner, leaseMs)
    for (const name of names) {
      const [lease, progress, consumer] = [this.#leases.get(name), progressByName.get(name), consumers.get(name)]
      if (lease && progress) lease.expiresAt = until
      else if (lease) this.#end(name)
      else if (progress && consumer && !this.#isStopped && !this.#ending.has(name)) {
        const worker = new ConsumerWorker(consumer, progress, this.#workerDependencies(name))
        this.#leases.set(name, { version: consumer.version, expiresAt: until, worker })
      }
    }
  }

  #workerDependencies(name: string) {
    const { store, newEntries, report } = this.#dependencies
    return {
      newEntries,
      report,
      canDeliver: () => this.#remainingMs(name) > deliveryTimeoutMs,
      save: async (progress: ConsumerProgress, storedProgress: ConsumerProgress) => {
        const isSaved = await store.save(name, this.#owner, progress, storedProgress)
        // Its progress is read again at the next check.
        if (!isSaved) this.#end(name)
        return isSaved
      },
    }
  }

  /** Ends the worker of a consumer, which can be held again after its deliveries in flight. Other consumers do not wait for them. */
  #end(name: string): void {
    const lease = this.#leases.get(name)
    if (!lease) return
    this.#leases.delete(name)
    const release = lease.worker
      .stop()
      .then(() => this.#dependencies.store.release([name], this.#owner))
      .catch(this.#report)
      .then(() => {
        this.#ending.delete(name)
        if (!this.#isStopped) void this.#check()
      })
    this.#ending.set(name, release)
  }

  #remainingMs(name: string): number {
    return (this.#leases.get(name)?.expiresAt ?? 0) - performance.now()
  }
}
