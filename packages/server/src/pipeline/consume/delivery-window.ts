/** The entries of a consumer that were read and not delivered yet. Decides which one is delivered next. */
import type { ConsumerProgress } from '../../store/consumer.ts'
import type { Entry, EntryWindow } from './consumer.ts'

/** The number of concurrent deliveries of a consumer. */
const maxRunning = 8

/** When this many entries have failed, the consumer is probably unavailable, and the other entries wait, too. */
const maxFailed = 8

/** How many entries are read beyond the first one that was not delivered. */
const maxEntries = 100

export class DeliveryWindow {
  /** The entries after the position, in the order of their IDs. */
  #entries: readonly Entry[] = []
  #position: number
  #readUpTo: number
  readonly #running = new Set<number>()
  /** Delivered entries after the position, which follow one that was not delivered. */
  readonly #delivered = new Set<number>()
  /** Entries that wait for the next attempt. */
  readonly #failed = new Set<number>()
  /** Entries that have failed before. */
  readonly #retried = new Set<number>()
  /** The consumer has recovered when all entries up to this ID were delivered. */
  #recoversAt: number

  /** If another process had failures, it is not known which entries have failed: all of the first read may have. */
  constructor({ position, failures }: ConsumerProgress) {
    this.#position = position
    this.#readUpTo = position
    this.#recoversAt = failures > 0 ? Number.POSITIVE_INFINITY : position
  }

  /** All entries up to this ID were delivered. */
  get position(): number {
    return this.#position
  }

  get readUpTo(): number {
    return this.#readUpTo
  }

  get canRead(): boolean {
    return this.#entries.length < maxEntries && this.#failed.size < maxFailed
  }

  get isIdle(): boolean {
    return this.#running.size === 0
  }

  get hasFailed(): boolean {
    return this.#failed.size > 0
  }

  /** Whether all entries that have failed were delivered since. */
  get isRecovered(): boolean {
    return this.#failed.size === 0 && this.#position >= this.#recoversAt
  }

  /** Another process has delivered these entries. */
  skip(ids: readonly number[]): void {
    for (const id of ids) this.#delivered.add(id)
  }

  /** Adds entries that were read after `readUpTo`. */
  add({ entries, next }: EntryWindow): void {
    if (this.#recoversAt === Number.POSITIVE_INFINITY) this.#recoversAt = next
    this.#entries = [...this.#entries, ...entries]
    this.#readUpTo = next
    this.#advance()
  }

  /** Prepares the next attempt. The entries are read again, because others may be visible now. */
  retry(): void {
    for (const id of this.#failed) this.#retried.add(id)
    this.#recoversAt = Math.max(this.#recoversAt, ...this.#failed)
    this.#failed.clear()
    this.#entries = []
    this.#readUpTo = this.#position
  }

  isRetry({ id }: Entry): boolean {
    return this.#retried.has(id)
  }

  /** The next entry to deliver, if one may start. Entries of one record are delivered one after the other. */
  start(): Entry | undefined {
    if (this.#running.size >= maxRunning || this.#failed.size >= maxFailed) return undefined
    const blockedRecords = new Set<string>()
    for (const entry of this.#entries) {
      const { id } = entry
      if (this.#delivered.has(id)) continue
      const records = recordsOf(entry)
      const isWaiting = !this.#running.has(id) && !this.#failed.has(id)
      if (isWaiting && !records.some((record) => blockedRecords.has(record))) {
        this.#running.add(id)
        return entry
      }
      for (const record of records) blockedRecords.add(record)
    }
    return undefined
  }

  end({ id }: Entry, isDelivered: boolean): void {
    this.#running.delete(id)
    if (id > this.#position) (isDelivered ? this.#delivered : this.#failed).add(id)
    this.#advance()
  }

  /** Ends a delivery without a known outcome: the entry is started again. */
  release({ id }: Entry): void {
    this.#running.delete(id)
  }

  #advance(): void {
    const first = this.#entries.findIndex(({ id }) => !this.#delivered.has(id))
    const firstId = this.#entries[first]?.id
    const position = firstId === undefined ? this.#readUpTo : firstId - 1
    if (position <= this.#position) return
    this.#position = position
    this.#entries = first < 0 ? [] : this.#entries.slice(first)
    for (const ids of [this.#delivered, this.#retried]) for (const id of ids) if (id <= position) ids.delete(id)
  }
}

function recordsOf({ record, linked }: Entry): readonly string[] {
  return linked === null ? [record] : [record, linked]
}
